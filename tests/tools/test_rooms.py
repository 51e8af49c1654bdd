"""tools/rooms.py finds the files whose functions hold a value."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from popsnn.functional.neuron import LI
from tools import rooms


@dataclass(frozen=True)
class Record:
    entries: object


@pytest.mark.parametrize(
    ("value", "held"),
    [
        (0.5, True),
        ([2, {"a": (0.5,)}], True),
        (Record([0.5]), True),
        (Record([0.25]), False),
        (1, True),
        (True, False),
        ("0.5", False),
    ],
)
def test_numbers_are_found_in_lists_and_records(value: object, held: bool) -> None:
    assert rooms.holds(value, (0.5, 1.0)) is held


def test_files_are_those_whose_functions_have_the_value() -> None:
    def run() -> None:
        LI().step(3.0, (0.5,), (0.25,), lambda v, _: v)  # type: ignore[arg-type]

    assert rooms.traced(run, (0.5, 3.0)) == {"functional/neuron.py": ["x", "state"]}
    assert rooms.traced(run, (0.75,)) == {}


def test_the_command_lists_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert rooms.main(["max_activity"]) == 0
    title, first, *_ = capsys.readouterr().out.splitlines()
    assert title.startswith("max_activity on the ")
    assert first == "  nn/sparse_lif.py: max_activity"
    with pytest.raises(SystemExit):
        rooms.main(["gamma"])
