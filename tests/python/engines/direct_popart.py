"""PopTorch's `custom_op` over the emulated PopART alone: operators and gradients run at once."""

from __future__ import annotations

import importlib
import sys
from contextlib import contextmanager
from typing import Any, Iterator, Sequence

import numpy as np
import torch
from torch.autograd import Function

popart = importlib.import_module("popsnn._popart")


class _Operator(Function):
    @staticmethod
    def forward(ctx: Any, op: Any, device: Any, *inputs: torch.Tensor) -> Any:
        arrays = [np.ascontiguousarray(x.detach().numpy()) for x in inputs]
        outputs = op.run(arrays, device)
        ctx.op, ctx.device, ctx.arrays, ctx.outputs = op, device, arrays, outputs
        tensors = [torch.from_numpy(output) for output in outputs]
        differentiable = [i for kind, i in _grad_inputs(op) if kind == "grad_out"]
        ctx.mark_non_differentiable(
            *(tensor for i, tensor in enumerate(tensors) if i not in differentiable)
        )
        return tuple(tensors)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> Any:
        results: list[Any] = [None] * len(ctx.arrays)
        for op in ctx.op.gradients():
            passed = {"in": ctx.arrays, "out": ctx.outputs}
            inputs = [
                np.ascontiguousarray(grads[i].numpy()) if kind == "grad_out" else passed[kind][i]
                for kind, i in op.grad_inputs
            ]
            for i, array in enumerate(op.run(inputs, ctx.device)):
                results[op.grad_outputs[i]] = torch.from_numpy(array)
        return (None, None, *results)


def _grad_inputs(op: Any) -> list[tuple[str, int]]:
    return [index for gradient in op.gradients() for index in gradient.grad_inputs]


class Direct:
    """Replacement of the PopTorch module while a model of it runs."""

    is_emulated = True

    def __init__(self, **device: Any) -> None:
        self.device = popart.Device(opx_alias_checking=True, **device)
        self.made: list[Any] = []  # operators, in the order of their calls

    def isRunningOnIpu(self) -> bool:
        return True

    def custom_op(
        self,
        inputs: Sequence[torch.Tensor],
        name: str,
        domain: str,
        version: int,
        example_outputs: Sequence[torch.Tensor],
        attributes: Any,
    ) -> Any:
        kinds = [_kind(x) for x in inputs]
        op = popart.make(domain, name, version, attributes, kinds, len(example_outputs))
        assert op.outputs == [_kind(output) for output in example_outputs]
        self.made.append(op)
        return _Operator.apply(op, self.device, *inputs)


def _kind(tensor: torch.Tensor) -> tuple[str, tuple[int, ...]]:
    return str(tensor.dtype).split(".")[1], tuple(tensor.shape)


@contextmanager
def inside(direct: Direct) -> Iterator[Direct]:
    """Let layers see `direct` as the PopTorch module whose model runs."""
    before = sys.modules.get("poptorch")
    sys.modules["poptorch"] = direct  # type: ignore[assignment]
    try:
        yield direct
    finally:
        del sys.modules["poptorch"]
        if before is not None:
            sys.modules["poptorch"] = before
