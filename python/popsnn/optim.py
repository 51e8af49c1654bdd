"""Optimizers that run where the weights live: on the device of the ipu engine.

They take the place of torch's. Gradients and optimizer state never leave their tile, weights only
when they are asked for: `net.state_dict()` and `optimizer.pull()` bring them to the host.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Callable

import torch
from torch import Tensor

if TYPE_CHECKING:
    from .engines.ipu_executable import Arrays
    from .nn.snn import SNN

__all__ = ["SGD", "Adam"]


class _DeviceOptimizer(torch.optim.Optimizer):
    """Base: one parameter group, whose options learning-rate schedulers may change.

    Parameters edited on the host while the device owns them are overwritten by the next `pull`;
    call `push` after such an edit.
    """

    device_name: str
    state_names: tuple[str, ...]  # by the device's state number

    def __init__(self, net: SNN, defaults: dict[str, Any]) -> None:
        name = f"optim.{type(self).__name__}"
        if net.engine != "ipu":
            raise ValueError(
                f"{name}: net: expected a network on the ipu engine, got one on {net.engine!r}: "
                f"use torch.optim.{type(self).__name__}"
            )
        from .engines.ipu_engine import session_of

        for option in ("lr", "weight_decay"):
            if not (defaults[option] >= 0.0 and math.isfinite(defaults[option])):
                raise ValueError(
                    f"{name}: {option}: expected a number of at least 0, got {defaults[option]}"
                )
        self._session = session_of(net)
        self._session.use_optimizer(self.device_name)
        self._steps = 0
        super().__init__(self._session.parameters, defaults)
        net.register_state_dict_pre_hook(lambda *_: self.pull())

    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        """Update the weights from the gradients of the last backward pass.

        Raises
        ------
        RuntimeError
            Where no forward and backward pass came before.
        """
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        self._steps += 1
        self._session.update(self._settings(self.param_groups[0], self._steps))
        return loss

    def pull(self) -> None:
        """Bring the weights from the device into the network's parameters."""
        self._session.pull()

    def push(self) -> None:
        """Take the parameters of the host, as they are now, as the truth."""
        values = [p.detach().clone() for p in self._session.parameters]
        self._session.release()
        with torch.no_grad():
            for parameter, value in zip(self._session.parameters, values):
                parameter.copy_(value)

    def state_dict(self) -> dict[str, Any]:
        """Return options and state as torch's optimizer of the same name has them."""
        state: dict[int, dict[str, Any]] = {}
        arrays = self._session.optimizer_state()
        for index, streams in enumerate(self._streams()):
            if not all(stream in arrays for stream in streams):
                continue
            entry: dict[str, Any] = {
                name: torch.from_numpy(arrays[stream]).t().clone()
                for name, stream in zip(self.state_names, streams)
            }
            state[index] = {"step": torch.tensor(float(self._steps)), **entry}
        group = {k: v for k, v in self.param_groups[0].items() if k != "params"}
        group["params"] = list(range(len(self._session.parameters)))
        return {"state": state, "param_groups": [group]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take options and state from `state_dict`.

        Raises
        ------
        ValueError
            Where it has another number of parameters.
        """
        (group,) = state_dict["param_groups"]
        expected = len(self._session.parameters)
        if len(group["params"]) != expected:
            raise ValueError(
                f"optim.{type(self).__name__}: state_dict: expected {expected} parameters, "
                f"got {len(group['params'])}"
            )
        arrays: Arrays = {}
        self._steps = 0
        for index, streams in enumerate(self._streams()):
            entry = state_dict["state"].get(index)
            if entry is None:
                continue
            self._steps = int(entry.get("step", 0))
            for name, stream in zip(self.state_names, streams):
                value: Tensor = entry[name]
                arrays[stream] = value.to(torch.float32).t().contiguous().numpy()
        self.param_groups[0].update({k: v for k, v in group.items() if k != "params"})
        self._session.load_optimizer_state(arrays)

    def _streams(self) -> list[list[str]]:
        """Return the device's streams of each parameter's state, in the order of `state_names`."""
        streams = []
        for index, layer in enumerate(self._session.net.stack):
            for kind, parameter in (("weights", layer.weight), ("bias", layer.bias)):
                if parameter is not None:
                    states = range(len(self.state_names))
                    streams.append([f"{kind}{index}_state{k}" for k in states])
        return streams

    def _settings(self, group: dict[str, Any], step: int) -> list[float]:
        raise NotImplementedError


class SGD(_DeviceOptimizer):
    """Stochastic gradient descent with momentum, as `torch.optim.SGD`.

    Parameters
    ----------
    net : SNN
        On the ipu engine.
    lr, momentum, weight_decay : float

    Raises
    ------
    ValueError
        Where the network runs on another engine or an option is negative.
    """

    device_name = "sgd"
    state_names = ("momentum_buffer",)

    def __init__(
        self, net: SNN, lr: float = 1e-2, momentum: float = 0.0, weight_decay: float = 0.0
    ) -> None:
        super().__init__(net, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    def _settings(self, group: dict[str, Any], step: int) -> list[float]:
        return [group["lr"], group["momentum"], group["weight_decay"]]


class Adam(_DeviceOptimizer):
    """Adam (Kingma and Ba 2015), as `torch.optim.Adam`.

    Parameters
    ----------
    net : SNN
        On the ipu engine.
    lr : float
    betas : (float, float)
    eps, weight_decay : float

    Raises
    ------
    ValueError
        Where the network runs on another engine or an option is out of range.
    """

    device_name = "adam"
    state_names = ("exp_avg", "exp_avg_sq")

    def __init__(
        self,
        net: SNN,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        if not all(0.0 <= beta < 1.0 for beta in betas):
            raise ValueError(f"optim.Adam: betas: expected two numbers in [0, 1), got {betas}")
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        super().__init__(net, options)

    def _settings(self, group: dict[str, Any], step: int) -> list[float]:
        beta1, beta2 = group["betas"]
        return [
            group["lr"] / (1.0 - beta1**step),
            beta1,
            beta2,
            group["eps"],
            1.0 / math.sqrt(1.0 - beta2**step),
            group["weight_decay"],
        ]
