"""PopTorch's optimizers: torch's, with a loss scale and types of their states.

They hold settings. The update itself happens on the device, from the settings that it was given
by `trainingModel` or `setOptimizer`.
"""

from __future__ import annotations

import math
from typing import Any, Callable, Iterable

import torch

from ._logging import logger

_STATE_TYPES = (torch.float16, torch.float32)
_MOMENT_TYPES = {
    f"{name}accum_type": torch.float32
    for name in ("", "first_order_momentum_", "second_order_momentum_")
}


class VariableAttributes:
    """Settings that may change after compilation.

    Parameters
    ----------
    variable, allowed : list of str
    """

    def __init__(self, variable: list[str], allowed: list[str]) -> None:
        self._variable_attributes = list(variable)
        self._allowed_attributes = list(allowed)

    def isConstant(self, attr: str) -> bool:
        """Whether the setting is compiled in."""
        return attr not in self._variable_attributes

    def markAsConstant(self, attr: str) -> None:
        """Compile the setting in: a later change is an error."""
        self._check(attr)
        self._variable_attributes = [a for a in self._variable_attributes if a != attr]

    def markAsVariable(self, attr: str) -> None:
        """Let the setting change."""
        self._check(attr)
        self._variable_attributes.append(attr)

    def _check(self, attr: str) -> None:
        if attr not in self._allowed_attributes:
            raise AssertionError(
                f"Unknown attribute {attr}, allowed values: {self._allowed_attributes}"
            )


class Optimizer:
    """Base: settings of the whole optimizer, and a state that lives on the device."""

    defaults: dict[str, Any]
    param_groups: list[dict[str, Any]]

    def _begin(self, options: dict[str, Any], names: Iterable[str], **defaults: Any) -> None:
        """Hold the settings that have `defaults`; those of `names` that were given may change."""
        for name, default in defaults.items():
            value = default if options[name] is None else options[name]
            if name.endswith("accum_type") and value not in _STATE_TYPES:
                raise AssertionError(
                    "Accumulation types must be either torch.float32 or torch.float16"
                )
            setattr(self, name, value)
        variable = [name for name in (*names, "loss_scaling") if options[name] is not None]
        self.variable_attrs = VariableAttributes(variable, [*self.defaults, "loss_scaling"])
        self._ipu: dict[str, Any] = {"ipu_state": None, "ipu_param": None}
        self.ipu_state_is_dirty = False  # whether the device has to get the state
        self.host_state_is_dirty = False  # whether the state here is older than the device's
        self._read: Callable[[], dict[str, Any]] | None = None
        self._write: Callable[[dict[str, Any]], None] | None = None

    def attach(
        self,
        read: Callable[[], dict[str, Any]] | None,
        write: Callable[[dict[str, Any]], None] | None,
    ) -> None:
        """Connect the state to a device, or to none: the last state then stays here."""
        if self._read is not None:
            self.ipu_state()
        self._read, self._write = read, write
        self.host_state_is_dirty = False

    def ipu_state(self) -> dict[str, Any]:
        """Return the device's state; None in it where there has been none."""
        if self._read is not None and self.host_state_is_dirty and not self.ipu_state_is_dirty:
            logger.debug("Writing optimiser state tensors from IPU to host.")
            self._ipu = self._read()
            self.host_state_is_dirty = False
        else:
            logger.debug("Using cached optimiser state dict")
        return self._ipu

    def upload(self) -> None:
        """Give the device a state that was loaded; called before it runs."""
        if self.ipu_state_is_dirty and self._write is not None and self.has_state():
            logger.debug("Writing optimiser state tensors from host to IPU memory")
            self._write(self._ipu)
            self.ipu_state_is_dirty = False
            self.host_state_is_dirty = True

    def state_dict(self) -> dict[str, Any]:
        """Return the state on the device, in addition to torch's dictionary."""
        own = {name: dict(state) if state else state for name, state in self.ipu_state().items()}
        return {**own, **torch.optim.Optimizer.state_dict(self)}  # type: ignore[arg-type]

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take a state that `state_dict` gave; a device gets it with the next run.

        Raises
        ------
        RuntimeError
            Where it is empty, or an optimizer of torch gave it.
        """
        if not state_dict:
            raise RuntimeError("Cannot load optimizer state dictionary because it is empty.")
        if "ipu_state" not in state_dict or "ipu_param" not in state_dict:
            raise RuntimeError("Only IPU optimizer states can be loaded onto the IPU.")
        own = {name: state_dict[name] for name in ("state", "param_groups")}
        torch.optim.Optimizer.load_state_dict(self, own)  # type: ignore[arg-type]
        self._ipu = {name: state_dict[name] for name in ("ipu_state", "ipu_param")}
        self.ipu_state_is_dirty = self.has_state()
        self.host_state_is_dirty = False

    def has_state(self) -> bool:
        """Whether there is a state to write to a device."""
        return self._ipu.get("ipu_state") is not None

    def __getstate__(self) -> dict[str, Any]:
        attributes = {**self.__dict__, "_ipu": self.ipu_state()}
        return {**attributes, "_read": None, "_write": None, "ipu_state_is_dirty": self.has_state()}


def _own(options: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return the arguments that are torch's and were given."""
    return {name: options[name] for name in names if options[name] is not None}


