"""Delays of a layer's input on the cuda engine.

Axonal delays move the input's rows before the product, and dendritic delays its result.
Synaptic delays are a product for each tap in use, of weights that the tap scales.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .. import cuda
from ..cuda.events.events import Lists
from ..cuda.layer.delayed import delays_unsupported
from ..cuda.layer.padded_rows import pad_rows
from ..cuda.layer.products import layer_product
from ..cuda.layer.weight import LayerWeight, layer_weight
from ..functional import DelaySteps, SparseState, last_steps
from ..nn._sparse_layer import SparseLayer
from ..nn.delays import Delays
from ..nn.sparse_li import SparseLI


def unsupported_delay(layer: SparseLayer | SparseLI, device: torch.device) -> str | None:
    """Return why the kernels cannot delay a layer's input, or None where they can."""
    delays = layer.delay
    if not isinstance(delays, Delays) or delays.kind == "synaptic":
        return None
    return delays_unsupported(device, _spreading(delays.now()))


def _spreading(delay: DelaySteps) -> cuda.Spreading:
    return cuda.Spreading(*delay[2:])


def axonal(
    delays: Delays, x: Tensor | Lists, state: SparseState | None, dtype: torch.dtype
) -> Tensor:
    """Return the input's rows [T, B, P of M], each neuron's delayed, in the products' type."""
    rows = x.rows(dtype) if isinstance(x, Lists) else x
    now = delays.now()
    return cuda.delayed(rows, now.steps, _spreading(now), _before(state, dtype))


def late_product(
    delays: Delays,
    weight: LayerWeight,
    x: Tensor | Lists,
    state: SparseState | None,
    dtype: torch.dtype,
) -> Tensor:
    """Return the product with dendritic or synaptic delays, float32 [T, B, P of N]."""
    now, before = delays.now(), _before(state, dtype)
    if delays.kind == "dendritic":
        earlier = None if before is None else layer_product(before, weight)
        return cuda.delayed(layer_product(x, weight), now.steps, _spreading(now), earlier)
    rows = x.rows(dtype) if isinstance(x, Lists) else x
    if before is None:
        before = rows.new_zeros((now.maximum, *rows.shape[1:]))
    line = torch.cat([before, rows])  # [D + T, B, P]
    weight.wait_for_weight()
    taps = now.taps()
    total: Tensor | None = None
    for k in delays.taps_in_use():
        of_tap = layer_weight(weight.weight * taps[k], dtype, weight.side)
        product = layer_product(line[now.maximum - k : len(line) - k], of_tap)
        total = product if total is None else total + product
    assert total is not None
    return total


def last_inputs(
    x: Tensor | Lists, layer: SparseLayer | SparseLI, state: SparseState | None
) -> Tensor | None:
    """Return the inputs of the last steps that a layer's delays read, float32 [D, B, M]."""
    if not isinstance(layer.delay, Delays):
        return None
    most = layer.delay.maximum
    if isinstance(x, Lists):
        x = Lists(x.ids[-most:], x.counts[-most:], x.size).rows(torch.float32)
    rows = x[-most:, :, : layer.in_features].float()
    return last_steps(rows, None if state is None else state.inputs, most)


def _before(state: SparseState | None, dtype: torch.dtype) -> Tensor | None:
    if state is None or state.inputs is None:
        return None
    return pad_rows(state.inputs, dtype)
