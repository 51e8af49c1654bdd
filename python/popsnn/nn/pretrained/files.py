"""Folders of saved networks: what is written, and the checks of what is read.

The configuration stands in the metadata of the file of weights, which is replaced as a whole: a
save that is cut off leaves the earlier network. `config.json` is a copy for readers.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor, nn
from torch.nn.parameter import UninitializedBuffer, UninitializedParameter

from ..._internal.extras import extra
from ..._internal.files import whole_file
from ..._internal.version import __version__
from . import Folder, Pretrained
from .comparison import check_same

Network = TypeVar("Network", bound=Pretrained)

CONFIG, WEIGHTS = "config.json", "model.safetensors"
FORMAT = 1
METADATA = "popsnn"  # of the file of weights: the key of the configuration


def save(net: Pretrained, folder: Folder) -> None:
    """Write a network, as `Pretrained.save_pretrained` says."""
    name = f"{type(net).__name__}.save_pretrained"
    with extra(name, "safetensors", "safetensors"):
        from safetensors.torch import save as packed
    path = _path(name, folder)
    arguments = net._configuration()
    tensors = _tensors(name, net)
    with torch.random.fork_rng(devices=[]), torch.device("cpu"):  # a constructor draws weights
        other = _network(type(net), json.loads(json.dumps(arguments)), tensors, {}, name)
    check_same(name, net, other)
    _check_shapes(name, other, tensors)
    config = {
        "popsnn": __version__,
        "format": FORMAT,
        "network": type(net).__qualname__,
        "arguments": arguments,
    }
    try:
        content = packed(tensors, {"format": "pt", METADATA: json.dumps(config)})
    except KeyError as error:
        raise TypeError(
            f"{name}: expected tensors of types that safetensors has, got {error}"
        ) from error
    with whole_file(name, path / WEIGHTS) as partial:
        partial.write_bytes(content)
    # The folder has this network now; what follows is for readers.
    with whole_file(name, path / CONFIG) as partial:
        partial.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def load(cls: type[Network], folder: Folder, changes: dict[str, Any]) -> Network:
    """Return the network in a folder, as `Pretrained.from_pretrained` says."""
    name = f"{cls.__name__}.from_pretrained"
    with extra(name, "safetensors", "safetensors"):
        from safetensors import SafetensorError
        from safetensors.torch import load as unpacked
    path = _path(name, folder)
    file = path / WEIGHTS
    content = _read(name, file)
    try:
        with torch.device("cpu"):  # whatever the default device is
            tensors = unpacked(content)
    except SafetensorError as error:
        raise ValueError(f"{name}: expected tensors in {file}, got {error}") from error
    config = _config(name, file, content)
    if config["network"] != cls.__qualname__:
        raise ValueError(
            f"{name}: network: expected {cls.__qualname__}, got {config['network']!r} in {file}"
        )
    net = _network(cls, config["arguments"], tensors, changes, name)
    _check_shapes(name, net, tensors)
    for key, value in [*net.named_parameters(), *net.named_buffers()]:
        if key in tensors and value.dtype != tensors[key].dtype:
            value.data = value.data.to(tensors[key].dtype)  # of a network of other numbers
    net.load_state_dict(tensors)
    return net.eval()


def _path(name: str, folder: Folder) -> Path:
    if not isinstance(folder, (str, os.PathLike)):
        raise TypeError(f"{name}: folder: expected a path, got {type(folder).__name__}")
    return Path(folder)


def _read(name: str, path: Path) -> bytes:
    if not path.is_file():
        raise FileNotFoundError(f"{name}: expected a file {path}, got none")
    return path.read_bytes()


def _config(name: str, path: Path, content: bytes) -> dict[str, Any]:
    """Return what the configuration holds, its entries checked."""
    # The file begins with the length of its header, 8 bytes, and the header in JSON.
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    try:
        config = json.loads(header.get("__metadata__", {}).get(METADATA, "null"))
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{name}: expected JSON as configuration in {path}, got {error}"
        ) from error
    wanted = {"popsnn": str, "format": int, "network": str, "arguments": dict}
    for key, kind in wanted.items():
        value = config.get(key) if isinstance(config, dict) else None
        if not isinstance(value, kind):
            raise ValueError(
                f"{name}: expected a network that save_pretrained wrote, got {path} without {key!r}"
            )
    if config["format"] != FORMAT:
        raise ValueError(
            f"{name}: expected the format {FORMAT} of popsnn {__version__}, got "
            f"{config['format']} of popsnn {config['popsnn']} in {path}"
        )
    result: dict[str, Any] = config
    return result


def _tensors(name: str, net: nn.Module) -> dict[str, Tensor]:
    """Return copies of parameters and buffers on the CPU, none on the memory of another."""
    tensors = {}
    for key, value in net.state_dict().items():
        if not isinstance(value, Tensor):
            got = type(value).__name__
        elif value.is_meta or isinstance(value, (UninitializedBuffer, UninitializedParameter)):
            got = "one without values"
        elif value.layout != torch.strided:
            got = f"one of layout {value.layout}"
        else:
            tensors[key] = value.detach().cpu().clone(memory_format=torch.contiguous_format)
            continue
        raise TypeError(f"{name}: {key}: expected a dense tensor, got {got}")
    return tensors


def _network(
    cls: type[Network],
    arguments: dict[str, Any],
    tensors: dict[str, Tensor],
    changes: dict[str, Any],
    name: str,
) -> Network:
    """Return a network of these arguments; what it learns is not loaded yet."""
    try:
        return cls._configured(arguments, tensors, changes)
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f"{name}: arguments: {error}") from error


def _check_shapes(name: str, net: nn.Module, tensors: dict[str, Tensor]) -> None:
    own = net.state_dict()
    for key in sorted(own.keys() | tensors.keys()):
        mine, got = (tuple(each[key].shape) if key in each else "none" for each in (own, tensors))
        if mine != got:
            raise ValueError(
                f"{name}: {key}: expected shape {mine} of the configuration, got {got}"
            )
