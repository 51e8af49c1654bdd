"""Layers of an SNN as records of `config.json`: the arguments of their constructors as they are."""

from __future__ import annotations

import inspect
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

from torch import Tensor, nn

from ..delays import Delays
from ..homeostasis import Homeostasis
from ..sparse_li import SparseLI
from ..sparse_lif import SparseLIF
from ..sparse_neurons import SparseNeurons
from . import Pretrained
from .values import decoded, encoded

if TYPE_CHECKING:
    from ..snn import SNN

Network = TypeVar("Network", bound=Pretrained)

LAYERS: dict[str, Any] = {kind.__name__: kind for kind in (SparseLIF, SparseNeurons, SparseLI)}
OPTIONS = ("seed", "check_input", "checkpoint_interval", "precision")
CHANGES = ("backend", "device", *OPTIONS)
DELAYS = ("kind", "maximum", "minimum", "learn", "spread", "width")


def configuration(net: SNN) -> dict[str, Any]:
    """Return the arguments of a network: its layers and its options."""
    operation = f"{type(net).__name__}.save_pretrained"
    layers = [
        _record(operation, f"layers.{index}", layer) for index, layer in enumerate(net.layers)
    ]
    return {"layers": layers, **{name: getattr(net, name) for name in OPTIONS}}


def network(
    cls: type[Network],
    arguments: dict[str, Any],
    tensors: dict[str, Tensor],
    changes: dict[str, Any],
) -> Network:
    """Return a network of such arguments; parameters that are learnt have other values yet."""
    for name in changes:
        if name not in CHANGES:
            raise ValueError(f"expected a change of {', '.join(CHANGES)}, got {name!r}")
    layers = [_layer(record, tensors) for record in arguments["layers"]]
    # An earlier version has saved fewer.
    options = {name: arguments[name] for name in OPTIONS if name in arguments}
    return cls(*layers, **{**options, **changes})


def _record(operation: str, path: str, layer: Any) -> dict[str, Any]:
    kind = type(layer)
    if LAYERS.get(kind.__name__) is not kind:
        wanted = ", ".join(LAYERS)
        raise TypeError(
            f"{operation}: argument {path}: expected one of {wanted}, got {kind.__name__}"
        )
    record: dict[str, Any] = {"type": kind.__name__}
    for name in inspect.signature(kind).parameters:
        if name == "bias":
            record[name] = layer.bias is not None
        elif name == "parameters":
            record[name] = {
                each: _number(operation, path, layer, each) for each in layer.model.parameters
            }
        elif name == "learn":
            record[name] = [each for each in layer.model.parameters if _learnt(layer, each)]
        elif name.startswith("learn_"):
            record[name] = _learnt(layer, name[len("learn_") :])
        else:
            record[name] = _number(operation, path, layer, name)
    return record


def _learnt(layer: nn.Module, name: str) -> bool:
    return isinstance(getattr(layer, name), nn.Parameter)


def _number(operation: str, path: str, layer: nn.Module, name: str) -> Any:
    """Return an option, or where among the tensors its values are."""
    value = getattr(layer, name)
    if isinstance(value, Delays):
        options = {each: getattr(value, each) for each in DELAYS}
        return {"delays": options, "steps": {"tensor": f"{path}.{name}.steps"}}
    if name == "homeostasis" and value is not None:
        return {name: {each: encoded(number) for each, number in asdict(value).items()}}
    if isinstance(value, Tensor):
        return {"tensor": f"{path}.{name}"}
    try:
        return encoded(value)
    except TypeError as error:
        raise TypeError(f"{operation}: argument {path}.{name}: {error}") from error


def _layer(record: dict[str, Any], tensors: dict[str, Tensor]) -> nn.Module:
    options = dict(record)
    name = options.pop("type")
    if name not in LAYERS:
        raise ValueError(f"expected one of {', '.join(LAYERS)}, got {name!r}")
    # Values that are learnt come later: they may lie beyond what a constructor takes, and a
    # threshold that is learnt below the gradient threshold.
    learnt = {each[len("learn_") :] for each, value in options.items() if _is_learnt(each, value)}
    learnt.update(options.get("learn", ()))
    grad_threshold = options.pop("grad_threshold", None)
    parameters = options.pop("parameters", None)
    values = _values(options, learnt, tensors)
    if parameters is not None:
        values["parameters"] = _values(parameters, learnt, tensors)
    layer: Any = LAYERS[name](**values)
    if grad_threshold is not None:
        layer.grad_threshold = decoded(grad_threshold)
    moved: nn.Module = layer.to(layer.weight.device)  # which is the default device
    return moved


def _is_learnt(name: str, value: Any) -> bool:
    return name.startswith("learn_") and value is True


def _values(
    options: dict[str, Any], learnt: set[str], tensors: dict[str, Tensor]
) -> dict[str, Any]:
    return {name: _value(value, tensors) for name, value in options.items() if name not in learnt}


def _value(value: Any, tensors: dict[str, Tensor]) -> Any:
    if isinstance(value, dict) and "tensor" in value:
        return tensors[value["tensor"]]
    if isinstance(value, dict) and "homeostasis" in value:
        numbers = value["homeostasis"].items()
        return Homeostasis(**{each: decoded(number) for each, number in numbers})
    if not isinstance(value, dict) or "delays" not in value:
        return decoded(value)
    options, steps = dict(value["delays"]), tensors[value["steps"]["tensor"]]
    if options["learn"]:  # which may lie beyond the range, and come later as they are
        steps = steps.clamp(options["minimum"], options["maximum"])
    return Delays(steps=steps, **options)
