"""tools/rooms.py finds the files whose functions hold a value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from popsnn.neurons import LI
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
        LI().advance(3.0, (0.5,), (0.25,), lambda v, _: v)  # type: ignore[arg-type]

    assert rooms.traced(run, (0.5, 3.0)) == {
        "neurons/lif.py": ["x", "state"],
        "neurons/neuron.py": ["x", "state", "states", "named"],
    }
    assert rooms.traced(run, (0.75,)) == {}


def test_headers_of_a_kernel_are_those_that_have_the_parameters_of_its_neuron() -> None:
    assert rooms.cpp_of_beta() == {"cuda/popsnn/scan/scan.cuh": ["parameter", "scalar"]}


def test_the_way_of_beta_ends_at_the_step_of_its_neuron() -> None:
    for backend in ("cuda", "torch"):
        *_, last = rooms.beta(backend).items()
        assert last[0] == "neurons/lif.py"
        assert "beta" in last[1]


def test_the_way_of_a_capacity_ends_at_its_vertex() -> None:
    *files, last = rooms.cpp_of_max_activity()
    assert files[:1] == ["python/bindings/records.hpp"]
    assert "poplib/include/popsnn/network.hpp" in files
    assert "poplib/src/build/lists/forward_lists.cpp" in files
    assert last == "codelets/lists/merge_lists.cpp"


def test_comments_are_not_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "ROOT", tmp_path)
    (tmp_path / "a.hpp").write_text("int beta;  // gamma\n")
    paths = [tmp_path / "a.hpp"]
    assert rooms.found(paths, r"\bint\b", r"\bbeta\b") == {"a.hpp": ["beta"]}
    assert rooms.found(paths, r"\bgamma\b") == {}


def test_the_command_lists_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert rooms.main(["max_activity"]) == 0
    title, first, *_ = capsys.readouterr().out.splitlines()
    assert re.fullmatch(
        r"max_activity on the \w+ engine: \d+ files, \d+ of Python and \d+ of C\+\+", title
    )
    assert first == "  nn/sparse_lif.py: max_activity"
    with pytest.raises(SystemExit):
        rooms.main(["gamma"])
