"""Annotations of inputs and outputs that are copied while a device computes, and their checks."""

from __future__ import annotations

from typing import Any, Iterable, NamedTuple

import torch
from torch import Tensor

from .._context import current
from .._errors import Error
from .._structure import rebuilt, tensors
from ..enums import OutputMode, OverlapMode


class Overlap(NamedTuple):
    """An annotation of an `"input"` or an `"output"`: the tensor before and after it."""

    kind: str
    before: Tensor
    after: Tensor
    mode: OverlapMode


def marked(kind: str, values: Any, mode: OverlapMode) -> Any:
    """Return tensors, or tuples and the like of them, with an annotation.

    Raises
    ------
    Error
        Where there is no tensor.
    """
    found = list(tensors(values))
    if not found:
        raise Error(
            f"You may only set overlap for torch.tensor {kind}s. {type(values)} is not supported."
        )
    return rebuilt(values, iter([_marked(kind, value, mode) for value in found]))


def _marked(kind: str, value: Tensor, mode: OverlapMode) -> Tensor:
    run = current()
    if run is None or run.graph is None:
        return value
    with torch._C.DisableTorchFunction():
        after = value.view_as(value)
    run.graph.overlaps.append(Overlap(kind, value, after, mode))
    run.graph.follow(value, after)
    return after


def check_overlaps(graph: Any, results: Iterable[Tensor], options: Any) -> None:
    """Check the annotations of a graph.

    Raises
    ------
    Error
        Where an annotated input has other uses or is none, an output is none or returned twice, or
        the options do not allow copies meanwhile.
    """
    outputs = [id(value) for value in results]
    for mark in graph.overlaps:
        if mark.kind == "input":
            _check_input(mark, graph, outputs)
        else:
            _check_output(mark, graph, outputs)
    kinds = {mark.kind for mark in graph.overlaps if mark.mode != OverlapMode.NoOverlap}
    if kinds:
        _check_settings(kinds, options)


def _check_input(mark: Overlap, graph: Any, outputs: list[int]) -> None:
    if id(mark.before) not in graph.inputs:
        raise Error(
            "poptorch.set_overlap_for_input applied on a node which is not a tensor input to the "
            "model."
        )
    name = graph.name_of(mark.before)
    marks = sum(other.before is mark.before for other in graph.overlaps)
    used = any(name in operation.inputs for operation in graph.operations)
    if used or marks > 1 or id(mark.before) in outputs:
        raise Error(
            "poptorch.set_overlap_for_input must be the only op applied to an input. This is not "
            f"the case for input {name} to the model."
        )


def _check_output(mark: Overlap, graph: Any, outputs: list[int]) -> None:
    if id(mark.after) not in outputs:
        raise Error(
            "poptorch.set_overlap_for_output applied on a node which is not a tensor output to "
            "the model."
        )
    if outputs.count(id(mark.after)) + outputs.count(id(mark.before)) > 1:
        raise Error(
            "poptorch.set_overlap_for_output cannot be used with a tensor that is returned twice. "
            "Please check all returned tensors including those nested in tuples/lists."
        )


def _check_settings(kinds: set[str], options: Any) -> None:
    if options._execution_strategy.mode == "Pipelined":
        raise Error(
            "Overlapped IO is not supported with poptorch.PipelinedExecution. If you are using "
            "only one IPU, please switch to poptorch.ShardedExecution."
        )
    if not options.TensorLocations.exists("numIOTiles"):
        raise Error(
            "No IO tiles allocated. You must allocate at least 32 IO tiles using "
            "poptorch.Options().TensorLocations.numIOTiles."
        )
    if "output" in kinds and options.output_mode not in (OutputMode.All, OutputMode.Sum):
        raise Error(
            "Unsupported output mode for overlapped IO. Please switch output mode to "
            "poptorch.OutputMode.All or poptorch.OutputMode.Sum."
        )
