"""The tutorial `delays.md`, as its reader runs it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TUTORIAL = Path(__file__).parents[3] / "docs/tutorial/delays.md"


def test_learnt_delays_solve_the_task_and_a_layer_without_does_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = re.findall(
        r"^```python\n(.*?)^```", TUTORIAL.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    exec("\n".join(code), {})
    without, with_delays, steps = capsys.readouterr().out.splitlines()
    assert float(without.split()[-1].rstrip("%")) < 70
    assert float(with_delays.split()[-1].rstrip("%")) > 95
    delays = [int(step) for step in re.findall(r"-?\d+", steps)]
    assert len(delays) == 24
    assert min(delays) >= 0
    assert max(delays) <= 12
