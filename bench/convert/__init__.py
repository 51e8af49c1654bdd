"""A training step of the first tutorials' networks of other libraries, and of the same converted.

``python -m bench convert``, on a GPU where there is one. A step is forward pass, loss, backward
pass and Adam's update. In the same run both get a few samples on the CPU, in float64 where the
library has it, and their results must be equal. The error of a row is how far the results of the
measured batch are apart in float32, where one spike that rounding turns is 1.
"""

from __future__ import annotations

import copy
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Callable, Iterator, List

import torch
from torch import Tensor, nn

from bench import gpu, rows
from bench.rows import Row, spread, wanted
from popsnn.convert.record import flat

from .models import TUTORIALS, Tutorial

BARS = {"cuda": 10.0, "cpu": 1.0}  # times as fast
CHECKED_SAMPLES = 8
RUNS = 20
TOLERANCES = {torch.float32: 1e-5, torch.float64: 1e-9}


def run() -> Iterator[Row]:
    """Yield two rows of each network: the library's own, and the converted one."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    for tutorial in TUTORIALS:
        try:
            release = version(tutorial.package)
        except PackageNotFoundError:
            print(f"  {tutorial.package}: not installed, not measured")
            continue
        if wanted(tutorial.package):
            yield from _measure(tutorial, f"{tutorial.package}-{release}", device)


def _measure(tutorial: Tutorial, release: str, device: str) -> Iterator[Row]:
    torch.manual_seed(0)
    theirs = tutorial.make().to(device)
    x, labels = tutorial.example(torch.float32, device, tutorial.shape[tutorial.batch])
    ours = tutorial.convert(theirs, x)
    check(tutorial, theirs, ours)
    with torch.no_grad():
        error = _distance(ours(x), tutorial.theirs(theirs, x))
    steps = {
        release: _step(tutorial, theirs, tutorial.theirs, x, labels),
        "popsnn-cuda" if device == "cuda" else "popsnn-torch": _step(
            tutorial, ours, lambda net, x: net(x), x, labels
        ),
    }
    times = _times(steps, device)
    ratio = 0.0
    for subject, milliseconds in times.items():
        row = Row(
            suite="convert",
            case={"network": f"{tutorial.package} {tutorial.title}", "input": list(tutorial.shape)},
            subject=subject,
            dtype="float32",
            metric="train_step_ms",
            max_rel_error=None if subject == release else error,
            limit=f"bar: {BARS[device]:g} times as fast as {release}",
            **spread(milliseconds, 1.0),
        )
        ratio = times_as_fast(ratio, row)
        print(f"  {tutorial.package:<14}{subject:<22}{row.median:9.3f} ms")
        yield row if device == "cpu" else _on_gpu(row)
    print(f"  {'':<14}{ratio:.1f} times as fast (bar: {BARS[device]:g})", flush=True)


def times_as_fast(before: float, row: Row) -> float:
    """Return how many times as fast a row is as `before` ms, or the row's own time at first."""
    return before / row.median if before else row.median


def check(tutorial: Tutorial, theirs: nn.Module, ours: nn.Module) -> None:
    """Raise RuntimeError where results of a few samples on the CPU are not equal."""
    kind, default = tutorial.exact, torch.get_default_dtype()
    x, _ = tutorial.example(kind, "cpu", CHECKED_SAMPLES)
    theirs, ours = (copy.deepcopy(net).to("cpu", kind) for net in (theirs, ours))
    try:
        torch.set_default_dtype(kind)  # norse makes first states of it
        with torch.no_grad():
            error = _distance(ours(x), tutorial.theirs(theirs, x))
    finally:
        torch.set_default_dtype(default)
    if not error < TOLERANCES[kind]:
        raise RuntimeError(
            f"convert: {tutorial.package}: expected equal results in {kind}, got an error of "
            f"{error:.3g}"
        )


def _distance(ours: Any, theirs: Any) -> float:
    """Return the largest difference of tensors, of 1 or of their largest value."""
    errors: List[float] = []
    for one, other in zip(flat(ours), flat(theirs)):
        scale = max(1.0, float(other.abs().max()))
        errors.append(float((one - other).abs().max()) / scale)
    return max(errors)


def _step(
    tutorial: Tutorial, net: nn.Module, call: Callable[[nn.Module, Tensor], Any], x: Tensor,
    labels: Tensor,
) -> Callable[[], None]:  # fmt: skip
    optimizer = torch.optim.Adam(net.parameters(), lr=tutorial.rate)

    def step() -> None:
        optimizer.zero_grad()
        tutorial.loss(call(net, x), labels).backward()
        optimizer.step()

    return step


def _times(steps: dict[str, Callable[[], None]], device: str) -> dict[str, List[float]]:
    if device == "cuda":
        return {name: gpu.calibrated(step) for name, step in steps.items()}
    seconds = rows.time_in_turn(steps, RUNS)
    return {name: [1e3 * each for each in times] for name, times in seconds.items()}


def _on_gpu(row: Row) -> Row:
    row.machine = gpu.machine()
    return row
