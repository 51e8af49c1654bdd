"""Folders of saved networks: what is written, and the checks of what is read.

A value in `config.json` is what JSON has, or an object with one tag: `{"tuple": [...]}`, `{"dict":
{...}}`, `{"float": "inf"}`, `{"dtype": "float16"}`, `{"surrogate": [name, options]}`, `{"neuron":
[name, options]}`. Names of classes are those of this package, so that reading runs no code.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import os
from itertools import zip_longest
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, TypeVar

import torch
from torch import Tensor, nn

from ... import neurons
from ..._internal.extras import extra
from ..._internal.files import whole_file
from ..._internal.version import __version__
from ...functional import Neuron
from ...surrogate import NAMED, Surrogate
from .._options import Options
from . import Folder, Pretrained

Network = TypeVar("Network", bound=Pretrained)

CONFIG, WEIGHTS = "config.json", "model.safetensors"
FORMAT = 1
WHERE = ("backend", "device")  # options that say where a network runs, not what it is
_PLAIN = (bool, int, float, str, type(None), torch.dtype, *NAMED, Neuron)
_TAGS = ("tuple", "dict", "float", "dtype", "surrogate", "neuron")


class Refused(str):
    """The reason for which a value cannot be written."""


def save(net: Pretrained, folder: Folder) -> None:
    """Write a network, as `Pretrained.save_pretrained` says."""
    name = f"{type(net).__name__}.save_pretrained"
    with extra(name, "safetensors", "safetensors"):
        from safetensors.torch import save as packed
    path = _path(name, folder)
    arguments = net._configuration()
    for argument, value in arguments.items():
        if isinstance(value, Refused):
            raise TypeError(f"{name}: argument {argument}: {value}")
    tensors = _tensors(name, net)
    with torch.random.fork_rng(devices=[]), torch.device("cpu"):  # a constructor draws weights
        other = _network(type(net), json.loads(json.dumps(arguments)), tensors, {}, name)
    _check_same(name, net, other)
    _check_shapes(name, other, tensors)
    content = packed(tensors, {"format": "pt"})
    config = {
        "popsnn": __version__,
        "format": FORMAT,
        "network": type(net).__qualname__,
        "arguments": arguments,
        "weights": {"file": WEIGHTS, "sha256": hashlib.sha256(content).hexdigest()},
    }
    with whole_file(name, path / WEIGHTS) as partial:
        partial.write_bytes(content)
    with whole_file(name, path / CONFIG) as partial:
        partial.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def load(cls: type[Network], folder: Folder, changes: dict[str, Any]) -> Network:
    """Return the network in a folder, as `Pretrained.from_pretrained` says."""
    name = f"{cls.__name__}.from_pretrained"
    with extra(name, "safetensors", "safetensors"):
        from safetensors import SafetensorError
        from safetensors.torch import load as unpacked
    path = _path(name, folder)
    config = _config(name, path / CONFIG)
    if config["network"] != cls.__qualname__:
        raise ValueError(
            f"{name}: network: expected {cls.__qualname__}, got {config['network']!r} in "
            f"{path / CONFIG}"
        )
    content = _read(name, path / WEIGHTS)
    digest = hashlib.sha256(content).hexdigest()
    if digest != config["weights"].get("sha256"):
        raise ValueError(
            f"{name}: expected {path / WEIGHTS} with the SHA-256 of {CONFIG}, got {digest}: the "
            "files do not belong together, or one has changed"
        )
    try:
        tensors = unpacked(content)
    except SafetensorError as error:
        raise ValueError(f"{name}: expected tensors in {path / WEIGHTS}, got {error}") from error
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


def _config(name: str, path: Path) -> dict[str, Any]:
    """Return what the configuration holds, its entries checked."""
    try:
        config = json.loads(_read(name, path).decode("utf-8"))
    except ValueError as error:
        raise ValueError(f"{name}: expected JSON in {path}, got {error}") from error
    wanted = {"popsnn": str, "format": int, "network": str, "arguments": dict, "weights": dict}
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
        if not isinstance(value, Tensor) or value.is_meta:
            got = "one without values" if isinstance(value, Tensor) else type(value).__name__
            raise TypeError(f"{name}: {key}: expected a tensor, got {got}")
        tensors[key] = value.detach().cpu().clone(memory_format=torch.contiguous_format)
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
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{name}: arguments: {error}") from error


def _check_shapes(name: str, net: nn.Module, tensors: dict[str, Tensor]) -> None:
    own = net.state_dict()
    for key in sorted(own.keys() | tensors.keys()):
        mine, got = (tuple(each[key].shape) if key in each else "none" for each in (own, tensors))
        if mine != got:
            raise ValueError(
                f"{name}: {key}: expected shape {mine} of the configuration, got {got}"
            )


def _check_same(name: str, net: nn.Module, made: nn.Module) -> None:
    """Raise where the arguments of its constructor do not say all about `net`.

    Parameters
    ----------
    name : str
        What the message begins with.
    net : Module
    made : Module
        What the constructor makes of the arguments.
    """
    for mine, theirs in zip_longest(net.named_modules(), made.named_modules()):
        path, module = mine or ("", None)
        wanted, other = theirs or ("", None)
        if path != wanted or type(module) is not type(other):
            names = [
                type(each).__name__ if each is not None else "none" for each in (module, other)
            ]
            raise ValueError(
                f"{name}: {path or wanted}: expected {names[1]}, what the constructor makes of its "
                f"arguments, got {names[0]}"
            )
        for option, value, expected in _options_of_both(module, other):
            if value != expected:
                where = ".".join(filter(None, (path, option)))
                raise ValueError(
                    f"{name}: {where}: expected {expected!r}, what the constructor makes of its "
                    f"arguments, got {value!r}"
                )


def _options_of_both(module: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the options of two modules of one class: a name, and a value of each."""
    if not isinstance(module, Options):
        yield "", module.extra_repr(), other.extra_repr()
        return
    neuron = getattr(module, "neuron", None)  # whose parameters are options too
    for option in dict.fromkeys((*module._checks, *getattr(neuron, "parameters", ()))):
        if option not in WHERE:
            values = [getattr(each, option, None) for each in (module, other)]
            if not all(isinstance(each, _PLAIN) for each in values):
                values = [type(each) for each in values]  # the values of a tensor are loaded
            yield option, values[0], values[1]


