"""State of the ipu engine for a network between calls."""

from __future__ import annotations

from collections import OrderedDict
from threading import RLock
from typing import TYPE_CHECKING
from weakref import ref

from torch import nn

from ..nn.engine import EngineState
from ..spec import NetworkSpec
from .ipu_executable import Arrays, Executable

if TYPE_CHECKING:
    from ..devices import Device
    from ..nn.snn import SNN
    from ..optim import DeviceOptimizer

# Shapes whose executables stay: a training batch, its remainder, an evaluation batch and its own.
KEPT_EXECUTABLES = 4


class Session(EngineState):
    """A network's executables by shape, and the owner of its parameters.

    Without an optimizer on the device the host owns the parameters: every forward pass
    sends them. With one, the executable that trained last is the `owner` of weights and optimizer
    state; they move through the host when another shape takes over.
    """

    def __init__(self, net: SNN) -> None:
        self.net = net
        self.lock = RLock()  # forward, its lists and backward belong together
        self.owner: Executable | None = None
        self._executables: OrderedDict[tuple[NetworkSpec, Device], Executable] = OrderedDict()
        self._optimizer: ref[DeviceOptimizer] | None = None
        self._optimizer_state: Arrays = {}  # while nobody owns it
        self._gradient = False  # whether the owner holds one that no update has used
        self._trained = False  # whether the owner's parameters are newer than the host's
        self._held: dict[str, nn.Parameter] = {}  # what the owner has on its device, by stream
        self._versions: list[int] = []  # of those on the host when they were the same

    @property
    def optimizer(self) -> DeviceOptimizer | None:
        """The optimizer on the device; when it is gone, the host owns the parameters."""
        optimizer = None if self._optimizer is None else self._optimizer()
        if self._optimizer is not None and optimizer is None:
            self.use_optimizer(None)
        return optimizer

    def executable(self, spec: NetworkSpec, parameters: dict[str, nn.Parameter]) -> Executable:
        """Return the executable of `spec`, with the `parameters` by stream on its device."""
        key = (spec, self.net.device)
        executable = self._executables.pop(key, None) or Executable(*key)
        self._executables[key] = executable
        while len(self._executables) > KEPT_EXECUTABLES:
            oldest = next(iter(self._executables))
            if self._executables[oldest] is self.owner:
                self.release()
            del self._executables[oldest]
        if spec.optimizer != "none":
            self._check_trainable()  # at each pass: one may be frozen, or learnt, since the last
        if executable is self.owner:
            self._check_host()
        elif spec.optimizer == "none":
            self.pull()
            executable.write_parameters(parameters)
        else:
            self.release()
            executable.write_parameters(parameters)
            executable.write_optimizer(self._optimizer_state)
            self.owner = executable
            self._held = parameters
            self._versions = self._host_versions()
        return executable

    def pull(self) -> None:
        if self.owner is not None and self._trained:
            self._check_host()
            self.owner.read_parameters(self._held)
            self._trained = False
            self._versions = self._host_versions()

    def push(self) -> None:
        if self.owner is not None:
            self._optimizer_state = self.owner.read_optimizer()
            self.owner = None
            self._gradient = self._trained = False

    def release(self) -> None:
        """Bring parameters and optimizer state to the host, which then owns them."""
        self.pull()
        self.push()

    def use_optimizer(self, optimizer: DeviceOptimizer | None) -> None:
        """Let `optimizer` update the weights on the device, from a state of zero."""
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
                "the device updates the weights and keeps states by segments, got none"
            )
        self._gradient = True

    def forget_gradient(self) -> None:
        """Let the next backward pass write over a gradient that no update has used."""
        self._gradient = False

    def update(self, settings: list[float]) -> None:
        """Run one update with the gradient of the last backward pass."""
        if self.owner is None or not self._gradient:
            raise RuntimeError(
                "optimizer step: expected a backward pass since the last step, got none"
            )
        self._gradient = False
        self._trained = True
        self.owner.update(settings)

    def optimizer_state(self) -> Arrays:
        """Return the optimizer's state by stream, empty before the first update."""
        return self._optimizer_state if self.owner is None else self.owner.read_optimizer()

    def load_optimizer_state(self, arrays: Arrays) -> None:
        """Set the optimizer's state; it reaches the device with the next forward pass."""
        self.release()
        self._optimizer_state = arrays

    def _host_versions(self) -> list[int]:
        return [parameter._version for parameter in self._held.values()]

    def _check_host(self) -> None:
        if self._host_versions() != self._versions:
            raise RuntimeError(
                "ipu engine: parameters: expected those that the device's optimizer trains, got "
                "changed ones on the host: call the optimizer's push() after such a change"
            )

    def _check_trainable(self) -> None:
        for name, parameter in self.net.named_parameters():
            if not parameter.requires_grad:
                raise ValueError(
                    "ipu engine: parameters: expected all to require a gradient while the device "
                    f"updates them, got {name} without"
                )
