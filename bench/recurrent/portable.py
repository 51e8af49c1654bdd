"""Recurrent layers on GPUs without a copy engine: the strategies that they choose between.

`POPSNN_CUDA_LIMITS="capability=8.0 multiprocessors=108 shared_bytes=166912" python -m bench
recurrent.portable`, on a GPU of compute capability 9.0 or on an older one, of LIF layers as in
`bench.recurrent`, T = 100, weights and tensors of bfloat16, as CUDA graphs. `--only` chooses among
the subjects: weights that stay on the multiprocessors, where they fit, weights that are read at
each step, and those of active neurons.
"""

from __future__ import annotations

from typing import Callable, Iterator
from unittest.mock import patch

import torch

from bench import gpu
from bench.gpu import graphed, milliseconds
from bench.rows import Row, spread, wanted, wanted_case
from popsnn.cuda.device.properties import has_copy_engine, multiprocessors, shared_bytes
from popsnn.cuda.recurrent import ops
from popsnn.cuda.recurrent.portable.plan import UNITS, plan
from popsnn.cuda.recurrent.strategy import LIF_STATES

from .work import SCALES, Layer, Work, gradient_error, lower_limit, membranes, row

# Neurons, samples, activity.
CASES = (
    (256, 48, "5 %"),
    (1024, 8, "5 %"),
    (1024, 48, "5 %"),
    (1024, 256, "5 %"),
    (2048, 48, "5 %"),
    (2944, 8, "5 %"),
    (2944, 8, "1 %"),
    (2944, 48, "5 %"),
    (2944, 256, "5 %"),
)
SUBJECTS = {"portable": "portable", "streamed": "streamed", "gathered": "streamed"}
RUNS = 20
TOLERANCE = 1e-2  # of gradients, which weights of bfloat16 round on their path


def run() -> Iterator[Row]:
    """Measure each case by each strategy.

    Raises
    ------
    RuntimeError
        Where the GPU has a copy engine, so that it does not choose between these; where spikes or
        gradients are not those of the reference.
    """
    if not gpu.here():
        return
    if has_copy_engine(torch.device("cuda")):
        raise RuntimeError(
            "recurrent.portable: expected a GPU without a copy engine, or POPSNN_CUDA_LIMITS with "
            f"its capability, got {gpu.machine()}"
        )
    for neurons, batch, activity in CASES:
        if not wanted_case({"neurons": neurons, "batch": batch, "activity": activity}):
            continue
        torch.manual_seed(0)
        work = Work(neurons, batch, SCALES[activity])
        for subject in SUBJECTS:
            if not wanted(subject):
                continue
            if subject == "portable" and not stays(neurons):
                print(f"  N={neurons}: the weights do not fit the multiprocessors")
                continue
            yield from measure(work, activity, subject)


def stays(neurons: int) -> bool:
    """Return whether this GPU holds the weights of so many LIF neurons, in both directions."""
    device = torch.device("cuda")
    have = (LIF_STATES, multiprocessors(device), shared_bytes(device), False)
    return all(plan(direction, neurons, *have) is not None for direction in UNITS)


def measure(work: Work, activity: str, subject: str) -> Iterator[Row]:
    """Measure one case by one strategy, forward with backward and forward alone."""
    with patch.object(ops, "choose_portable", lambda *_: SUBJECTS[subject]):
        if subject == "gathered":
            yield from _measured(work, activity, subject)
            return
        with patch.object(ops, "gathers", _no):
            yield from _measured(work, activity, subject)


def _measured(work: Work, activity: str, subject: str) -> Iterator[Row]:
    layer = Layer(*work.leaves(torch.bfloat16))
    graph = graphed(layer.both)
    spikes, grad_x, grad_weight = layer.both()
    case = work.case(activity, spikes, torch.bfloat16)
    spikes = spikes.detach()
    error = gradient_error(layer, spikes, membranes(layer, spikes), grad_x, grad_weight)
    if error > TOLERANCE:
        raise RuntimeError(
            f"recurrent.portable: gradients: expected those of the reference, got {error:.1e} off"
        )
    calls: dict[str, Callable[[], object]] = {
        "fwd_bwd_ms": graph,
        "fwd_ms": graphed(layer.forward),
    }
    name, limit = f"popsnn-cuda-{subject}-graph", lower_limit(work, torch.bfloat16)
    for metric, call in calls.items():
        times = milliseconds(call, RUNS)
        print(
            f"  N={work.neurons} B={work.batch} {activity} {subject} {metric}: "
            f"{spread(times, 1.0)['median']:.3f}, gradients off by {error:.1e}",
            flush=True,
        )
        yield row(case, name, torch.bfloat16, metric, times, limit=limit, error=error)


def _no(*_: object, **__: object) -> bool:
    return False
