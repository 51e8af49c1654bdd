"""Layouts: the memory order of a current [T, B, ...], and tensors in it as [T, N] and back."""

from __future__ import annotations

import torch
from torch import Tensor


def memory_order(x: Tensor) -> list[int] | None:
    """Return the dimensions 1, 2, ... of x as they lie in memory, outermost first.

    None stands for 1, 2, ...; where x is not dense with time as its outermost dimension the order
    is that too, and the caller must copy.
    """
    if x.is_contiguous():
        return None
    stride = x.stride()
    order = sorted(range(1, x.dim()), key=lambda i: (-stride[i], i))
    return order if x.permute(0, *order).is_contiguous() else None


def shaped(tensor: Tensor, inside: torch.Size, order: list[int] | None) -> Tensor:
    """Return [T, N] as [T, B, ...]."""
    tensor = tensor.view(tensor.shape[0], *inside)
    if order is None:
        return tensor
    back = [0] * len(order)
    for index, dimension in enumerate(order):
        back[dimension - 1] = index + 1
    return tensor.permute(0, *back)


def _inner(tensor: Tensor, order: list[int] | None) -> Tensor:
    """Return [B, ...] with its dimensions as the memory of the current has them."""
    return tensor if order is None else tensor.permute(*(i - 1 for i in order))


def flat_state(tensor: Tensor, order: list[int] | None) -> Tensor:
    """Return a state [B, ...] as float32 [N], in the memory order of the current."""
    return _inner(tensor, order).to(torch.float32).reshape(-1)


def flat_parameter(p: Tensor, inside: torch.Size, order: list[int] | None) -> tuple[Tensor, int]:
    """Return the elements of p and how many neurons in a row of memory have the same.

    `p` must broadcast to [B, ...], and `inside` is [B, ...] as it lies in memory. Where the
    elements repeat otherwise than the whole of p over and over, each for as many neurons, p is
    expanded.
    """
    p = p.to(torch.float32)
    p = _inner(p.reshape((1,) * (len(inside) - p.dim()) + tuple(p.shape)), order)
    varies = [i for i, size in enumerate(p.shape) if size > 1]
    if not varies:
        return p.reshape(1), 1
    first, last = varies[0], varies[-1]
    p = p.reshape(p.shape[first : last + 1]).expand(inside[first : last + 1])
    return p.reshape(-1).contiguous(), inside[last + 1 :].numel()


def laid_out(tensor: Tensor, x: Tensor) -> Tensor:
    """Return a tensor of the shape of x in the memory order of x, which is dense."""
    if x.is_contiguous():
        return tensor.contiguous()
    return tensor if tensor.stride() == x.stride() else torch.empty_like(x).copy_(tensor)


def alike(x: Tensor, *grads: Tensor | None) -> bool:
    """Return whether gradients are one step over and over, as those of a mean over time are."""
    if x.shape[0] <= 1:
        return False
    for grad in grads:  # noqa: SIM110  # `all` of a generator takes half a microsecond more
        if grad is not None and grad.stride(0) != 0:
            return False
    return True


def rows_like(grad: Tensor | None, x: Tensor, one: bool) -> Tensor | None:
    """Return a gradient in the memory order of x; only its first step where all are that `one`."""
    if grad is None:
        return None
    return laid_out(grad[:1], x[:1]) if one else laid_out(grad, x)