def arguments_of(
    constructor: Callable[..., None], owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """Return the arguments of a constructor by name, as JSON has them, or why it cannot."""
    signature = inspect.signature(constructor)
    try:
        bound = signature.bind(owner, *args, **kwargs)
    except TypeError:
        return {}  # the constructor raises it
    result = {}
    for index, (name, value) in enumerate(bound.arguments.items()):
        kind = signature.parameters[name].kind
        if index == 0:
            continue
        if kind is inspect.Parameter.VAR_KEYWORD:
            result.update({key: encoded(each) for key, each in value.items()})
        elif kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.POSITIONAL_ONLY):
            result[name] = Refused("expected an argument with a name, got one by its position")
        else:
            result[name] = encoded(value)
    return result


def encoded(value: Any) -> Any:
    """Return a value as JSON has it, or `Refused`."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"float": repr(float(value))}
    if isinstance(value, torch.dtype):
        return {"dtype": str(value).split(".")[-1]}
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return _whole(
            [encoded(each) for each in value], "tuple" if isinstance(value, tuple) else ""
        )
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return _whole({key: encoded(each) for key, each in value.items()}, "dict")
    for tag, kind, known in (
        ("surrogate", Surrogate, _surrogates()),
        ("neuron", Neuron, _neurons()),
    ):
        if isinstance(value, kind):
            name = type(value).__name__
            if known.get(name) is type(value):
                return {tag: [name, {key: encoded(each) for key, each in _options(value).items()}]}
            return Refused(f"expected a {tag} of popsnn, which a file can name, got {name}")
    return Refused(
        "expected numbers, strings, dtypes, surrogates, neurons, or lists of them, got "
        f"{type(value).__name__}"
    )


def decoded(value: Any) -> Any:
    """Return what `encoded` got."""
    if isinstance(value, list):
        return [decoded(each) for each in value]
    if not isinstance(value, dict):
        return value
    tag = next(iter(value), None)
    if len(value) != 1 or tag not in _TAGS:
        raise ValueError(f"expected an object with one of {', '.join(_TAGS)}, got {value}")
    inner = value[tag]
    if tag == "tuple":
        return tuple(decoded(inner))
    if tag == "dict":
        return {key: decoded(each) for key, each in inner.items()}
    if tag == "float":
        return float(inner)
    if tag == "dtype":
        dtype = getattr(torch, inner, None)
        if not isinstance(dtype, torch.dtype):
            raise ValueError(f"expected a dtype of torch, got {inner!r}")
        return dtype
    name, options = inner
    known = _surrogates() if tag == "surrogate" else _neurons()
    if name not in known:
        raise ValueError(f"expected one of {', '.join(known)} as {tag}, got {name!r}")
    return known[name](**{key: decoded(each) for key, each in options.items()})


def _whole(value: Any, tag: str) -> Any:
    items = value.values() if isinstance(value, dict) else value
    refused = next((each for each in items if isinstance(each, Refused)), None)
    return refused or ({tag: value} if tag else value)


def _options(value: Any) -> Mapping[str, Any]:
    """Return the arguments of a surrogate or neuron, which are its attributes."""
    return {name: getattr(value, name) for name in inspect.signature(type(value)).parameters}


def _surrogates() -> dict[str, Any]:
    return {kind.__name__: kind for kind in NAMED}


def _neurons() -> dict[str, Any]:
    known = {name: getattr(neurons, name) for name in neurons.__all__}
    return {
        name: kind
        for name, kind in known.items()
        if isinstance(kind, type) and issubclass(kind, Neuron) and kind is not Neuron
    }
