"""tools/check_wheels.py takes the versions of torch that pip finds for this Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import check_wheels

SHOWN = """torch (2.10.0)
Available versions: 2.10.0, 2.9.1, 2.9.0, 2.1.0+cpu, 2.1.0, 2.0.1, 2.0.0, 1.13.1
  INSTALLED: 2.9.1
"""


@pytest.mark.parametrize(
    ("words", "versions"),
    [
        (["oldest", "newest"], ["2.0.0", "2.10.0"]),
        (["every"], ["2.0.1", "2.1.0+cpu", "2.9.1", "2.10.0"]),
        (["newest", "2.3.0"], ["2.10.0", "2.3.0"]),
        (["2.3.0"], ["2.3.0"]),
    ],
)
def test_versions(words: list[str], versions: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_wheels, "call", lambda *_: SHOWN)
    assert check_wheels.versions_of(words) == versions


def test_a_release_is_no_number() -> None:
    assert check_wheels.release_of("2.10.0") > check_wheels.NUMPY_1 >= check_wheels.OLDEST


def test_no_versions_end_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_wheels, "call", lambda *_: "")
    with pytest.raises(SystemExit, match=r"^check_wheels: pip index versions torch: expected ver"):
        check_wheels.versions_of(["oldest"])


def test_slow_trials_are_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = Path("popsnn-0.1.0-py3-none-any.whl")
    monkeypatch.setattr(check_wheels, "newest", lambda _: wheel)
    seconds = {"2.0.0": 10.0, "2.1.0": 50.0}

    def trial(_: str, wheel: Path, torch: str) -> check_wheels.Trial:
        return check_wheels.Trial(wheel, torch, seconds[torch], 9.0, 11.0, 8.0)

    monkeypatch.setattr(check_wheels, "try_out", trial)
    command = ["--keep", "--only", "pure", "--torch"]
    assert check_wheels.main([*command, "2.0.0"]) == 0
    assert capsys.readouterr().out.endswith("| 2.0.0 | pure | 10 (9) | 11 (8) |\n")
    assert check_wheels.main([*command, "2.0.0", "2.1.0"]) == 1
    assert ": expected at most 60 s together" in capsys.readouterr().out.splitlines()[-1]
