from __future__ import annotations

import pytest
from tests.codelets.cases import Output, RunVertex, scalar


@pytest.mark.parametrize(("step", "offset"), [(3, 0), (3, -1), (0, -1), (-1, 1), (7, 2)])
def test_adds_the_offset(run_vertex: RunVertex, step: int, offset: int) -> None:
    fields = {"from": scalar(step), "to": Output((), "int32")}
    after = run_vertex("SetStep", fields, {"offset": offset})
    assert after["to"] == step + offset
