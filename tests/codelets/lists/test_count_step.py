from __future__ import annotations

import pytest
from tests.codelets.cases import InOut, RunVertex, scalar


@pytest.mark.parametrize(("counter", "by"), [(3, 0), (3, -1), (0, -1), (-1, 1), (7, 2)])
def test_counts_on(run_vertex: RunVertex, counter: int, by: int) -> None:
    after = run_vertex("CountStep", {"counter": InOut(scalar(counter))}, {"by": by})
    assert after["counter"] == counter + by
