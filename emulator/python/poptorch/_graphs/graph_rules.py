"""Rules of forward() on a device whose graph is static, checked at each call into torch."""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from .._context import Run
from .._errors import Error
from .device_calls import device_call
from .graph import recorded

_LOSSES = {
    getattr(functional, name)
    for name in (
        "binary_cross_entropy",
        "binary_cross_entropy_with_logits",
        "cosine_embedding_loss",
        "cross_entropy",
        "ctc_loss",
        "gaussian_nll_loss",
        "hinge_embedding_loss",
        "huber_loss",
        "kl_div",
        "l1_loss",
        "margin_ranking_loss",
        "mse_loss",
        "multi_margin_loss",
        "multilabel_margin_loss",
        "multilabel_soft_margin_loss",
        "nll_loss",
        "poisson_nll_loss",
        "smooth_l1_loss",
        "soft_margin_loss",
        "triplet_margin_loss",
    )
}
"""Calls that PopTorch marks as losses by itself."""

_HALF_LOSSES = tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 1)
"""Whether torch differentiates losses of halves on a CPU."""

_WITH_WEIGHTS = {
    functional.bilinear,
    functional.conv1d,
    functional.conv2d,
    functional.conv3d,
    functional.conv_transpose1d,
    functional.conv_transpose2d,
    functional.conv_transpose3d,
    functional.linear,
}
"""Layers that take weights of another precision, and compute in that of their input."""

_VALUES = {
    torch.Tensor.__bool__: "bool()",
    torch.Tensor.__int__: "int()",
    torch.Tensor.__float__: "float()",
    torch.Tensor.__index__: "an index",
    torch.Tensor.__array__: "numpy",
    torch.Tensor.item: "item()",
    torch.Tensor.tolist: "tolist()",
    torch.Tensor.numpy: "numpy()",
    torch.equal: "torch.equal()",
    torch.allclose: "torch.allclose()",
    torch.is_nonzero: "torch.is_nonzero()",
}
"""Calls that take a value out of a tensor."""


class GraphRules(TorchFunctionMode):
    """Notes losses, takes "ipu" as the device, and refuses to read values.

    A script that passes here by looking at values would not compile for a device: its graph is
    built before any value exists.

    Parameters
    ----------
    run : Run
        Where marked losses go.
    """

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run = run

    def _is_computed(self, args: tuple[Any, ...]) -> bool:
        """Whether a value would come from the device; a constant of the script is on the host.

        The first pass, which stands for compilation, has met what all others do.
        """
        graph = self.run.graph
        if graph is None:
            return False
        return any(
            isinstance(value, torch.Tensor) and graph.name_of(value) is not None for value in args
        )

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Run one call into torch."""
        if func in _VALUES and self._is_computed(args):
            raise Error(
                f"forward() asks for the value of a tensor by {_VALUES[func]}, but the graph of "
                "an IPU is built before there are values."
            )
        args = tuple(map(_placed, args))
        named = {name: _placed(value) for name, value in (kwargs or {}).items()}
        if func in _WITH_WEIGHTS:
            args, named = _in_type_of_the_first(args, named)
        call = device_call(func, self.run) or func
        if func in _LOSSES and not _HALF_LOSSES:
            call = _loss_in_floats(func)
        try:
            result = call(*args, **named)
        except RuntimeError as error:
            # torch 2.0 has no products of halves on a CPU.
            if "not implemented for 'Half'" not in str(error):
                raise
            result = _of_type(
                call(*_of_type(args, torch.float32), **_of_type(named, torch.float32)),
                torch.float16,
            )
        recorded(self.run.graph, func, (args, named), result)
        if self.run.training and func in _LOSSES:
            self.run.losses.append(result)
        return result


def _loss_in_floats(func: Callable[..., Any]) -> Callable[..., Any]:
    """Return a loss that computes halves in floats, and returns a half for them."""

    def loss(*args: Any, **named: Any) -> Any:
        given = args[0] if args else named.get("input")
        if getattr(given, "dtype", None) != torch.float16:
            return func(*args, **named)
        result = func(*_of_type(args, torch.float32), **_of_type(named, torch.float32))
        return _of_type(result, torch.float16)

    return loss


def _in_type_of_the_first(
    args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return weights as halves where activations are, and as floats where those are floats."""
    dtype = getattr(args[0] if args else named.get("input"), "dtype", None)
    if dtype not in (torch.float16, torch.float32):
        return args, named
    return _of_type(args, dtype), _of_type(named, dtype)


def _of_type(value: Any, dtype: torch.dtype) -> Any:
    """Return halves as floats, or floats as halves, also those inside of tuples and the like."""
    if isinstance(value, torch.Tensor):
        return value.to(dtype) if value.dtype in (torch.float16, torch.float32) else value
    if isinstance(value, dict):
        return {name: _of_type(entry, dtype) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_of_type(entry, dtype) for entry in value)
    return value


def _placed(argument: Any) -> Any:
    """Return the device that stands for "ipu", and anything else as it is."""
    if isinstance(argument, torch.device) and argument.type == "ipu":
        return torch.device("cpu")
    if isinstance(argument, str) and argument.split(":")[0] == "ipu":
        return "cpu"
    return argument
