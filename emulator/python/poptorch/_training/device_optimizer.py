"""The update of weights on the device, by the settings of an optimizer of torch or PopTorch."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field
from typing import Any, Callable

import torch
from torch import Tensor

from .. import optim
from .loss_scaling import FACTOR, LossScaler
from .optimizer_numbers import LOSS_SCALING, numbers, overridden

Update = Callable[[Tensor, Tensor, "dict[str, Tensor]", "dict[str, Any]", "Settings"], Tensor]


@dataclass
class Settings:
    """Settings of an optimizer when the device took it.

    Attributes
    ----------
    kind : str
        Name of the rule.
    groups : list of dict
        Hyperparameters of each group of parameters.
    names : list of list of str
        Names of the parameters of each group.
    options : dict
        What holds for all groups: `loss_scaling` and the like.
    """

    kind: str
    groups: list[dict[str, Any]]
    names: list[list[str]]
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def has_velocity(self) -> bool:
        """Whether SGD keeps a velocity: where there is a momentum, or there may be one later."""
        variable = self.options.get("momentum_varies", False)
        return variable or any(group.get("momentum") for group in self.groups)


def settings(optimizer: torch.optim.Optimizer, names: dict[int, str]) -> Settings:
    """Read the settings of an optimizer, of parameters whose names are known by their ids.

    Raises
    ------
    AssertionError
        Where the rule is one that PopTorch does not have.
    ValueError
        Where Adam is to be AMSGrad, or a parameter is not the model's.
    """
    kind = next((kind for cls, kind in _KINDS if isinstance(optimizer, cls)), None)
    if kind is None:
        known = ", ".join(name for _, name in _KINDS)
        raise AssertionError(
            f"Unsupported optimizer type {type(optimizer).__name__}. Types supported {known}"
        )
    groups = []
    for group in optimizer.param_groups:
        if group.get("amsgrad"):
            raise ValueError("Only non-amsgrad Adam/AdamW optimizers are supported.")
        groups.append({key: copy.copy(value) for key, value in group.items() if key != "params"})
    with torch._C.DisableTorchFunctionSubclass():  # which would copy weights from the device
        parameters = [
            [p for p in group["params"] if p.requires_grad] for group in optimizer.param_groups
        ]
    for parameter in (p for group in parameters for p in group):
        if id(parameter) not in names:
            raise ValueError(
                "setOptimizer: expected parameters of the model, got one of shape "
                f"{list(parameter.shape)} that is not"
            )
    options = {
        "loss_scaling": 1.0,
        "max_grad_norm": math.inf,
        "bias_correction": True,
        "use_tf_variant": False,
        "use_combined_accum": False,
        "velocity_scaling": 1.0,
        "accum_type": torch.float32,
        "velocity_accum_type": torch.float32,
        "first_order_momentum_accum_type": torch.float32,
        "second_order_momentum_accum_type": torch.float32,
    }
    options = {key: getattr(optimizer, key, value) for key, value in options.items()}
    attributes = getattr(optimizer, "variable_attrs", None)
    if kind == "SGD" and attributes is not None:
        options["momentum_varies"] = not attributes.isConstant("momentum")
    return Settings(kind, groups, [[names[id(p)] for p in group] for group in parameters], options)


class DeviceOptimizer:
    """The optimizer's state, and the update of weights.

    Parameters
    ----------
    chosen : Settings
    """

    def __init__(self, chosen: Settings) -> None:
        self._settings = chosen
        self.state: dict[str, dict[str, Tensor]] = {}
        self.loaded: dict[str, Tensor] = {}
        self._untouched: set[str] = set()  # velocities that begin with the first gradient
        self.scaler: LossScaler | None = None

    @property
    def settings(self) -> Settings:
        """The settings; others replace the numbers of a state that was loaded."""
        return self._settings

    @settings.setter
    def settings(self, chosen: Settings) -> None:
        self._settings = chosen
        self.loaded = {}

    def loss_scaling(self) -> float:
        """Return the factor of the loss in the next step."""
        factor = 1.0 if self.scaler is None else float(self.scaler.factor)
        return float(self.loaded.get(LOSS_SCALING, self._settings.options["loss_scaling"])) * factor

    def begin(self, weights: dict[str, Tensor]) -> None:
        """Make the states that there are not yet, as a device has them after compilation."""
        for group, names in zip(self._settings.groups, self._settings.names):
            for name in names:
                if name in weights:
                    first = _initial(weights[name], group, self._settings)
                    state = self.state.setdefault(name, {})
                    if self._settings.kind == "SGD" and first and "Accl1" not in state:
                        self._untouched.add(name)
                    self.state[name] = {**first, **state}

    def read(self) -> dict[str, Any]:
        """Return the state, by "state___parameter" as PopART names it, and the numbers."""
        flat = {
            f"{kind}___{name}": tensor.clone()
            for name, states in self.state.items()
            for kind, tensor in states.items()
        }
        if self.scaler is not None:
            flat[FACTOR] = self.scaler.factor.clone()
        return {"ipu_state": flat, "ipu_param": {**numbers(self._settings), **self.loaded}}

    def write(self, state: dict[str, Any]) -> None:
        """Take a state that `read` gave; what it lacks stays as it is."""
        for key, tensor in state["ipu_state"].items():
            if key == FACTOR:
                if self.scaler is not None:
                    self.scaler.factor = tensor.clone()
                continue
            kind, name = key.split("___", 1)
            self.state.setdefault(name, {})[kind] = tensor.clone()
            self._untouched.discard(name)
        known = numbers(self._settings)
        loaded = state.get("ipu_param") or {}
        # A number that is the settings' own stays exact, instead of rounded to 32 bits.
        self.loaded = {
            key: value.clone()
            for key, value in loaded.items()
            if key in known and not torch.equal(value, known[key])
        }

    @torch.no_grad()
    def step(self, weights: dict[str, Tensor], gradients: dict[str, Tensor]) -> None:
        """Update weights in place by gradients of the scaled loss, both by the weights' names."""
        options = self.settings.options
        scale = 1.0 / self.loss_scaling()
        if self.scaler is not None:
            self.scaler.update()
        update = _UPDATES[self.settings.kind]
        scaled = {name: gradient.float() * scale for name, gradient in gradients.items()}
        norm = _norm(scaled) if math.isfinite(options["max_grad_norm"]) else 0.0
        shrink = min(1.0, options["max_grad_norm"] / (norm + 1e-6)) if norm else 1.0
        for group, names in zip(self.settings.groups, self.settings.names):
            for name in names:
                if name not in scaled:
                    continue
                gradient = scaled[name] * shrink
                gradient = -gradient if group.get("maximize") else gradient
                weight = weights[name]
                state = self.state.setdefault(name, {})
                if name in self._untouched:
                    self._untouched.discard(name)
                    state.pop("Accl1", None)
                own = overridden(self.settings, group, name, self.loaded)
                changed = update(weight.float(), gradient, state, own, self.settings)
                weight.copy_(changed)


