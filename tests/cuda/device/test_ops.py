from __future__ import annotations

from importlib import import_module

import pytest

from popsnn.cuda.device import ops


@pytest.mark.skipif(not ops.AVAILABLE, reason="torch has no infer_schema before 2.5")
@pytest.mark.parametrize("family", ["batch_norm", "recurrent", "scan"])
def test_annotations_of_operators_are_types(family: str) -> None:
    """torch 2.5 reads those that are texts without the names of their module."""
    operators = import_module(f"popsnn.cuda.{family}.ops").OPERATORS
    annotations = [note for run, _ in operators.values() for note in run.__annotations__.values()]
    assert annotations
    assert not any(isinstance(note, str) for note in annotations)
