"""State of the ipu engine for a network between calls."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Iterable, Mapping, NamedTuple
from weakref import ref

import torch
from torch import Tensor, nn

from ..nn.engine import EngineState
from .device_parameter import claim, owner_of, release
from .ipu_executable import Executable, Executables
from .ipu_streams import Arrays

if TYPE_CHECKING:
    from ..optim import DeviceOptimizer


class _Synced(NamedTuple):
    """A parameter as it was when host and device last had the same values."""

    parameter: ref[nn.Parameter]
    version: int  # of the host's tensor
    values: Tensor | None  # None after an update on the device, which makes them useless

    @classmethod
    def of(cls, parameter: nn.Parameter) -> _Synced:
        """Record a parameter whose values are the same on host and device."""
        return cls(ref(parameter), parameter._version, parameter.detach().clone())

    def changed(self, parameter: Tensor) -> bool:
        """Return whether the host has changed or replaced the parameter since."""
        if parameter is not self.parameter():
            return True
        if self.values is None:
            return parameter._version != self.version
        same = self.values.shape == parameter.shape and self.values.dtype == parameter.dtype
        # Compare bits: NaN equals itself.
        return not same or not torch.equal(_bits(self.values), _bits(parameter.detach()))


def _bits(tensor: Tensor) -> Tensor:
    return tensor.contiguous().view(torch.int32)


class Session(EngineState):
    """A network's executables by shape, and the owner of its parameters.

    Without an optimizer on the device the host owns the parameters: every forward pass
    sends them. With one, the executable that trained last is the `owner` of weights and optimizer
    state; they move through the host when another shape takes over, and to the host where a
    parameter is read there (`device_parameter.py`).

    A network has its session, and a parameter has one while the device has newer values. A session
    has weak references to parameters and none to the network: the last reference to a network frees
    its executables.
    """

    def __init__(self) -> None:
        self.lock = RLock()  # forward, its lists and backward belong together
        self.owner: Executable | None = None
        self.executables = Executables()
        self._optimizer: ref[DeviceOptimizer] | None = None
        self._optimizer_state: Arrays = {}  # while nobody owns it
        self._gradient = False  # whether the owner holds one that no update has used
        self._trained = False  # whether the owner's parameters are newer than the host's
        self._synced: dict[str, _Synced] = {}  # the owner's parameters by stream

    @property
    def optimizer(self) -> DeviceOptimizer | None:
        """The optimizer on the device; when it is gone, the host owns the parameters."""
        optimizer = None if self._optimizer is None else self._optimizer()
        if self._optimizer is not None and optimizer is None:
            self.use_optimizer(None)
        return optimizer

    def use(self, executable: Executable, parameters: Mapping[str, nn.Parameter]) -> None:
        """Bring `parameters`, by stream, to an executable that runs next; drop old executables."""
        if any(dropped is self.owner for dropped in self.executables.drop()):
            self.release()
        if executable is self.owner:
            self._check_host(parameters)
        elif executable.spec.optimizer == "none":
            self.pull()
            executable.write_parameters(parameters)
        else:
            self.release()
            executable.write_parameters(parameters)
            executable.write_optimizer(self._optimizer_state)
            self.owner = executable
            self._synced = {name: _Synced.of(value) for name, value in parameters.items()}

    def pull(self) -> None:
        with self.lock:
            if self._trained:
                self._check_host(self._parameters())
                self._read_back()

    def push(self) -> None:
        with self.lock:
            if self.owner is None:
                return
            if self._trained:
                self._read_back()
            self._optimizer_state = self.owner.read_optimizer()
            self.owner = None
            self._gradient = False
            self._release_parameters()
            self._synced = {}

    def release(self) -> None:
        """Bring parameters and optimizer state to the host, which then owns them."""
        self.pull()
        self.push()

    def use_optimizer(self, optimizer: DeviceOptimizer | None) -> None:
        """Let `optimizer` update the weights on the device, from a state of zero."""
        with self.lock:
            self.release()
            self._optimizer = None if optimizer is None else ref(optimizer)
            self._optimizer_state = {}

    def begin_backward(self, executable: Executable, generation: int) -> None:
        """Raise where the owner cannot run this backward pass for its optimizer."""
        if executable is not self.owner or executable.generation != generation:
            raise RuntimeError(
                "ipu engine: backward: expected the last forward pass while the device updates "
                "the weights, got an earlier one"
            )
        if self._gradient:
            raise RuntimeError(
                "ipu engine: backward: expected one backward pass a step (or zero_grad) while the "
                "device updates the weights, got a second one"
            )
        if not executable.holds_last_states:
            raise RuntimeError(
                "ipu engine: backward: expected a forward pass since the last backward pass while "
                "the device updates the weights and keeps states by intervals, got none"
            )
        self._claim()
        self._gradient = True

    def check_gradient(self) -> None:
        if self._gradient:
            raise RuntimeError(
                "ipu engine: grad: expected no read between backward() and step() of a gradient "
                "that stays on the device, got one: clip_grad_norm_ and other functions of "
                "gradients need an optimizer of torch"
            )

    def forget_gradient(self) -> None:
        """Let the next backward pass write over a gradient that no update has used."""
        with self.lock:
            self._gradient = False
            self._release_parameters()

    def update(self, settings: list[float]) -> None:
        """Run one update with the gradient of the last backward pass."""
        with self.lock:
            if self.owner is None or not self._gradient:
                raise RuntimeError(
                    "optimizer step: expected a backward pass since the last step, got none"
                )
            self._claim()
            self._gradient = False
            if not self._trained:
                self._synced = {k: v._replace(values=None) for k, v in self._synced.items()}
            self._trained = True
            self.owner.update(settings)

    def optimizer_state(self) -> Arrays:
        """Return the optimizer's state by stream, empty before the first update."""
        return self._optimizer_state if self.owner is None else self.owner.read_optimizer()

    def load_optimizer_state(self, arrays: Arrays) -> None:
        """Set the optimizer's state; it reaches the device with the next forward pass."""
        with self.lock:
            self.release()
            self._optimizer_state = arrays

    def _parameters(self) -> dict[str, nn.Parameter]:
        """Return the owner's parameters that still exist on the host, by stream."""
        parameters = {name: synced.parameter() for name, synced in self._synced.items()}
        return {name: value for name, value in parameters.items() if value is not None}

    def _read_back(self) -> None:
        """Copy the device's values into the parameters that have not changed on the host."""
        assert self.owner is not None
        parameters = self._parameters()
        with torch._C.DisableTorchFunctionSubclass():
            stale = {k: v for k, v in parameters.items() if not self._synced[k].changed(v)}
            self.owner.read_parameters(stale)
            self._synced.update({name: _Synced.of(value) for name, value in stale.items()})
        self._trained = False
        self._release_parameters()

    def _claim(self) -> None:
        """Make reads of the parameters on the host pull from this session first."""
        parameters = self._parameters()
        if all(owner_of(parameter) is self for parameter in parameters.values()):
            return
        if pull_others(parameters.values(), self):
            self._check_host(parameters)
        for parameter in parameters.values():
            claim(parameter, self)

    def _release_parameters(self) -> None:
        if not (self._trained or self._gradient):
            for parameter in self._parameters().values():
                release(parameter, self)

    def _check_host(self, parameters: Mapping[str, nn.Parameter]) -> None:
        with torch._C.DisableTorchFunctionSubclass():
            changed = any(self._synced[name].changed(value) for name, value in parameters.items())
        if changed:
            raise RuntimeError(
                "ipu engine: parameters: expected those that the device's optimizer trains, got "
                "others from the host: call the optimizer's push() after such a change"
            )


def pull_others(tensors: Iterable[Tensor], session: Session | None) -> bool:
    """Pull the `tensors` that other sessions own; return whether there are any."""
    others = {owner_of(tensor) for tensor in tensors} - {None, session}
    for owner in others:
        assert owner is not None
        owner.pull()
    return bool(others)