def _initial(weight: Tensor, group: dict[str, Any], chosen: Settings) -> dict[str, Tensor]:
    """Return the states of a parameter before the first update."""

    def zeros(kind: str) -> Tensor:
        return torch.zeros_like(weight, dtype=chosen.options[kind])

    first, second = "first_order_momentum_accum_type", "second_order_momentum_accum_type"
    if chosen.kind == "SGD":
        return {"Accl1": zeros("velocity_accum_type")} if chosen.has_velocity else {}
    if chosen.kind == "RMSprop":
        states = {"Accl1": zeros(second) + float(chosen.options["use_tf_variant"])}
        if group["momentum"]:
            states["Accl2"] = zeros(first)
        if group["centered"]:
            states["Accl3"] = zeros(first)
        return states
    return {"Accl1": zeros(first), "Accl2": zeros(second), "Step": torch.zeros(())}


def _norm(gradients: dict[str, Tensor]) -> float:
    return math.sqrt(sum(float(g.double().square().sum()) for g in gradients.values()))


def _read(state: dict[str, Tensor], name: str, like: Tensor, start: float = 0.0) -> Tensor:
    """Return a state in full precision; it begins at `start`."""
    return state[name].float() if name in state else torch.full_like(like, start)


def _count(state: dict[str, Tensor]) -> float:
    """Count and return the updates."""
    steps = float(state.get("Step", 0.0)) + 1.0
    state["Step"] = torch.tensor(steps)
    return steps


def _sgd(
    weight: Tensor, grad: Tensor, state: dict[str, Tensor], group: dict[str, Any], chosen: Settings
) -> Tensor:
    """Return the weight after a step of gradient descent with momentum, as torch's SGD."""
    grad = grad + group["weight_decay"] * weight
    if chosen.has_velocity:
        before = state.get("Accl1")
        velocity = (
            grad
            if before is None
            else (group["momentum"] * before.float() + (1 - group["dampening"]) * grad)
        )
        state["Accl1"] = velocity.to(chosen.options["velocity_accum_type"])
        grad = grad + group["momentum"] * velocity if group["nesterov"] else velocity
    return weight - group["lr"] * grad


