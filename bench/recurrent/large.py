"""Large recurrent layers, whose weights do not fit registers: time and energy over the activity.

`python -m bench recurrent.large`, of LIF layers as in `bench.recurrent`, T = 100, weights and
tensors of bfloat16, as CUDA graphs. `--only` chooses parts:

- `bars`: named cases, whose gradients are compared with the reference in float64, next to the
  limit that follows from the measured unions (`limits.py`), and a single time step by columns;
- `sweep`: activities of 0.3 to 30 %, the kernels as they choose and forced to read all weights;
- `torch`, `jax`: loops over the time steps, at one activity, since dense loops do not depend on it;
- `energy`: joules of a training step.

`--case neurons=8192` or `--case batch=1` chooses cases.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Callable, Iterator, NamedTuple, Optional
from unittest.mock import patch

import torch

from bench import gpu
from bench.rows import Row, spread, wanted, wanted_case
from popsnn.cuda.recurrent import ops, strategy

from . import energy, limits, loops, step
from .limits import Ceilings
from .work import Layer, Work, gradient_error, membranes, row

# Standard deviation and mean of the current, for about so many spikes.
CURRENTS = {
    "0.3 %": (0.18, 0.0),
    "1 %": (0.23, 0.0),
    "1.1 %": (0.235, 0.0),
    "3 %": (0.36, 0.0),
    "5.2 %": (0.53, 0.0),
    "10 %": (0.53, 0.1),
    "30 %": (0.53, 0.46),
}
# Neurons, samples, activity, and milliseconds that are aimed at.
BARS = (
    (4096, 1, "1.1 %", None),
    (4096, 8, "1.1 %", None),
    (4096, 48, "1.1 %", None),
    (8192, 1, "1.1 %", 1.0),
    (8192, 8, "1.1 %", 2.2),
    (8192, 48, "1.1 %", 7.0),
    (8192, 1, "5.2 %", 1.7),
    (16384, 1, "1.1 %", 2.0),
    (16384, 8, "1.1 %", 6.5),
    (32768, 1, "1 %", 5.0),
)
SIZES = ((4096, 1), (4096, 8), (8192, 1), (8192, 8), (16384, 1), (16384, 8), (32768, 1))
ACTIVITIES = ("0.3 %", "1 %", "3 %", "10 %", "30 %")
PEERS = "1 %"
STEPPED = (8192, 1, "1 %")
ENERGY = (
    (8192, 1, "1.1 %"),
    (8192, 8, "1.1 %"),
    (16384, 1, "1.1 %"),
    (16384, 8, "1.1 %"),
)
TOLERANCE = 1e-2  # of gradients, which weights of bfloat16 round on their path
CHOSEN, STREAMED = "popsnn-cuda-graph", "popsnn-cuda-streamed-graph"
CALL_SECONDS = 0.25


class Case(NamedTuple):
    """A layer's size and activity."""

    neurons: int
    batch: int
    activity: str

    def work(self) -> Work:
        """Return the case's inputs, the same at each call."""
        torch.manual_seed(0)
        return Work(self.neurons, self.batch, *CURRENTS[self.activity])

    def wanted(self) -> bool:
        """Return whether the case is to be measured."""
        return wanted_case(self._asdict())

    def __str__(self) -> str:
        return f"N={self.neurons} B={self.batch} {self.activity}"


@contextmanager
def streamed_only() -> Iterator[None]:
    """Let every layer read all weights at each step, whatever fires, meanwhile."""
    with patch.object(strategy, "gathers", _no), patch.object(ops, "gathers", _no):
        yield


def _no(*_: object, **__: object) -> bool:
    return False


def run() -> Iterator[Row]:
    """Measure the parts that are wanted."""
    if not gpu.here():
        return
    with torch.no_grad():
        most = limits.measured()
    print(f"  {most.bandwidth / 1e12:.2f} TB/s, {most.products / 1e12:.0f} TFLOP/s", flush=True)
    if wanted("bars"):
        for neurons, batch, activity, bar in BARS:
            case = Case(neurons, batch, activity)
            if case.wanted():
                yield from chosen(case, most, bar)
        if Case(*STEPPED).wanted():
            neurons, batch, activity = STEPPED
            yield step.step(neurons, batch, torch.bfloat16, activity, columns=True)
    for neurons, batch in SIZES:
        cases = [Case(neurons, batch, activity) for activity in ACTIVITIES]
        for case in cases if wanted("sweep") else ():
            if case.wanted():
                yield from chosen(case, most)
                yield from streamed(case)
    for case in map(Case._make, ENERGY) if wanted("energy") else ():
        if case.wanted():
            yield from joules(case)
    for neurons, batch in SIZES if wanted("torch") or wanted("jax") else ():
        case = Case(neurons, batch, PEERS)
        if case.wanted():
            yield from loops.measure(case.work(), case.activity)


