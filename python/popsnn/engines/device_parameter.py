"""DeviceParameter: a parameter with newer values, or a gradient, on a device."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Protocol

import torch
from torch import Tensor, nn

_TENSOR: Any = Tensor  # whose attributes are descriptors of the class
_GRADIENT = _TENSOR.grad.__get__
# Metadata: these do not read the values. A training step reads some of them.
_METADATA: frozenset[Callable[..., Any]] = frozenset(
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


class Owner(Protocol):
    """An object that trains parameters on a device."""

    def pull(self) -> None:
        """Copy the device's values to the host."""

    def check_gradient(self) -> None:
        """Raise if the device has a gradient that no update has used."""


class DeviceParameter(nn.Parameter):
    """A parameter whose reads on the host first copy the values from the device.

    `claim` and `release` change the class of an existing parameter, so every reference to it sees
    the change. All functions of torch that call `__torch_function__` copy the values first. These
    read the old values: older tensors on the same memory, such as an earlier `detach()`;
    functions without `__torch_function__` (`torch.tensor`, `torch.func.grad`, `to_dlpack`); other
    libraries.
    """

    owner: Owner

    @classmethod
    def __torch_function__(
        cls, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if func == _GRADIENT:
            args[0].owner.check_gradient()
        elif func not in _METADATA:
            for parameter in _device_parameters((args, kwargs)):
                parameter.owner.pull()
        with torch._C.DisableTorchFunctionSubclass():
            return func(*args, **(kwargs or {}))

    def __deepcopy__(self, memo: dict[int, Any]) -> nn.Parameter:
        if id(self) not in memo:
            memo[id(self)] = nn.Parameter(self.detach().clone(), self.requires_grad)
        copied: nn.Parameter = memo[id(self)]
        return copied

    def __reduce_ex__(self, protocol: Any) -> Any:
        return nn.Parameter(self.detach(), self.requires_grad).__reduce_ex__(protocol)


def owner_of(parameter: Tensor) -> Owner | None:
    """Return the owner of newer values or of a gradient; None for a plain parameter."""
    return parameter.owner if type(parameter) is DeviceParameter else None


def claim(parameter: nn.Parameter, owner: Owner) -> None:
    """Make reads of the parameter pull from `owner` first."""
    if owner_of(parameter) is not owner:
        parameter.__class__ = DeviceParameter
        parameter.owner = owner  # type: ignore[attr-defined]


def release(parameter: nn.Parameter, owner: Owner) -> None:
    """Make the parameter a plain `nn.Parameter` again, unless it has another owner."""
    if owner_of(parameter) is owner:
        del parameter.owner  # type: ignore[attr-defined]
        parameter.__class__ = nn.Parameter


def _device_parameters(value: Any) -> Iterator[DeviceParameter]:
    """Yield the parameters of this class among a call's arguments."""
    if type(value) is DeviceParameter:
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _device_parameters(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _device_parameters(item)
