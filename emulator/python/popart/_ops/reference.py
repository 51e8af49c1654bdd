"""ONNX's own evaluator, for operators that have no function here; it has no gradients."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import torch

from .._native import onnx
from .registry import Node


def evaluated(node: Node, proto: Any, *inputs: Any) -> Any:
    """Run one operator of ONNX.

    Raises
    ------
    popart_exception
        Where ONNX's evaluator does not have it.
    """
    helper = onnx().helper
    names = [name for name in proto.input if name]
    graph = helper.make_graph(
        [proto],
        "one",
        [onnx().ValueInfoProto(name=name) for name in names],
        [onnx().ValueInfoProto(name=name) for name in proto.output],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", node.version)])
    arrays = {name: v.detach().numpy() for name, v in zip(proto.input, inputs) if v is not None}
    try:
        runner = importlib.import_module("onnx.reference").ReferenceEvaluator(model)
        results = runner.run(None, arrays)
    except (NotImplementedError, RuntimeError, TypeError) as error:
        raise node.error(
            "expected an operator of the emulation or of ONNX's evaluator", error
        ) from error
    return tuple(torch.from_numpy(np.array(result)) for result in results)
