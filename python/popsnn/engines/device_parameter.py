"""DeviceParameter: a parameter whose newest values, or whose gradient, only a device has."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Protocol

import torch
from torch import Tensor, nn

_TENSOR: Any = Tensor  # whose attributes are descriptors of the class
_GRADIENT = _TENSOR.grad.__get__
# What says nothing of a parameter's values, and is asked for in every training step.
_OF_NO_VALUE: frozenset[Callable[..., Any]] = frozenset(
    [
        _TENSOR._backward_hooks.__get__,
        _TENSOR._version.__get__,
        _TENSOR.device.__get__,
        _TENSOR.dtype.__get__,
        _TENSOR.grad.__set__,
        _TENSOR.is_cuda.__get__,
        _TENSOR.is_leaf.__get__,
        _TENSOR.requires_grad.__get__,
        _TENSOR.shape.__get__,
    ]
)


class Holder(Protocol):
    """Owner of the values on its device."""

    def pull(self) -> None:
        """Bring the values to the host."""

    def check_gradient(self) -> None:
        """Raise where a gradient is on the device that no update has used."""


class DeviceParameter(nn.Parameter):
    """A parameter that a device trains: readers of its values on the host get the newest.

    Parameters become and cease to be such by their class alone: `claim` and `release`.
    Whatever torch does with one in Python comes by here first and brings the values. What does not,
    reads the old values: tensors in the same memory, such as a `detach()` from before, functions
    that torch does not override (`torch.tensor`, `torch.func.grad`, `to_dlpack`), other libraries.
    """

    holder: Holder

    @classmethod
    def __torch_function__(
        cls, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if func == _GRADIENT:
            args[0].holder.check_gradient()
        elif func not in _OF_NO_VALUE:
            for one in _found((args, kwargs)):
                one.holder.pull()
        with torch._C.DisableTorchFunctionSubclass():
            return func(*args, **(kwargs or {}))

    def __deepcopy__(self, memo: dict[int, Any]) -> nn.Parameter:
        if id(self) not in memo:
            memo[id(self)] = nn.Parameter(self.detach().clone(), self.requires_grad)
        copied: nn.Parameter = memo[id(self)]
        return copied

    def __reduce_ex__(self, protocol: Any) -> Any:
        return nn.Parameter(self.detach(), self.requires_grad).__reduce_ex__(protocol)


def holder_of(parameter: Tensor) -> Holder | None:
    """Return what has newer values than the host, or the gradient; None where nothing has."""
    return parameter.holder if type(parameter) is DeviceParameter else None


def claim(parameter: nn.Parameter, holder: Holder) -> None:
    """Have everything that reads the parameter ask `holder` first."""
    if holder_of(parameter) is not holder:
        parameter.__class__ = DeviceParameter
        parameter.holder = holder  # type: ignore[attr-defined]


def release(parameter: nn.Parameter, holder: Holder) -> None:
    """Make a plain parameter of it again, where it is the holder's."""
    if holder_of(parameter) is holder:
        del parameter.holder  # type: ignore[attr-defined]
        parameter.__class__ = nn.Parameter


def _found(value: Any) -> Iterator[DeviceParameter]:
    """Yield the parameters of this kind among a call's arguments."""
    if type(value) is DeviceParameter:
        yield value
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _found(one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _found(one)
