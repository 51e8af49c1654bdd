"""Calls into torch that a device computes differently, or refuses as it compiles."""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch import Tensor
from torch.nn import functional

from .._context import Run
from .._errors import Error

Call = Callable[..., Any]


def device_call(function: Any, run: Run) -> Call | None:
    """Return what runs in place of a function of torch on a device; None where that itself does."""
    call = _CALLS.get(function)
    return None if call is None else lambda *args, **named: call(run, *args, **named)


def _affine(x: Tensor, parameter: Tensor | None) -> Tensor | None:
    """Return a parameter of a norm, rounded to the type of its input, as PopTorch casts it."""
    return None if parameter is None else parameter.to(x.dtype).float()


def _batch_norm(
    run: Run,
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """Normalise channels; running statistics move in training alone, whatever the module's mode."""
    moved = (running_mean, running_var)
    kept: list[Any] = [None if value is None else value.float() for value in moved]
    if training and not run.training:
        kept = [None, None]
    gain, offset = _affine(input, weight), _affine(input, bias)
    out = functional.batch_norm(
        input.float(), kept[0], kept[1], gain, offset, training, momentum, eps
    )
    for value, new in zip(moved, kept) if training and run.training else ():
        if value is not None and value is not new:  # of another type than float
            value.copy_(new)
    return out.to(input.dtype)


def _group_norm(
    run: Run,
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Any:
    """Normalise groups of channels: neighbours, or those that are `num_groups` apart.

    popnn has both, in `lib/popnn/GroupNorm.cpp`: `groupActs`.
    """
    channels = input.shape[1]
    value = input.float()
    order = torch.arange(channels)
    if run.strided_groups and channels % num_groups == 0:
        order = order.reshape(-1, num_groups).t().reshape(-1)
    out = functional.group_norm(value[:, order], num_groups, None, None, eps)
    out = out[:, torch.argsort(order)]
    shape = [1, channels] + [1] * (input.dim() - 2)
    gain, offset = _affine(input, weight), _affine(input, bias)
    out = out if gain is None else out * gain.reshape(shape)
    out = out if offset is None else out + offset.reshape(shape)
    return out.to(input.dtype)


def _layer_norm(
    run: Run,
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Any:
    gain, offset = _affine(input, weight), _affine(input, bias)
    out = functional.layer_norm(input.float(), normalized_shape, gain, offset, eps)
    return out.to(input.dtype)


def _instance_norm(
    run: Run,
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """Normalise each channel of each sample; running statistics move in training alone.

    torch takes it apart into a batch norm before PopTorch sees it, so that the rules are those.
    """
    moved = (running_mean, running_var)
    kept: list[Any] = [None if value is None else value.float() for value in moved]
    moves = use_input_stats and run.training
    if use_input_stats and not run.training:
        kept = [None, None]
    gain, offset = _affine(input, weight), _affine(input, bias)
    out = functional.instance_norm(
        input.float(), kept[0], kept[1], gain, offset, use_input_stats, momentum, eps
    )
    for value, new in zip(moved, kept) if moves else ():
        if value is not None and value is not new:  # of another type than float
            value.copy_(new)
    return out.to(input.dtype)


def _without_cudnn(call: Call) -> Call:
    """Return a call that takes the last argument of torch's own function too."""

    def called(run: Run, *args: Any, **named: Any) -> Any:
        named.pop("cudnn_enabled", named.pop("cudnn_enable", None))
        if args and isinstance(args[-1], bool) and isinstance(args[-2], float):
            args = args[:-1]
        return call(run, *args, **named)

    return called


def _torch_batch_norm(run: Run, input: Tensor, weight: Any, bias: Any, *others: Any) -> Any:
    mean, variance, training, momentum, eps = others[:5]
    return _batch_norm(run, input, mean, variance, weight, bias, training, momentum, eps)


def _torch_instance_norm(run: Run, input: Tensor, weight: Any, bias: Any, *others: Any) -> Any:
    mean, variance, own, momentum, eps = others[:5]
    return _instance_norm(run, input, mean, variance, weight, bias, own, momentum, eps)


def _one_hot(run: Run, input: Tensor, num_classes: int = -1) -> Tensor:
    """Return 1 at each index; one beyond the classes has none."""
    if num_classes == -1:
        raise Error("OneHot num classes must be specified and must be constant.")
    return (input.unsqueeze(-1) == torch.arange(num_classes)).to(input.dtype)


def _bincount(run: Run, input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """Count the numbers below `minlength`."""
    if minlength <= 0:
        raise Error(
            "Bincount `minlength` must be specified and must be a constant. On the IPU MK2 "
            "platform the minimum length is also the maximum length"
        )
    return torch.bincount(input, weights, minlength)[:minlength]


def _interpolate(run: Run, input: Tensor, *args: Any, **named: Any) -> Any:
    mode = named.get("mode", args[2] if len(args) > 2 else "nearest")
    if mode in ("linear", "trilinear"):
        kind = f"aten::upsample_{mode}{input.dim() - 2}d"
        raise Error(f"Unsupported upsample mode {kind}: currently only 'nearest' is supported")
    return functional.interpolate(input, *args, **named)


def _index(run: Run, tensor: Tensor, index: Any) -> Any:
    for part in index if isinstance(index, tuple) else (index,):
        is_mask = isinstance(part, Tensor) and part.dtype in (torch.bool, torch.uint8)
        if is_mask and part.dim() and run.graph is not None and run.graph.name_of(part) is not None:
            _refuse_size(torch.ops.aten.index.Tensor)
    return Tensor.__getitem__(tensor, index)


def _refuse_size(function: Any) -> Any:
    """Refuse a result whose shape depends on values, as PyTorch's tensors without values do.

    Raises
    ------
    torch._subclasses.fake_tensor.DynamicOutputShapeException
    """
    from torch._subclasses.fake_tensor import DynamicOutputShapeException

    raise DynamicOutputShapeException(function)


def _nonzero(run: Run, input: Tensor, *args: Any, **named: Any) -> Any:
    raise Error(
        "Operations using aten::nonzero are unsupported because the output shape is determined by "
        "the tensor values. The IPU cannot support dynamic output shapes."
    )


def _masked_select(run: Run, *args: Any, **named: Any) -> Any:
    return _refuse_size(torch.ops.aten.masked_select.default)


_CALLS: dict[Any, Call] = {
    functional.batch_norm: _batch_norm,
    functional.group_norm: _group_norm,
    functional.instance_norm: _instance_norm,
    functional.interpolate: _interpolate,
    functional.layer_norm: _layer_norm,
    functional.one_hot: _one_hot,
    functional.upsample: _interpolate,
    torch.Tensor.__getitem__: _index,
    torch.Tensor.bincount: _bincount,
    torch.Tensor.masked_select: _masked_select,
    torch.Tensor.nonzero: _nonzero,
    torch.argwhere: _nonzero,
    torch.batch_norm: _torch_batch_norm,
    torch.bincount: _bincount,
    torch.group_norm: _without_cudnn(_group_norm),
    torch.instance_norm: _torch_instance_norm,
    torch.layer_norm: _without_cudnn(_layer_norm),
    torch.masked_select: _masked_select,
    torch.nonzero: _nonzero,
}
