"""The products of a layer over all its steps at once: its currents, and their gradients.

Rows of spikes and weights are padded to a multiple of 8 elements, so that the tensor cores' loads
are aligned whatever the number of neurons; cuBLAS has its fast kernels for those alone. Of 16 bits
or 32, what is multiplied is summed in float32.

Large products of float32 are those of terms of bfloat16, `planes.py`: spikes are one, weights and
gradients three, or two for the bits of TF32. On an H200 three take less time than the CUDA cores,
and their errors are smaller: of 4,800 rows, 1,472 neurons and 2,312 inputs 173 us for 682, 3.6e-8
for 1.2e-7.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .properties import capability
from .side_stream import SideStream

ZEROS = -1  # index of a stream next to the caller's
PLANES = 3  # terms of bfloat16 that are a number of float32: kPlanesOfFloat
PLANES_OF_TF32 = 2  # that have 16 bits, for the 11 of TF32 or float16
# Multiplications of a product of float32 from which terms of bfloat16 take less time, and neurons
# on both sides. On an H200, of 2,400 rows, 512 neurons and 704 inputs (2^29.7): 31 us for 66.
FEWEST_MULTIPLICATIONS = 1 << 29
FEWEST_NEURONS = 128
# Compute capabilities whose tensor cores multiply bfloat16 16 times as fast as float32 is; those of
# other cards are at most four times as fast.
TENSOR_CORES = ((8, 0), (9, 0), (10, 0), (10, 3))
# torch.mm takes `out_dtype` from 2.8 on: products of 16 bits, summed and returned in float32.
WIDE_SUMS = tuple(int(part) for part in torch.__version__.split(".")[:2]) >= (2, 8)


def takes_terms(dtype: torch.dtype, device: torch.device, rows: int, n: int, m: int) -> bool:
    """Return whether products of `rows` rows with a weight [N, M] are those of terms."""
    return (
        dtype == torch.float32
        and rows * n * m >= FEWEST_MULTIPLICATIONS
        and min(n, m) >= FEWEST_NEURONS
        and WIDE_SUMS
        and capability(device) in TENSOR_CORES
    )


def _operands(a: Tensor, b: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Return operands whose product torch sums in a type: older releases have no `out_dtype`."""
    return (a, b) if WIDE_SUMS or a.dtype == dtype else (a.to(dtype), b.to(dtype))


def multiply(a: Tensor, b: Tensor, out: Tensor, add: bool = False) -> None:
    """Write a [I, J] times b [J, K], of one type, to out [I, K], summed in float32, or add it."""
    if not a.shape[0]:
        return
    a, b = _operands(a, b, out.dtype)
    to: dict[str, Any] = {} if a.dtype == out.dtype else {"out_dtype": out.dtype}
    if add:
        torch.addmm(out, a, b, **to, out=out)
    else:
        torch.mm(a, b, **to, out=out)


def multiply_terms(a: Tensor, b: Tensor, out: Tensor) -> None:
    """Write the product of sums of terms, a [terms, I, J] and b [terms, J, K], to out [I, K].

    Without products of terms that are beyond the bits of the longer sum.
    """
    most = max(len(a), len(b))
    pairs = [(i, j) for i in range(len(a)) for j in range(len(b)) if i + j < most]
    for i, j in pairs:
        multiply(a[i], b[j], out, add=i + j > 0)


def currents(
    out: Tensor,
    x: Tensor,
    before: Tensor | None,
    weight: Tensor,
    delay: int,
    begin: int,
    end: int,
    terms: Tensor | None = None,
) -> None:
    """Write the products of the steps from `begin` to before `end` to out, float32 [T, B, N'].

    With a delay and nothing before it, that of the first step is not written.

    Parameters
    ----------
    x : Tensor [T, B, M']
        Padded, as the weight [N', M'] of the same type; with terms 0 or 1.
    before : Tensor [B, M'], optional
        What came in the step before the first, where there is a delay; default: nothing. Of the
        weight's type.
    delay : {0, 1}
    terms : bfloat16 Tensor [terms, N', M'], optional
        Those of the weight, to multiply instead.
    """
    if begin < delay:
        if before is not None:
            multiply(before, weight.t(), out[0])
        begin = delay
    rows = x[begin - delay : end - delay].flatten(0, 1)
    to = out[begin:end].flatten(0, 1)
    if terms is None:
        multiply(rows, weight.t(), to)
    else:
        multiply_terms(rows.to(terms.dtype)[None], terms.mT, to)


