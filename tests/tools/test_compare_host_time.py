"""tools/compare_host_time.py: the other tree, processes of both, and the table."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Callable, List

import pytest
from tools.compare_host_time import CALLED, LAUNCH

from tools import compare_host_time


def pair(before: float, here: float) -> tuple[compare_host_time.Times, compare_host_time.Times]:
    """Return the times of one process of each tree, of an operator `lif`."""
    return {CALLED: {"lif": before}}, {CALLED: {"lif": here}}


def test_a_folder_of_sources_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "python" / "popsnn").mkdir(parents=True)
    with compare_host_time.sources(str(tmp_path)) as folder:
        assert folder == tmp_path.resolve()


def test_a_folder_without_the_package_is_refused(tmp_path: Path) -> None:
    expected = r"compare_host_time: .*: expected python/popsnn in it, got none"
    with pytest.raises(SystemExit, match=expected), compare_host_time.sources(str(tmp_path)):
        pass


def test_the_table_has_the_least_and_the_median_of_each_tree() -> None:
    times = [pair(100.0, 120.0), pair(110.0, 110.0), pair(160.0, 170.0)]
    *_, line = compare_host_time.table(times, CALLED, "HEAD").splitlines()
    assert line.split() == ["lif", "100.0", "110.0", "110.0", "120.0", "1.100", "1.091"]


@pytest.mark.parametrize(
    ("arguments", "rounds", "gpu"),
    [([], 3, False), (["--gpu"], 5, True), (["--gpu", "--rounds", "2"], 2, True)],
)
def test_rounds_and_metrics_of_a_run(
    arguments: List[str],
    rounds: int,
    gpu: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "python" / "popsnn").mkdir(parents=True)
    asked = []

    def in_turn(other: Path, rounds: int, gpu: bool) -> list[object]:
        asked.append((other, rounds, gpu))
        return [pair(1.0, 1.0)] * rounds

    monkeypatch.setattr(compare_host_time, "in_turn", in_turn)
    compare_host_time.main([str(tmp_path), *arguments])
    assert asked == [(tmp_path.resolve(), rounds, gpu)]
    assert f"us of a call, forward and backward; {rounds} processes" in capsys.readouterr().out


def test_a_process_that_fails_ends_the_comparison(tmp_path: Path) -> None:
    (tmp_path / "python" / "popsnn").mkdir(parents=True)
    (tmp_path / "python" / "popsnn" / "__init__.py").write_text("raise ImportError('no neurons')")
    with pytest.raises(SystemExit, match=r"expected times, got:(?s:.*)no neurons"):
        compare_host_time.result_of(compare_host_time.child(tmp_path, True), tmp_path)


def test_the_time_inside_of_launches_is_a_part_of_the_call() -> None:
    class Module:
        def launch(self) -> None:
            time.sleep(2e-3)

    def call() -> None:
        Module().launch()
        time.sleep(4e-3)

    def series(counted: Callable[[], object]) -> None:
        for _ in range(3):
            counted()

    launch = Module.launch
    inside = compare_host_time.launch_seconds(call, Module, series)
    assert 2e-3 <= inside < 4e-3
    assert Module.launch is launch


def test_times_of_the_operators_without_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    host_time = compare_host_time.operators()
    operators, network = host_time._leaves(), host_time._network
    monkeypatch.setattr(host_time, "SERIES", 1)  # is set there
    monkeypatch.setattr(host_time, "_leaves", lambda: {"li": operators["li"]})
    monkeypatch.setattr(host_time, "_network", lambda backend: network("torch"))
    monkeypatch.setattr(host_time, "host_seconds", lambda call: [call() is None or 1.0])
    times = compare_host_time.measured_with_launches("cpu", "torch")
    assert set(times[CALLED]) == {"li", compare_host_time.NETWORK}
    assert times[LAUNCH]["li"] == 0.0
    assert compare_host_time.launcher().__name__ == "Module"