def chosen(case: Case, most: Ceilings, bar: Optional[float] = None) -> Iterator[Row]:
    """Measure a layer as the kernels choose, after a comparison with the reference.

    Raises
    ------
    RuntimeError
        Where spikes or gradients are not those of the reference.
    """
    work = case.work()
    layer = Layer(*work.leaves(torch.bfloat16))
    forward, both = gpu.graphed(layer.forward), gpu.graphed(layer.both)
    spikes, *gradients = (tensor.detach() for tensor in layer.both())
    v = membranes(layer, spikes)
    counted = limits.unions(spikes, v)
    error = gradient_error(layer, spikes, v, *gradients)
    if not error < TOLERANCE:
        raise RuntimeError(
            f"recurrent.large: {case}: gradients: expected those of the reference, got a "
            f"deviation of {error:.1e}"
        )
    fields = {**work.case(case.activity, spikes, layer.taken_as), **_fractions(case, counted)}
    del spikes, gradients, v
    for metric, call in (("fwd_bwd_ms", both), ("fwd_ms", forward)):
        parts = limits.seconds(case.neurons, case.batch, counted, most, metric == "fwd_bwd_ms")
        limit = limits.sentence(case.neurons, counted, most, parts)
        times = gpu.calibrated(call, CALL_SECONDS)
        least, median = 1e3 * sum(parts.values()), spread(times, 1.0)["median"]
        aim = "" if bar is None or metric == "fwd_ms" else f", bar {bar:.1f} ms"
        print(
            f"  {case} ({fields['spikes']}) {metric}: {median:.3f} ms, predicted {least:.3f} ms, "
            f"ratio {median / least:.2f}{aim}, gradients off by {error:.1e}",
            flush=True,
        )
        yield row(fields, CHOSEN, torch.bfloat16, metric, times, limit=limit, error=error)


def _fractions(case: Case, counted: limits.Unions) -> dict[str, object]:
    """Return the mean fractions of the neurons that are active in any sample."""
    return {
        f"union_{name}": round(sum(counts) / len(counts) / case.neurons, 4)
        for name, counts in (("forward", counted.forward), ("backward", counted.backward))
    }


def streamed(case: Case) -> Iterator[Row]:
    """Measure a layer that reads all weights at each step."""
    work = case.work()
    layer = Layer(*work.leaves(torch.bfloat16))
    with streamed_only():
        calls = {"fwd_bwd_ms": gpu.graphed(layer.both), "fwd_ms": gpu.graphed(layer.forward)}
        fields = work.case(case.activity, layer.forward(), layer.taken_as)
    for metric, call in calls.items():
        times = gpu.calibrated(call, CALL_SECONDS)
        print(f"  {case} streamed {metric}: {spread(times, 1.0)['median']:.3f} ms", flush=True)
        yield row(fields, STREAMED, torch.bfloat16, metric, times)


def joules(case: Case) -> Iterator[Row]:
    """Measure the energy of a training step, as the kernels choose and by reading all weights."""
    counter = energy.of_this_gpu()
    work = case.work()
    layer = Layer(*work.leaves(torch.bfloat16))
    with torch.no_grad():
        fields = work.case(case.activity, layer.forward(), layer.taken_as)
    graphs: dict[str, Callable[[], Any]] = {CHOSEN: gpu.graphed(layer.both)}
    with streamed_only():
        graphs[STREAMED] = gpu.graphed(layer.both)
    for name, graph in graphs.items():
        used = energy.per_call(graph, counter)
        print(
            f"  {case} {name}: {1e3 * used.joules:.2f} mJ, {1e3 * used.seconds:.3f} ms, "
            f"{used.joules / used.seconds:.0f} W",
            flush=True,
        )
        for metric, value in (("joules", used.joules), ("energy_ms", 1e3 * used.seconds)):
            yield row(fields, name, torch.bfloat16, metric, gpu.once(value))