def input_gradient(
    grad: Tensor, weight: Tensor, delay: int, carried: bool, planes: int = PLANES
) -> tuple[Tensor, Tensor | None]:
    """Return the gradients of x [T, B, M'] and, where `carried`, of what came before [B, M'].

    `grad` [T, B, N'] is that of the products, of the type of the weight [N', M']. Products of terms
    take so many `planes` of each.
    """
    steps, batch, _ = grad.shape
    skipped = 0 if carried else delay  # steps that saw nothing of x
    every = grad.new_empty((steps + delay - skipped, batch, weight.shape[1]))
    side = SideStream(grad.device, ZEROS)
    if delay:
        with side:
            every[steps - skipped].zero_()  # what comes last is read by nobody
    rows, to = grad[skipped:].flatten(0, 1), every[: steps - skipped].flatten(0, 1)
    if takes_terms(grad.dtype, grad.device, len(rows), *weight.shape):
        from .planes import split_planes  # importing popsnn loads as little as it can

        multiply_terms(split_planes(rows, planes), split_planes(weight, planes), to)
    else:
        multiply(rows, weight, to)
    side.join()
    return every[delay - skipped :], every[0] if carried else None


def weight_gradient(
    grad: Tensor,
    x: Tensor,
    before: Tensor | None,
    delay: int,
    neurons: int,
    inputs: int,
    planes: int = PLANES,
) -> Tensor:
    """Return the gradient of the weight, float32 [neurons, inputs], arguments as above.

    Of a gradient of float32 the rows x may be of bfloat16, which spikes are the same in; what came
    before has the gradient's type.
    """
    late = x[: len(x) - delay].flatten(0, 1)
    rows = grad[delay:].flatten(0, 1)
    out = grad.new_empty((grad.shape[2], x.shape[2]), dtype=torch.float32)
    if not len(late):
        out.zero_()
    elif grad.dtype == x.dtype:
        multiply(rows.t(), late, out)
    else:
        from .planes import split_planes  # importing popsnn loads as little as it can

        multiply_terms(split_planes(rows, planes).mT, late[None], out)
    if delay and before is not None:
        multiply(grad[0].t(), before, out, add=True)
    return out[:neurons, :inputs].contiguous()


def outer(grad: Tensor, spikes: Tensor, dtype: torch.dtype) -> Tensor:
    """Return the sum over T and B of grad [T, B, N] times spikes [T, B, N], as [N, N]."""
    rows, columns = _operands(grad.flatten(0, 1), spikes.flatten(0, 1), dtype)
    if dtype == rows.dtype:
        return torch.mm(rows.t(), columns)
    return torch.mm(rows.t(), columns, out_dtype=dtype)


def outer_of_each(grad: Tensor, spikes: Tensor, shifts: int, dtype: torch.dtype) -> Tensor:
    """Return `outer` of grad [T, B, N] and spikes [T + shifts, B, N] from each shift on.

    Shift i, of the first dimension of [shifts, N, N], pairs step t with row t + i. One product of
    all of them, which fills the GPU better.
    """
    grad, spikes = _operands(grad, spikes, dtype)
    steps, batch, neurons = grad.shape
    pitch = spikes.stride(1)
    rows = grad.flatten(0, 1).t()
    size, strides = (shifts, steps * batch, neurons), (batch * pitch, pitch, 1)
    return multiply_each(rows, spikes.as_strided(size, strides, spikes.storage_offset()), dtype)


def multiply_each(a: Tensor, b: Tensor, dtype: torch.dtype) -> Tensor:
    """Return the products of a [I, J] and each of b [S, J, K], of one type, summed in `dtype`."""
    a, b = _operands(a, b, dtype)
    a = a.expand(len(b), *a.shape)
    if dtype == a.dtype:
        return torch.bmm(a, b)
    return torch.bmm(a, b, out_dtype=dtype)
