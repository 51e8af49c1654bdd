"""What the ipu engine keeps for a network between calls."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING
from weakref import ref

from torch import nn

from .ipu_executable import Arrays, Executable, Shape

if TYPE_CHECKING:
    from ..nn.snn import SNN

# Shapes whose executables stay: a training batch, its remainder, an evaluation batch and its own.
KEPT_EXECUTABLES = 4


class Session:
    """A network's executables by shape, and which of them holds the truth.

    Without an optimizer on the device the host's parameters are the truth: every forward pass
    sends them. With one, the executable that was updated last is the `owner` of weights and
    optimizer state; they move by way of the host when another shape takes over.
    """

    def __init__(self, net: SNN) -> None:
        self._net = ref(net)
        self._executables: OrderedDict[Shape, Executable] = OrderedDict()
        self._optimizer = "none"
        self._owner: Executable | None = None
        self._optimizer_state: Arrays = {}  # while nobody owns it

    @property
    def net(self) -> SNN:
        """The network."""
        net = self._net()
        assert net is not None
        return net

    @property
    def parameters(self) -> list[nn.Parameter]:
        """Weights and biases, layer by layer."""
        pairs = ((layer.weight, layer.bias) for layer in self.net.stack)
        return [p for pair in pairs for p in pair if p is not None]

    def optimizer_name(self, training: bool) -> str:
        """Return the optimizer that an executable needs for a call."""
        return self._optimizer if training else "none"

    def executable(self, shape: Shape) -> Executable:
        """Return the executable of a shape, with the current parameters on its device."""
        executable = self._executables.pop(shape, None) or Executable(self.net, shape)
        self._executables[shape] = executable
        while len(self._executables) > KEPT_EXECUTABLES:
            oldest = next(iter(self._executables))
            if self._executables[oldest] is self._owner:
                self.release()
            del self._executables[oldest]
        if executable is not self._owner:
            if shape.optimizer != "none":
                self.release()
                executable.write_parameters()
                executable.write_optimizer(self._optimizer_state)
                self._owner = executable
            else:
                self.pull()
                executable.write_parameters()
        return executable

    def pull(self) -> None:
        """Bring the parameters of the owner, where there is one, to the host."""
        if self._owner is not None:
            self._owner.read_parameters()

    def release(self) -> None:
        """Bring parameters and optimizer state to the host; the host's are the truth then."""
        if self._owner is not None:
            self._owner.read_parameters()
            self._optimizer_state = self._owner.read_optimizer()
            self._owner = None

    def use_optimizer(self, name: str) -> None:
        """Let the device update the weights with "sgd" or "adam", from a state of zero."""
        self.release()
        self._optimizer = name
        self._optimizer_state = {}

    def update(self, settings: list[float]) -> None:
        """Run one update on the executable that ran the last backward pass."""
        if self._owner is None:
            raise RuntimeError(
                "optimizer step: expected a forward and a backward pass before it, got none"
            )
        self._owner.update(settings)

    def optimizer_state(self) -> Arrays:
        """Return the optimizer's state by stream, empty before the first update."""
        return self._optimizer_state if self._owner is None else self._owner.read_optimizer()

    def load_optimizer_state(self, arrays: Arrays) -> None:
        """Set the optimizer's state; it reaches the device with the next forward pass."""
        self.release()
        self._optimizer_state = arrays