class SGD(Optimizer, torch.optim.SGD):
    """Stochastic gradient descent with momentum, as torch's.

    Parameters
    ----------
    params, lr, momentum, dampening, weight_decay, nesterov, maximize, foreach, differentiable
        As in torch; `foreach` and `differentiable` say nothing to a device.
    loss_scaling : float
        Factor of the loss, by which gradients are divided again before the update.
    velocity_scaling : float
        Factor of the velocity in the variant with one tensor for both.
    use_combined_accum : bool
        Whether gradients are added into the velocity at once.
    accum_type, velocity_accum_type : torch.dtype
        Types of the gradient's sum and of the velocity.
    max_grad_norm : float
        Norm over all gradients above which they are scaled down.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float,
        momentum: float | None = None,
        dampening: float | None = None,
        weight_decay: float | None = None,
        nesterov: bool | None = None,
        maximize: bool | None = None,
        foreach: bool | None = None,
        differentiable: bool | None = None,
        loss_scaling: float | None = None,
        velocity_scaling: float | None = None,
        use_combined_accum: bool | None = None,
        accum_type: torch.dtype | None = None,
        velocity_accum_type: torch.dtype | None = None,
        max_grad_norm: float | None = None,
    ) -> None:
        arguments = dict(locals())
        names = ("lr", "momentum", "dampening", "weight_decay", "nesterov", "maximize")
        torch.optim.SGD.__init__(self, params, **_own(arguments, *names))
        self._begin(
            arguments,
            (*names, "velocity_scaling"),
            loss_scaling=1.0,
            velocity_scaling=1.0,
            use_combined_accum=False,
            accum_type=torch.float32,
            velocity_accum_type=torch.float32,
            max_grad_norm=math.inf,
        )


def _adam(name: str, parent: type[torch.optim.Optimizer]) -> Callable[..., None]:
    """Return the constructor of Adam and AdamW."""

    def __init__(
        self: Any,
        params: Iterable[Any],
        lr: float | None = None,
        betas: tuple[float, float] | None = None,
        eps: float | None = None,
        weight_decay: float | None = None,
        amsgrad: bool | None = None,
        loss_scaling: float | None = None,
        bias_correction: bool | None = None,
        accum_type: torch.dtype | None = None,
        first_order_momentum_accum_type: torch.dtype | None = None,
        second_order_momentum_accum_type: torch.dtype | None = None,
        max_grad_norm: float | None = None,
        maximize: bool | None = None,
        foreach: bool | None = None,
        capturable: bool | None = None,
        differentiable: bool | None = None,
        fused: bool | None = None,
    ) -> None:
        arguments = dict(locals())
        if name == "Adam" and bias_correction is not None:
            raise TypeError("Adam: bias_correction: expected none, AdamW alone has it")
        names = ("lr", "betas", "eps", "weight_decay", "amsgrad", "maximize")
        parent.__init__(self, params, **_own(arguments, *names))
        self._begin(
            arguments,
            names,
            loss_scaling=1.0,
            bias_correction=True,
            **_MOMENT_TYPES,
            max_grad_norm=math.inf,
        )

    return __init__


class Adam(Optimizer, torch.optim.Adam):
    """Adam, as torch's (Kingma and Ba, 2015); no AMSGrad.

    Parameters
    ----------
    params, lr, betas, eps, weight_decay, amsgrad, maximize, foreach, capturable, differentiable, \
fused
        As in torch.
    loss_scaling, accum_type, max_grad_norm
        As in `SGD`.
    first_order_momentum_accum_type, second_order_momentum_accum_type : torch.dtype
        Types of the two moments.
    """

    __init__ = _adam("Adam", torch.optim.Adam)


class AdamW(Optimizer, torch.optim.AdamW):
    """Adam with decoupled weight decay, as torch's (Loshchilov and Hutter, 2019); no AMSGrad.

    Parameters
    ----------
    params, lr, betas, eps, weight_decay, amsgrad, maximize, foreach, capturable, differentiable, \
