"""Optimizers that run where the weights live: on the device of the ipu engine.

They take the place of torch's. Gradients and optimizer state never leave their tile. Weights travel
to the host when a parameter is read there: by `net.state_dict()`, a copy, an average, another
network or any other function of torch, as by `optimizer.pull()`. Three kinds of reads need that
explicit `pull()`: of older tensors on a parameter's memory, such as an earlier
`detach()`; by `torch.tensor`, `torch.utils.dlpack` and the transforms of `torch.func`; by other
libraries.

A parameter's `grad` stays None. Reads of it between `backward()` and `step()`, as by
`torch.nn.utils.clip_grad_norm_`, and hooks on gradients raise errors: both need an optimizer of
torch.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Callable, Mapping

import torch
from torch import Tensor

from ._internal import checks
from .engines.ipu_engine import session_of
from .engines.ipu_session import Session
from .engines.ipu_streams import Arrays, learnt_of, weights_of

if TYPE_CHECKING:
    from .nn.snn import SNN

__all__ = ["SGD", "Adam", "AdamW"]

# Options of torch's optimizers that the device has not, and that a loaded state may have on.
NOT_HERE = ("maximize", "amsgrad")


class DeviceOptimizer(torch.optim.Optimizer):
    """Base: one parameter group, whose options learning-rate schedulers may change.

    A network has one such optimizer, the last that was made; without it, the next forward pass
    takes the host's parameters again. Parameters that are edited on the host, other than by
    `net.load_state_dict`, count after a `push`; without it the next pass or read raises an error.
    """

    device_name: str
    state_names: tuple[str, ...]  # by the device's state number
    numbers: tuple[str, ...]  # options of at least 0, next to the learning rate and the decay

    def __init__(self, net: SNN, defaults: dict[str, Any]) -> None:
        name = f"optim.{type(self).__name__}"
        if net.engine != "ipu":
            raise ValueError(
                f"{name}: net: expected a network on the ipu engine, got one on {net.engine!r}: "
                f"use torch.optim.{type(self).__name__}"
            )
        self._check_options(defaults)
        session = session_of(net)
        super().__init__(list(net.parameters()), defaults)
        self._net = net
        self._session = session
        self._steps = 0
        session.use_optimizer(self)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget a gradient that no step has used."""
        self._current("zero_grad").forget_gradient()
        with torch._C.DisableTorchFunctionSubclass():  # of the host's gradients
            super().zero_grad(set_to_none)

    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        """Update the weights from the gradients of the last backward pass.

        Raises
        ------
        RuntimeError
            Where no backward pass came since the last step, or another optimizer has taken over.
        TypeError, ValueError
            Where an option of the group is out of range.
        """
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        session, group = self._current("step"), self.param_groups[0]
        self._check_options(group)
        session.update(self._settings(group, self._steps + 1))
        self._steps += 1
        return loss

    def pull(self) -> None:
        """Bring the weights from the device into the network's parameters."""
        self._session.pull()

    def push(self) -> None:
        """Let the parameters of the host, as they are now, replace the device's.

        A parameter that has not changed on the host keeps what the device has trained.
        """
        self._session.push()

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Refuse a second group: the device updates the whole network alike."""
        if self.param_groups:
            raise ValueError(
                f"optim.{type(self).__name__}: add_param_group: expected one group, got a second"
            )
        super().add_param_group(param_group)

    def _check_options(self, group: Mapping[str, Any]) -> None:
        """Raise where an option is out of range; a group may have changed since it was made."""
        for option in ("lr", "weight_decay", *self.numbers):
            checks.not_negative(f"optim.{type(self).__name__}", option, group[option])

    def _current(self, call: str) -> Session:
        if self._session.optimizer is not self:
            raise RuntimeError(
                f"optim.{type(self).__name__}: {call}: expected the network's last optimizer, "
                "got one that another has replaced"
            )
        return self._session

    def state_dict(self) -> dict[str, Any]:
        """Return options and state as torch's optimizer of the same name has them."""
        state: dict[int, dict[str, Any]] = {}
        arrays = self._session.optimizer_state()
        for index, (parameter, streams) in enumerate(self._streams()):
            if not all(stream in arrays for stream in streams):
                continue
            entry: dict[str, Any] = {
                name: torch.from_numpy(arrays[stream]).t().reshape(parameter.shape).clone()
                for name, stream in zip(self.state_names, streams)
            }
            state[index] = {"step": torch.tensor(float(self._steps), device="cpu"), **entry}
        group = {k: v for k, v in self.param_groups[0].items() if k != "params"}
        group["params"] = list(range(len(self.param_groups[0]["params"])))
        return {"state": state, "param_groups": [group]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take options and state from `state_dict`.

        Raises
        ------
        TypeError, ValueError
            Where it has another number of parameters, state of another shape, an option out of
            range, or one on that the device has not.
        """
        (group,) = state_dict["param_groups"]
        for option in NOT_HERE:
            if group.get(option):
                raise ValueError(
                    f"optim.{type(self).__name__}: state_dict: {option}: expected False on the "
                    f"device, got {group[option]}"
                )
        self._check_options({**self.param_groups[0], **group})
        expected = len(self.param_groups[0]["params"])
        if len(group["params"]) != expected:
            raise ValueError(
                f"optim.{type(self).__name__}: state_dict: expected {expected} parameters, "
                f"got {len(group['params'])}"
            )
        arrays: Arrays = {}
        steps = 0
        for index, (parameter, streams) in enumerate(self._streams()):
            entry = state_dict["state"].get(index, {})
            steps = max(steps, int(entry.get("step", 0)))
            for name, stream in zip(self.state_names, streams):
                value: Tensor | None = entry.get(name)
                if value is None:
                    continue
                if value.shape != parameter.shape:
                    raise ValueError(
                        f"optim.{type(self).__name__}: state_dict: {name} of parameter {index}: "
                        f"expected shape {tuple(parameter.shape)}, got {tuple(value.shape)}"
                    )
                columns = value.to(torch.float32).reshape(len(value), -1)
                arrays[stream] = columns.t().numpy().copy(order="C")  # [inputs or 1, neurons]
        self.param_groups[0].update({k: v for k, v in group.items() if k != "params"})
        self._steps = steps
        self._session.load_optimizer_state(arrays)

    def _streams(self) -> list[tuple[Tensor, list[str]]]:
        """Return each parameter with the device's streams of its state, as `state_names` orders."""
        streams: list[tuple[Tensor, list[str]]] = []
        for index, layer in enumerate(self._net.stack):
            named = {**weights_of(layer), **learnt_of(layer)}
            stream_of = {id(parameter): f"{name}{index}" for name, parameter in named.items()}
            for parameter in layer.parameters():
                stream = stream_of.get(id(parameter), "frozen")  # is refused with the next pass
                names = [f"{stream}_state{k}" for k in range(len(self.state_names))]
                streams.append((parameter, names))
        return streams

    def _settings(self, group: dict[str, Any], step: int) -> list[float]:
        """Return what the codelet of `device_name` lists as its settings, for update `step`."""
        raise NotImplementedError


class SGD(DeviceOptimizer):
    """Stochastic gradient descent with momentum, as `torch.optim.SGD`.

    Parameters
    ----------
    net : SNN
        On the ipu engine.
    lr, momentum, dampening, weight_decay : float
    nesterov : bool
        Only with momentum and without dampening, as in torch.

    Raises
    ------
    TypeError, ValueError
        Where the network runs on another engine or an option is out of range.
    """

    device_name = "sgd"
    state_names = ("momentum_buffer",)
    numbers = ("momentum", "dampening")

    def __init__(
        self,
        net: SNN,
        lr: float = 1e-2,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
    ) -> None:
        options = {"lr": lr, "momentum": momentum, "dampening": dampening}
        super().__init__(net, {**options, "weight_decay": weight_decay, "nesterov": nesterov})
        self._has_momentum = False  # torch makes it of the first gradient, undampened

    def _check_options(self, group: Mapping[str, Any]) -> None:
        super()._check_options(group)
        momentum, dampening = group["momentum"], group["dampening"]
        nesterov = checks.flag("optim.SGD", "nesterov", group["nesterov"])
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError(
                "optim.SGD: nesterov: expected momentum above 0 and dampening 0 with it, "
                f"got {momentum} and {dampening}"
            )

    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        loss = super().step(closure)
        self._has_momentum |= self.param_groups[0]["momentum"] != 0
        return loss

    def state_dict(self) -> dict[str, Any]:
        state_dict = super().state_dict()
        if not self._has_momentum:
            for entry in state_dict["state"].values():
                entry["momentum_buffer"] = None
        return state_dict

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        super().load_state_dict(state_dict)
        entries = state_dict["state"].values()
        self._has_momentum = any(entry.get("momentum_buffer") is not None for entry in entries)

    def _settings(self, group: dict[str, Any], step: int) -> list[float]:
        lr, momentum, decay = group["lr"], group["momentum"], group["weight_decay"]
        if momentum == 0:
            return [1.0, 0.0, lr, 0.0, decay]
        scale = 1.0 - group["dampening"] if self._has_momentum else 1.0
        rates = (lr, lr * momentum) if group["nesterov"] else (0.0, lr)
        return [momentum, scale, *rates, decay]


class Adam(DeviceOptimizer):
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
    numbers = ("eps",)

    def __init__(
        self,
        net: SNN,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        super().__init__(net, options)

    def _check_options(self, group: Mapping[str, Any]) -> None:
        super()._check_options(group)
        checks.betas(f"optim.{type(self).__name__}", group["betas"])

    def _settings(self, group: dict[str, Any], step: int) -> list[float]:
        beta1, beta2 = group["betas"]
        return [
            group["lr"] / (1.0 - beta1**step),
            beta1,
            beta2,
            group["eps"],
            1.0 / math.sqrt(1.0 - beta2**step),
            *self._decay(group),
        ]

    def _decay(self, group: dict[str, Any]) -> tuple[float, float]:
        """Return what of the parameter the gradient gains, and what the parameter shrinks by."""
        return group["weight_decay"], 1.0


class AdamW(Adam):
    """Adam whose decay is apart from the gradient (Loshchilov and Hutter 2019).

    As `torch.optim.AdamW`.

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

    def __init__(
        self,
        net: SNN,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
    ) -> None:
        super().__init__(net, lr, betas, eps, weight_decay)

    def _decay(self, group: dict[str, Any]) -> tuple[float, float]:
        return 0.0, 1.0 - group["lr"] * group["weight_decay"]
