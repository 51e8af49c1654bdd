"""The products of a layer over all its steps at once: its currents, and their gradients.

Rows of spikes and weights are padded to a multiple of 8 elements, so that the tensor cores' loads
are aligned whatever the number of neurons; cuBLAS has its fast kernels for those alone. Of 16 bits
or 32, what is multiplied is summed in float32.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .side_stream import SideStream

ZEROS = -1  # index of a stream next to the caller's


def multiply(a: Tensor, b: Tensor, out: Tensor) -> None:
    """Write a [I, J] times b [J, K], of one type, to out [I, K], summed in float32."""
    if not a.shape[0]:
        return
    if a.dtype == out.dtype:
        torch.mm(a, b, out=out)
    else:
        torch.mm(a, b, out_dtype=out.dtype, out=out)


def currents(
    out: Tensor, x: Tensor, before: Tensor | None, weight: Tensor, delay: int, begin: int, end: int
) -> None:
    """Write the products of the steps from `begin` to before `end` to out, float32 [T, B, N'].

    With a delay and nothing before it, that of the first step is not written.

    Parameters
    ----------
    x : Tensor [T, B, M']
        Padded, as the weight [N', M'] of the same type.
    before : Tensor [B, M'], optional
        What came in the step before the first, where there is a delay; default: nothing.
    delay : {0, 1}
    """
    if begin < delay:
        if before is not None:
            multiply(before, weight.t(), out[0])
        begin = delay
    rows = x[begin - delay : end - delay].flatten(0, 1)
    multiply(rows, weight.t(), out[begin:end].flatten(0, 1))


def input_gradient(
    grad: Tensor, weight: Tensor, delay: int, carried: bool
) -> tuple[Tensor, Tensor | None]:
    """Return the gradients of x [T, B, M'] and, where `carried`, of what came before [B, M'].

    `grad` [T, B, N'] is that of the products, of the type of the weight [N', M'].
    """
    steps, batch, _ = grad.shape
    skipped = 0 if carried else delay  # steps that saw nothing of x
    every = grad.new_empty((steps + delay - skipped, batch, weight.shape[1]))
    side = SideStream(grad.device, ZEROS)
    if delay:
        with side:
            every[steps - skipped].zero_()  # what comes last is read by nobody
    multiply(grad[skipped:].flatten(0, 1), weight, every[: steps - skipped].flatten(0, 1))
    side.join()
    return every[delay - skipped :], every[0] if carried else None


def weight_gradient(
    grad: Tensor, x: Tensor, before: Tensor | None, delay: int, neurons: int, inputs: int
) -> Tensor:
    """Return the gradient of the weight, float32 [neurons, inputs], arguments as above.

    Of a gradient of float32 the rows x may be of bfloat16, which spikes are the same in.
    """
    late = x[: len(x) - delay].flatten(0, 1)
    rows = grad[delay:].flatten(0, 1)
    terms = [(rows, late)] if len(late) else []
    if grad.dtype != x.dtype and terms:
        from ..layer.planes import split_planes  # importing popsnn loads as little as it can

        terms = [(plane, late) for plane in split_planes(rows)]
    if delay and before is not None:
        terms.append((grad[0], before))
    out = grad.new_zeros((grad.shape[2], x.shape[2]), dtype=torch.float32) if not terms else None
    for each, spikes in terms:
        product = grad.new_empty((grad.shape[2], x.shape[2]), dtype=torch.float32)
        multiply(each.t(), spikes, product)
        out = product if out is None else out.add_(product)
    assert out is not None
    return out[:neurons, :inputs].contiguous()


def outer(grad: Tensor, spikes: Tensor, dtype: torch.dtype) -> Tensor:
    """Return the sum over T and B of grad [T, B, N] times spikes [T, B, N], as [N, N]."""
    rows, columns = grad.flatten(0, 1), spikes.flatten(0, 1)
    if dtype == rows.dtype:
        return torch.mm(rows.t(), columns)
    return torch.mm(rows.t(), columns, out_dtype=dtype)


def outer_of_each(grad: Tensor, spikes: Tensor, shifts: int, dtype: torch.dtype) -> Tensor:
    """Return `outer` of grad [T, B, N] and spikes [T + shifts, B, N] from each shift on.

    Shift i, of the first dimension of [shifts, N, N], pairs step t with row t + i. One product of
    all of them, which fills the GPU better.
    """
    steps, batch, neurons = grad.shape
    pitch = spikes.stride(1)
    rows = grad.flatten(0, 1).t().expand(shifts, neurons, steps * batch)
    size, strides = (shifts, steps * batch, neurons), (batch * pitch, pitch, 1)
    columns = spikes.as_strided(size, strides, spikes.storage_offset())
    if dtype == rows.dtype:
        return torch.bmm(rows, columns)
    return torch.bmm(rows, columns, out_dtype=dtype)