def _moments(
    grad: Tensor, state: dict[str, Tensor], group: dict[str, Any], chosen: Settings
) -> tuple[Tensor, Tensor]:
    """Return the means of gradient and square, corrected for their start at zero.

    LAMB does without that where it is told to; PopTorch compiles AdamW with it in any case.
    """
    beta1, beta2 = group["betas"]
    first = beta1 * _read(state, "Accl1", grad) + (1 - beta1) * grad
    second = beta2 * _read(state, "Accl2", grad) + (1 - beta2) * grad * grad
    state["Accl1"] = first.to(chosen.options["first_order_momentum_accum_type"])
    state["Accl2"] = second.to(chosen.options["second_order_momentum_accum_type"])
    steps = _count(state)
    if chosen.kind == "LAMB" and not chosen.options["bias_correction"]:
        return first, second
    return first / (1 - beta1**steps), second / (1 - beta2**steps)


def _adam(
    weight: Tensor, grad: Tensor, state: dict[str, Tensor], group: dict[str, Any], chosen: Settings
) -> Tensor:
    """Return the weight after a step of Adam with L2 decay."""
    grad = grad + group["weight_decay"] * weight
    first, second = _moments(grad, state, group, chosen)
    return weight - group["lr"] * first / (second.sqrt() + group["eps"])


def _adamw(
    weight: Tensor, grad: Tensor, state: dict[str, Tensor], group: dict[str, Any], chosen: Settings
) -> Tensor:
    """Return the weight after a step of Adam with decoupled decay."""
    first, second = _moments(grad, state, group, chosen)
    decayed = weight * (1 - group["lr"] * group["weight_decay"])
    return decayed - group["lr"] * first / (second.sqrt() + group["eps"])


def _lamb(
    weight: Tensor, grad: Tensor, state: dict[str, Tensor], group: dict[str, Any], chosen: Settings
) -> Tensor:
    """Return the weight after a step of LAMB (You et al., 2020, algorithm 2)."""
    first, second = _moments(grad, state, group, chosen)
    update = first / (second.sqrt() + group["eps"]) + group["weight_decay"] * weight
    size, length = weight.norm().clamp(max=group["max_weight_norm"]), update.norm()
    trust = size / length if size > 0 and length > 0 else torch.ones(())
    return weight - group["lr"] * trust * update


def _rmsprop(
    weight: Tensor, grad: Tensor, state: dict[str, Tensor], group: dict[str, Any], chosen: Settings
) -> Tensor:
    """Return the weight after a step of RMSprop, torch's or TensorFlow's."""
    options = chosen.options
    tf = options["use_tf_variant"]
    grad = grad + group["weight_decay"] * weight
    alpha = group["alpha"]
    square = alpha * _read(state, "Accl1", grad, 1.0 if tf else 0.0) + (1 - alpha) * grad * grad
    state["Accl1"] = square.to(options["second_order_momentum_accum_type"])
    if group["centered"]:
        mean = alpha * _read(state, "Accl3", grad) + (1 - alpha) * grad
        state["Accl3"] = mean.to(options["first_order_momentum_accum_type"])
        square = square - mean * mean
    root = (square + group["eps"]).sqrt() if tf else square.sqrt() + group["eps"]
    step = grad / root
    if group["momentum"]:
        rate = group["lr"] if tf else 1.0
        step = group["momentum"] * _read(state, "Accl2", grad) + rate * step
        state["Accl2"] = step.to(options["first_order_momentum_accum_type"])
        return weight - (1.0 if tf else group["lr"]) * step
    return weight - group["lr"] * step


_KINDS: list[tuple[type, str]] = [
    (torch.optim.SGD, "SGD"),
    # AdamW is an Adam in some versions of torch, so it is looked for first.
    (torch.optim.AdamW, "AdamW"),
    (torch.optim.Adam, "Adam"),
    (torch.optim.RMSprop, "RMSprop"),
    (optim.LAMB, "LAMB"),
]
_UPDATES: dict[str, Update] = {
    "SGD": _sgd,
    "Adam": _adam,
    "AdamW": _adamw,
    "RMSprop": _rmsprop,
    "LAMB": _lamb,
}
