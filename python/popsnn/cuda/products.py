"""The products of a layer over all its steps at once: its currents, and their gradients.

Rows of spikes and weights are padded to a multiple of 16 elements, so that the tensor cores' loads
are aligned whatever the number of neurons. Of 16 bits or 32, what is multiplied is summed in
float32.
"""

from __future__ import annotations

import torch
from torch import Tensor

LANES = 16  # what rows are padded to a multiple of: kLanes of the widest kernel


def padded(size: int) -> int:
    """Return the elements of a row of `size` neurons."""
    return -(-size // LANES) * LANES


def pad_rows(x: Tensor, dtype: torch.dtype) -> Tensor:
    """Return x [..., M] in type `dtype` with zeros behind each row, [..., padded(M)]."""
    size = x.shape[-1]
    if padded(size) == size:
        return x.to(dtype).contiguous()
    wide = x.new_zeros((*x.shape[:-1], padded(size)), dtype=dtype)
    wide[..., :size] = x
    return wide


def pad_weight(weight: Tensor, dtype: torch.dtype) -> Tensor:
    """Return weight [N, M] in type `dtype` with zeros around, [padded(N), padded(M)]."""
    rows, columns = weight.shape
    if weight.dtype == dtype and (padded(rows), padded(columns)) == (rows, columns):
        return weight.detach().contiguous()
    wide = weight.new_zeros((padded(rows), padded(columns)), dtype=dtype)
    wide[:rows, :columns] = weight.detach()
    return wide


def multiply(a: Tensor, b: Tensor, out: Tensor) -> None:
    """Write a [I, J] times b [J, K], of one type, to out [I, K], summed in float32."""
    if not a.shape[0]:
        return
    if a.dtype == out.dtype:
        torch.mm(a, b, out=out)
    else:
        torch.mm(a, b, out_dtype=out.dtype, out=out)


def currents(x: Tensor, before: Tensor | None, weight: Tensor, delay: int) -> Tensor:
    """Return the product of every step, float32 [T, B, N'].

    Parameters
    ----------
    x : Tensor [T, B, M']
        Padded, as the weight [N', M'] of the same type.
    before : Tensor [B, M'], optional
        What came in the step before the first, where there is a delay; default: nothing.
    delay : {0, 1}
    """
    steps, batch, _ = x.shape
    out = x.new_empty((steps, batch, weight.shape[0]), dtype=torch.float32)
    if delay:
        if before is None:
            out[0].zero_()
        else:
            multiply(before, weight.t(), out[0])
    multiply(x[: steps - delay].flatten(0, 1), weight.t(), out[delay:].flatten(0, 1))
    return out


def input_gradient(grad: Tensor, weight: Tensor, delay: int) -> tuple[Tensor, Tensor]:
    """Return the gradients of x [T, B, M'] and, with a delay, of what came before [B, M'].

    `grad` [T, B, N'] is that of the products, of the type of the weight [N', M'].
    """
    steps, batch, _ = grad.shape
    every = grad.new_empty((steps + delay, batch, weight.shape[1]))
    multiply(grad.flatten(0, 1), weight, every[:steps].flatten(0, 1))
    if delay:
        every[steps].zero_()  # what comes last is read by nobody
    return every[delay:], every[0]


def weight_gradient(
    grad: Tensor, x: Tensor, before: Tensor | None, delay: int, neurons: int, inputs: int
) -> Tensor:
    """Return the gradient of the weight, float32 [neurons, inputs], arguments as above."""
    steps = len(x)
    out = grad.new_empty((neurons, inputs), dtype=torch.float32)
    if steps == delay:
        out.zero_()
    rows = grad[delay:].flatten(0, 1)[:, :neurons]
    multiply(rows.t(), x[: steps - delay].flatten(0, 1)[:, :inputs], out)
    if delay and before is not None:
        first = torch.empty_like(out)
        multiply(grad[0][:, :neurons].t(), before[:, :inputs], first)
        out += first
    return out
