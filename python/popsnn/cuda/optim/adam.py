"""Adam and AdamW whose step is one kernel, for networks of a few million weights."""

from __future__ import annotations

import ctypes
import math
from typing import Any, Callable, Iterable

import torch
from torch import Tensor

from ..._internal import checks
from ..device import launch
from ..device.program import entry

__all__ = ["Adam", "AdamW"]

THREADS = 256  # kAdamThreads
ELEMENTS = 4 * THREADS  # kAdamElements
MOST_TENSORS = 48  # kAdamTensors, of one launch
MEANS = ("exp_avg", "exp_avg_sq")  # of the states


class AdamTensor(ctypes.Structure):
    """`popsnn::AdamTensor` of `cuda/popsnn/optim/adam.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("value", ctypes.c_void_p),
        ("grad", ctypes.c_void_p),
        ("mean", ctypes.c_void_p),
        ("square", ctypes.c_void_p),
        ("step", ctypes.c_void_p),
        ("size", ctypes.c_longlong),
        ("end", ctypes.c_int),
        ("whole", ctypes.c_int),
    ]


class AdamArguments(ctypes.Structure):
    """`popsnn::AdamArguments` of `cuda/popsnn/optim/adam.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("tensor", AdamTensor * MOST_TENSORS),
        ("rates", ctypes.c_void_p),
        ("rate", ctypes.c_float),
        ("beta", ctypes.c_float * 2),
        ("log_beta", ctypes.c_float * 2),
        ("rest", ctypes.c_float * 2),
        ("epsilon", ctypes.c_float),
        ("weight_decay", ctypes.c_float),
        ("decoupled", ctypes.c_int),
    ]


SOURCE = "\n".join(
    ["#include <popsnn/optim/adam.cuh>", entry("adam", "AdamArguments", "adam", str(THREADS))]
)


class Adam(torch.optim.Adam):
    """`torch.optim.Adam` of float32 parameters on a GPU, its step one launch for 48 tensors.

    torch's fused step hands 65,536 elements to a block, so that a network of less than some nine
    million weights leaves multiprocessors of an H200 idle; here a block has 1,024. States are
    those of `torch.optim.Adam(capturable=True)`: either loads the other's. Steps can be captured.

    Parameters
    ----------
    params : iterable of Tensor or of dict
    lr : float or float32 Tensor [] on the GPU
    betas : pair of float
    eps : float
    weight_decay : float
        Added to the gradient, times the weight.

    Raises
    ------
    ValueError
        By `step`, of a parameter that is not contiguous, float32 and on a GPU, of a gradient or a
        learning rate of another type, of options out of range, and of those of `torch.optim.Adam`
        that a loaded state brings and this has not.
    """

    decoupled = False  # whether the weights' decay is apart from the gradient

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, foreach=False, capturable=True)
        for group in (self.defaults, *self.param_groups):  # torch 2.6 and older have no such option
            group["decoupled_weight_decay"] = self.decoupled

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update all parameters that have gradients; returns what the closure does."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for option in ("amsgrad", "maximize", "decoupled_weight_decay"):
                wanted = option == "decoupled_weight_decay" and self.decoupled
                if group.get(option, wanted) != wanted:
                    raise ValueError(
                        f"{self._name}: {option}: expected {wanted}, got {group[option]}"
                    )
            rate = group["lr"]
            if not isinstance(rate, Tensor):  # whose number is on the GPU
                checks.not_negative(self._name, "lr", rate)
            for option in ("eps", "weight_decay"):
                checks.not_negative(self._name, option, group[option])
            checks.betas(self._name, group["betas"])
            if isinstance(rate, Tensor) and rate.dtype != torch.float32:
                raise ValueError(f"{self._name}: lr: expected a float32 tensor, got {rate.dtype}")
            by_device: dict[torch.device, list[Tensor]] = {}
            for parameter in group["params"]:
                if parameter.grad is not None:
                    by_device.setdefault(parameter.device, []).append(parameter)
            for device, params in by_device.items():
                torch._foreach_add_([self._state_of(parameter)["step"] for parameter in params], 1)
                for at in range(0, len(params), MOST_TENSORS):
                    self._launch(params[at : at + MOST_TENSORS], group, device)
        return loss

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a state of this or of `torch.optim.Adam`, whose steps may be on a CPU.

        States and tensors of learning rates that there are already keep their memory, so that
        captured steps go on with them; states that are not loaded begin anew.
        """
        states = {param: dict(state) for param, state in self.state.items()}
        rates = [group["lr"] for group in self.param_groups]
        super().load_state_dict(state_dict)
        for group, rate in zip(self.param_groups, rates):
            group.update(capturable=True, foreach=False, fused=None)
            if self.decoupled:  # whatever is loaded, as torch's AdamW has it
                group["decoupled_weight_decay"] = True
            if isinstance(rate, Tensor):
                group["lr"] = rate.copy_(torch.as_tensor(group["lr"], device=rate.device))
        for param, state in self.state.items():
            state["step"] = torch.as_tensor(state["step"], dtype=torch.float32, device=param.device)
            for name in MEANS:  # which have the strides that the parameter had that was saved
                state[name] = state[name].contiguous()
        for param, tensors in states.items():
            loaded = self.state[param]
            for name, to in tensors.items():
                loaded[name] = to.copy_(loaded[name]) if name in loaded else to.zero_()

    @property
    def _name(self) -> str:
        return f"cuda.{type(self).__name__}"

    def _state_of(self, param: Tensor) -> dict[str, Tensor]:
        if not (takes(param) and param.dtype == torch.float32 and param.is_contiguous()):
            raise ValueError(
                f"{self._name}: params: expected contiguous float32 tensors on a GPU, got "
                f"{param.dtype} of shape {tuple(param.shape)} on {param.device}"
            )
        assert param.grad is not None
        if param.grad.dtype != torch.float32:
            raise ValueError(
                f"{self._name}: params: expected gradients of float32, got {param.grad.dtype} of "
                f"shape {tuple(param.shape)}"
            )
        state: dict[str, Tensor] = self.state[param]
        if not state:
            state["step"] = torch.zeros((), dtype=torch.float32, device=param.device)
            for name in MEANS:
                state[name] = torch.zeros_like(param)
        return state

    def _launch(self, params: list[Tensor], group: dict[str, Any], device: torch.device) -> None:
        rate, betas = group["lr"], group["betas"]
        of_tensor = isinstance(rate, Tensor) and rate.device == device
        arguments = AdamArguments(
            rates=rate.data_ptr() if of_tensor else 0,
            rate=0.0 if of_tensor else float(rate),
            epsilon=group["eps"],
            weight_decay=group["weight_decay"],
            decoupled=self.decoupled,
        )
        arguments.beta[:] = betas
        arguments.log_beta[:] = [math.log(beta) if beta else -math.inf for beta in betas]
        arguments.rest[:] = [1.0 - beta for beta in betas]
        blocks = 0
        grads = []  # kept until they are launched
        for to, param in zip(arguments.tensor, params):
            assert param.grad is not None
            state = self.state[param]
            grads.append(param.grad.contiguous())
            means = [state[name] for name in MEANS]
            pointers = [parameter.data_ptr() for parameter in (param, grads[-1], *means)]
            blocks += -(-param.numel() // ELEMENTS)
            to.value, to.grad, to.mean, to.square = pointers
            to.step, to.size, to.end = state["step"].data_ptr(), param.numel(), blocks
            to.whole = not any(pointer % 16 for pointer in pointers)
        if blocks:
            launch.load(SOURCE, device).launch("adam", blocks, THREADS, 0, arguments)
        launch.written(*params)


class AdamW(Adam):
    """`torch.optim.AdamW` likewise: its decay is apart from the gradient.

    Parameters
    ----------
    params : iterable of Tensor or of dict
    lr : float or float32 Tensor [] on the GPU
    betas : pair of float
    eps : float
    weight_decay : float
        Times the learning rate, what every weight shrinks by in a step.

    Raises
    ------
    ValueError
        As by `Adam`.
    """

    decoupled = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay)


def takes(tensor: Tensor) -> bool:
    """Whether kernels run where the tensor is; the tests have them on a CPU too."""
    return tensor.is_cuda
