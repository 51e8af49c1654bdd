"""Time of large recurrent layers that gather, stream, or begin to gather and leave at once.

`python -m bench recurrent.gathering`: `FORWARD_FRACTIONS` and `BACKWARD_FRACTIONS` of
`popsnn.cuda.recurrent.gathered.plan` follow from these rows. Each case is a layer of LIF neurons,
as in `bench.recurrent`, at several activities, and a CUDA graph of each:

- `popsnn-cuda-gathered-graph` gathers however many neurons are active;
- `popsnn-cuda-left-graph` leaves at the first step in which a neuron is active;
- `popsnn-cuda-streamed-graph` reads all weights at each step;
- `popsnn-cuda-graph` is as the kernels choose.

A last line of each case has the fractions of active neurons at which gathering takes as long as
streaming, on straight lines through the times over the unions. `--case neurons=8192`,
`--case batch=1` or `--case products=float32` chooses cases. `--only compile` runs each call once,
so that several processes can compile for one that measures.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import Callable, ContextManager, Dict, Iterator, List, Sequence, Tuple
from unittest.mock import patch

import torch

from bench import gpu
from bench.rows import Row, spread, wanted, wanted_case
from popsnn.cuda.recurrent import ops
from popsnn.cuda.recurrent.cluster import launch as cluster
from popsnn.cuda.recurrent.gathered import launch
from popsnn.cuda.recurrent.resident import launch as resident

from . import limits
from .large import CHOSEN, STREAMED, streamed_only
from .work import Layer, Work, membranes, row

GATHERED, LEFT = "popsnn-cuda-gathered-graph", "popsnn-cuda-left-graph"
BF16, FP32 = torch.bfloat16, torch.float32
# Neurons by the type of the products. No layer runs from registers here, as none with more states
# than LIF does.
SIZES = {BF16: (1024, 2048, 4096, 8192, 16384), FP32: (128, 512, 1024, 2048, 4096, 8192, 16384)}
BATCHES = (1, 8, 24, 48)
# Standard deviation and mean of the current, by the samples up to which they are of interest.
CURRENTS: Dict[int, Sequence[Tuple[float, float]]] = {
    1: ((0.23, 0.0), (0.53, 0.1), (0.53, 0.46), (0.53, 1.2)),
    8: ((0.18, 0.0), (0.23, 0.0), (0.36, 0.0), (0.53, 0.1)),
    48: ((0.15, 0.0), (0.18, 0.0), (0.23, 0.0), (0.36, 0.0)),
}
SECONDS = 0.04
EVERY = 1 << 30  # a limit of active neurons that no step has


@contextmanager
def _limit(most: int) -> Iterator[None]:
    """Let layers gather up to so many active neurons meanwhile."""
    with patch.object(launch, "limit", lambda *_: most), patch.object(ops, "gathers", _always):
        yield


def _always(*_: object, **__: object) -> bool:
    return True


def _no(*_: object, **__: object) -> bool:
    return False


def run() -> Iterator[Row]:
    """Measure all cases that are wanted."""
    if not gpu.here():
        return
    for products, sizes in SIZES.items():
        for neurons in sizes:
            for batch in BATCHES:
                name = str(products).replace("torch.", "")
                if wanted_case({"neurons": neurons, "batch": batch, "products": name}):
                    yield from measure(neurons, batch, products)


def measure(neurons: int, batch: int, products: torch.dtype) -> Iterator[Row]:
    """Measure a layer at all activities."""
    with patch.object(cluster, "in_clusters", _no), patch.object(resident, "fits", _no):
        yield from _measure(neurons, batch, products)


def _measure(neurons: int, batch: int, products: torch.dtype) -> Iterator[Row]:
    """Measure a layer, whose currents take the place of the first."""
    currents = next(values for most, values in CURRENTS.items() if batch <= most)
    torch.manual_seed(0)
    works = [Work(neurons, batch, *current) for current in currents]
    x, weight, grad = works[0].leaves(products)
    layer = Layer(x, weight, grad, products)
    for direction in ("forward", "backward"):
        if launch.planned(direction, weight, batch) is None:
            print(f"  N={neurons} B={batch} {products}: there is no plan {direction}")
            return
    modes: Dict[str, Callable[[], ContextManager[object]]] = {
        GATHERED: lambda: _limit(EVERY),
        LEFT: lambda: _limit(0),
        STREAMED: streamed_only,
        CHOSEN: ExitStack,
    }
    if not wanted("popsnn"):
        for mode in modes.values():
            with mode():
                layer.both()
        torch.cuda.synchronize()
        return
    graphs: Dict[str, Tuple[Callable[[], object], Callable[[], object]]] = {}
    for name, mode in modes.items():
        with mode():
            graphs[name] = gpu.graphed(layer.forward), gpu.graphed(layer.both)
    points: Dict[str, List[Tuple[float, float, float]]] = {"forward": [], "backward": []}
    for work, (scale, mean) in zip(works, currents):
        with torch.no_grad():
            x.copy_(work.x)
            spikes = layer.forward()
            counted = limits.unions(spikes, membranes(layer, spikes))
        active = {
            "forward": sum(counted.forward) / len(counted.forward) / neurons,
            "backward": sum(counted.backward) / len(counted.backward) / neurons,
        }
        fields = {
            **work.case(f"current {scale} + {mean}", spikes, products),
            **{f"union_{name}": round(value, 4) for name, value in active.items()},
        }
        medians = {}
        for name, calls in graphs.items():
            times = [gpu.calibrated(call, SECONDS) for call in calls]
            for metric, values in zip(("fwd_ms", "fwd_bwd_ms"), times):
                yield row(fields, name, products, metric, values)
            forward, both = (spread(values, 1.0)["median"] for values in times)
            medians[name] = {"forward": forward, "backward": both - forward}
        texts = []
        for direction, share in active.items():
            three = [medians[name][direction] for name in (GATHERED, STREAMED, CHOSEN, LEFT)]
            points[direction].append((share, three[0], three[1]))
            texts.append(f"{direction} {share:.3f}: " + " ".join(f"{v:.3f}" for v in three))
        ratio = sum(medians[CHOSEN].values()) / sum(medians[STREAMED].values())
        print(
            f"  N={neurons} B={batch} {products} ({fields['spikes']}) gathered, streamed, chosen, "
            f"left, ms: {'; '.join(texts)}; chosen / streamed {ratio:.3f}",
            flush=True,
        )
    crossings = {name: crossing(values) for name, values in points.items()}
    print(f"  N={neurons} B={batch} {products} crossings {crossings}", flush=True)


def crossing(points: Sequence[Tuple[float, float, float]]) -> float:
    """Return the fraction at which two times are equal, of (fraction, gathered, streamed).

    The line through the gathered times is that of least squares. Where it does not rise, the
    fraction is infinite.
    """
    count = len(points)
    mean_x = sum(x for x, _, _ in points) / count
    mean_y = sum(y for _, y, _ in points) / count
    square = sum((x - mean_x) ** 2 for x, _, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y, _ in points) / square
    level = sum(z for _, _, z in points) / count
    return round(mean_x + (level - mean_y) / slope, 3) if slope > 0 else float("inf")
