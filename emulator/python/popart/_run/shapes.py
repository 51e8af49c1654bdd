"""Types and shapes of a model's tensors: what it gives for inputs of zeros."""

from __future__ import annotations

from typing import Any, Iterable, Mapping

import torch

from .._build import proto
from .._native import popart_exception
from .._ops.registry import Pass
from .._settings.tensorinfo import TYPES, WIDER, TensorInfo, info_of, to_torch
from .program import program_of


def infos(
    model: Any,
    only: Iterable[str] | None = None,
    training: bool = False,
    given: Mapping[str, TensorInfo] | None = None,
    shapes: Mapping[str, list[int]] | None = None,
) -> dict[str, TensorInfo]:
    """Return type and shape of all tensors, or of those that some need.

    Parameters
    ----------
    model : ModelProto
    only : iterable of str, optional
    training : bool
    given : mapping of str to TensorInfo, optional
        Of inputs whose description has no shape, or another.
    shapes : mapping of str to list of int, optional
        Of weights that replicas hold parts of.

    Raises
    ------
    popart_exception
        Where an input has no shape, or an operator refuses its inputs.
    """
    program = program_of(model)
    values: dict[str, torch.Tensor] = {}
    named: dict[str, str] = {}
    for name, tensor in program.weights.items():
        array = proto.array_of(tensor)
        info = TensorInfo(array)
        named[name] = info.data_type()
        values[name] = to_torch(array, info.data_type())
        if shapes and name in shapes:
            values[name] = values[name].reshape(-1)[: TensorInfo("FLOAT", shapes[name]).nelms()]
            values[name] = values[name].reshape(shapes[name])
    for item in model.graph.input:
        if item.name in values:
            continue
        found = (given or {}).get(item.name) or proto.info_of_value(item)
        if found is None:
            raise popart_exception(f"input {item.name!r}: expected a type and a shape, got none")
        named[item.name] = found.data_type()
        values[item.name] = torch.zeros(found.shape(), dtype=TYPES[found.data_type()][1])
    with torch.no_grad(), torch.random.fork_rng(devices=[]):
        state = Pass(training, dry=True)
        state.types.update((name, kind) for name, kind in named.items() if kind in WIDER)
        scope = program.run(values, state, only=only)
    named.update(state.types)
    order = sorted(TYPES, key=lambda name: name.startswith("UINT") and name != "UINT8")
    return {
        name: TensorInfo(named[name], list(value.shape)) if name in named else info_of(value, order)
        for name, value in scope.items()
    }
