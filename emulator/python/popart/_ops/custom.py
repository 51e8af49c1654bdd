"""Operators of libraries, run on the emulated device with their gradient operators."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .._native import native, popart_exception
from .._settings.tensorinfo import TYPES
from .registry import Node

_NAMES = {kind: str(np.dtype(numpy)) for numpy, kind in reversed(list(TYPES.values()))}


def known(domain: str, kind: str) -> bool:
    """Whether a library has registered an operator."""
    names = ("ai.onnx", "") if domain in ("", "ai.onnx") else (domain,)
    return any((d, k) == (n, kind) for d, k, _ in native.operators() for n in names)


def custom(node: Node, *inputs: Any) -> Any:
    """Run an operator of a library.

    Raises
    ------
    popart_exception
        Where there is none, or it refuses its inputs.
    """
    given = [value if value is None else _demoted(node, value) for value in inputs]
    described = [None if v is None else (_NAMES[v.dtype], tuple(v.shape)) for v in given]
    made = _made(node, described)
    if node.run.dry:
        return tuple(torch.zeros(shape, dtype=_type(dtype)) for dtype, shape in made.outputs)
    present = [value for value in given if value is not None]
    holes = [value is None for value in given]
    return _Apply.apply(made, node, holes, *present)


def _made(node: Node, described: list[Any]) -> Any:
    """Return the operator; an attribute that is not the list it reads is an empty one."""
    attributes = dict(node.attributes)
    domain, count = node.domain or "ai.onnx", len(node.outputs)
    while True:
        try:
            return native.make(domain, node.type, node.version, attributes, described, count)
        except popart_exception as error:
            misread = re.search(r"attribute '(\w+)': expected", str(error))
            if misread is None or attributes.get(misread.group(1), []) == []:
                raise
            attributes[misread.group(1)] = []


def _type(name: str) -> torch.dtype:
    kind: torch.dtype = getattr(torch, name)
    return kind


def _demoted(node: Node, value: Tensor) -> Tensor:
    kinds = {torch.int64: torch.int32, torch.float64: torch.float32}
    value = value.to(kinds.get(value.dtype, value.dtype))
    if value.dtype not in _NAMES:
        raise popart_exception(f"{node.type}: expected a type of PopART, got {value.dtype}")
    return value


def _array(value: Tensor) -> Any:
    return value.detach().contiguous().numpy()


class _Apply(torch.autograd.Function):
    """The operator in autograd's graph; its gradient is what its gradient operators give."""

    @staticmethod
    def forward(ctx: Any, made: Any, node: Node, holes: list[bool], *present: Tensor) -> Any:
        values = iter(present)
        arrays = [None if hole else _array(next(values)) for hole in holes]
        seed = int(torch.randint(2**31 - 1, ())) if made.random else 0
        if made.modifies:
            results, modified = made.run_modified(arrays, node.run.device, seed)
            for index, array in modified.items():
                node.run.written[node.inputs[index]] = torch.from_numpy(array)
        else:
            results = made.run(arrays, node.run.device, seed)
        node.run.cycles += made.cycles
        outputs = tuple(torch.from_numpy(array) for array in results)
        ctx.made, ctx.node, ctx.holes, ctx.seed = made, node, holes, seed
        ctx.save_for_backward(*present, *outputs)
        ctx.mark_non_differentiable(*(out for out in outputs if not out.is_floating_point()))
        return outputs

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        count = len(ctx.holes) - sum(ctx.holes)
        saved = list(ctx.saved_tensors)
        values = iter(saved[:count])
        ins = [None if hole else next(values) for hole in ctx.holes]
        sources = {"in": ins, "out": saved[count:], "grad_out": list(grads)}
        gradients: list[Any] = [None] * len(ctx.holes)
        for made in ctx.made.gradients():
            arrays = [
                None if place is None else _array(sources[place[0]][place[1]])
                for place in made.grad_inputs
            ]
            results = made.run(arrays, ctx.node.run.device, ctx.seed)
            ctx.node.run.cycles += made.cycles
            for out, index in made.grad_outputs.items():
                part = torch.from_numpy(results[out])
                before = gradients[index]
                gradients[index] = part if before is None else before + part
        kept = [value for value, hole in zip(gradients, ctx.holes) if not hole]
        return (None, None, None, *kept)
