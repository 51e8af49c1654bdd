"""Streams of an executable: the parameters that they carry by name, and arrays of tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict

import numpy as np
import torch
from torch import Tensor, nn

from ..nn._parts import learnt_rows
from ..nn._sparse_layer import SparseLayer
from ..nn.sparse_li import SparseLI

if TYPE_CHECKING:
    from ..nn.snn import SNN
    from ..spikes import SpikeTensor

Arrays = Dict[str, "np.ndarray[Any, Any]"]

# The device keeps a weight of 16 bits that it updates as `value + rest / REST_SCALE`
# (codelets/optimizers/masters.hpp); the stream of a rest is named so.
REST = "_rest"
REST_SCALE = np.float32(2048.0)


def check_lists(x: SpikeTensor) -> None:
    """Raise where lists of the input are none.

    The device trusts them: an id out of range would be an address out of range.
    """
    ids, counts = x.ids.numpy(), x.counts.numpy()
    fired, active = counts[..., 0], counts[..., 1]
    wrong = (fired < 0) | (fired > active) | (active > x.capacity)
    if wrong.any():
        raise ValueError(
            f"ipu engine: x: expected counts 0 <= fired <= active <= {x.capacity}, "
            f"got {counts[wrong][0].tolist()}"
        )
    outside = ids.view(np.uint32) >= x.size  # a negative id too
    outside &= np.arange(x.capacity) < active[..., None]
    if outside.any():
        raise ValueError(
            f"ipu engine: x: expected ids in 0..{x.size - 1}, got {int(ids[outside][0])}"
        )


def weights_of(layer: SparseLayer | SparseLI) -> dict[str, nn.Parameter]:
    """Return what a layer's device trains, by the name of its stream."""
    named = {
        "weights": layer.weight,
        "recurrent_weights": getattr(layer, "recurrent_weight", None),
        "bias": layer.bias,
    }
    return {name: parameter for name, parameter in named.items() if parameter is not None}


def learnt_of(layer: SparseLayer | SparseLI) -> dict[str, nn.Parameter]:
    """Return what a layer learns of its neurons, by the name of its stream for an optimizer."""
    return {f"learnt{row}_": parameter for row, parameter in learnt_rows(layer).items()}


def on_device(net: SNN, optimizer: str) -> dict[str, nn.Parameter]:
    """Return the parameters that an executable takes, by stream, layer after layer.

    Weights and biases, and of an `optimizer` other than "none" what it learns of the neurons.
    """
    return {
        f"{name}{index}": parameter
        for index, layer in enumerate(net.stack)
        for name, parameter in {
            **weights_of(layer),
            **({} if optimizer == "none" else learnt_of(layer)),
        }.items()
    }


def float32(tensor: Tensor) -> np.ndarray[Any, Any]:
    """Return a contiguous float32 array of a tensor's values."""
    array: np.ndarray[Any, Any] = tensor.detach().to(torch.float32).contiguous().numpy()
    return array


def by_neuron(parameter: Tensor) -> np.ndarray[Any, Any]:
    """Return a parameter [N, M] or [N] as the device has it: [M, N] or [1, N]."""
    return float32(parameter.t() if parameter.dim() == 2 else parameter.unsqueeze(0))


def halves(array: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return the nearest halves, and what rounding took times REST_SCALE, of float32 weights."""
    with np.errstate(over="ignore", invalid="ignore"):  # beyond 65504 is infinite, as in torch
        value = array.astype(np.float16)
        rest = (array - value.astype(np.float32)) * REST_SCALE
        return value, rest.astype(np.float16)


def joined(value: np.ndarray[Any, Any], rest: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return float32 weights that `halves` takes apart to the same two."""
    rounded = value.astype(np.float32)
    whole = rounded + rest.astype(np.float32) / REST_SCALE
    # In the middle between two halves it could go to the other one.
    return np.where(whole.astype(np.float16) == value, whole, np.nextafter(whole, rounded))


def as_parameter(array: np.ndarray[Any, Any], shape: torch.Size) -> Tensor:
    """Return what the device has, [M, N] or [1, N], in the shape of a parameter."""
    return torch.from_numpy(array).t().reshape(shape)


def int32(array: np.ndarray[Any, Any]) -> Tensor:
    """Return a tensor of 32-bit integers with an array's values."""
    return torch.from_numpy(array.astype(np.int32))