fused
        As in torch.
    loss_scaling, accum_type, max_grad_norm
        As in `SGD`.
    bias_correction : bool
        Changes nothing: the moments are corrected for their start at zero, as PopTorch compiles it.
    first_order_momentum_accum_type, second_order_momentum_accum_type : torch.dtype
        Types of the two moments.
    """

    __init__ = _adam("AdamW", torch.optim.AdamW)


class RMSprop(Optimizer, torch.optim.RMSprop):
    """RMSprop, as torch's or, with `use_tf_variant`, as TensorFlow's.

    TensorFlow's begins the mean square at one, adds `eps` under the root and puts the learning
    rate into the momentum.

    Parameters
    ----------
    params, lr, alpha, eps, weight_decay, momentum, centered, foreach, maximize, differentiable
        As in torch.
    loss_scaling, accum_type
        As in `SGD`.
    first_order_momentum_accum_type, second_order_momentum_accum_type : torch.dtype
        Types of the momentum and of the mean square.
    use_tf_variant : bool
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | None = None,
        alpha: float | None = None,
        eps: float | None = None,
        weight_decay: float | None = None,
        momentum: float | None = None,
        centered: bool | None = None,
        foreach: bool | None = None,
        maximize: bool | None = None,
        differentiable: bool | None = None,
        loss_scaling: float | None = None,
        accum_type: torch.dtype | None = None,
        first_order_momentum_accum_type: torch.dtype | None = None,
        second_order_momentum_accum_type: torch.dtype | None = None,
        use_tf_variant: bool | None = None,
    ) -> None:
        arguments = dict(locals())
        names = ("lr", "alpha", "eps", "weight_decay", "momentum", "centered")
        torch.optim.RMSprop.__init__(self, params, **_own(arguments, *names))
        self._begin(
            arguments,
            names,
            loss_scaling=1.0,
            **_MOMENT_TYPES,
            use_tf_variant=False,
        )


class LAMB(Optimizer, torch.optim.Optimizer):
    """Layer-wise adaptive moments (You et al., 2020, https://arxiv.org/abs/1904.00962).

    Parameters
    ----------
    params, lr, betas, eps, weight_decay
        As in `AdamW`, with a learning rate of 1e-3 and a weight decay of 1e-2 by default.
    bias_correction, loss_scaling, accum_type
        As in `AdamW`.
    max_weight_norm : float
        The norm of a weight counts up to here.
    first_order_momentum_accum_type, second_order_momentum_accum_type : torch.dtype
        Types of the two moments.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | None = None,
        betas: tuple[float, float] | None = None,
        eps: float | None = None,
        weight_decay: float | None = None,
        bias_correction: bool | None = None,
        loss_scaling: float | None = None,
        max_weight_norm: float | None = None,
        accum_type: torch.dtype | None = None,
        first_order_momentum_accum_type: torch.dtype | None = None,
        second_order_momentum_accum_type: torch.dtype | None = None,
    ) -> None:
        arguments = dict(locals())
        names = ("lr", "betas", "eps", "weight_decay", "max_weight_norm")
        defaults = {
            "lr": 1e-3,
            "betas": (0.9, 0.999),
            "eps": 1e-8,
            "weight_decay": 1e-2,
            "max_weight_norm": 65500.0,  # near the largest half
            **_own(arguments, *names),
        }
        torch.optim.Optimizer.__init__(self, params, defaults)
        self._begin(
            arguments,
            names,
            loss_scaling=1.0,
            bias_correction=True,
            **_MOMENT_TYPES,
        )

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Step on the host by the parameters' gradients, and return what `closure` returns."""
        from ._training.device_optimizer import (  # which imports this module
            DeviceOptimizer,
            settings,
        )

        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        parameters = {
            str(i): p for i, p in enumerate(p for g in self.param_groups for p in g["params"])
        }
        chosen = settings(self, {id(parameter): name for name, parameter in parameters.items()})
        chosen.options["loss_scaling"] = 1.0  # gradients of the host are of the loss itself
        update = DeviceOptimizer(chosen)
        update.state = {name: self.state[parameter] for name, parameter in parameters.items()}
        update.step(
            parameters, {name: p.grad for name, p in parameters.items() if p.grad is not None}
        )
        return loss
