"""Time of planning the largest published network over 16 IPUs on this machine's CPU."""

from __future__ import annotations

import resource
import time
from typing import Iterator

from bench.networks.published import CAP, WIDTH, scaled
from bench.rows import Row, spread
from popsnn import devices
from popsnn.profiling.measure import layout
from popsnn.profiling.models import describe, network

IPUS, LAYERS = 16, 193
BAR_SECONDS, BAR_BYTES = 60, 8 << 30


def run() -> Iterator[Row]:
    """Plan once; the peak is that of the process, with the network's weights in it."""
    preset = scaled(LAYERS)
    where = devices.parse(f"bow:ipus={IPUS}")
    net = network(preset, CAP, "fixed")
    begin = time.perf_counter()
    layout(describe(net, preset.steps, preset.batch, preset.input_capacity), where)
    seconds = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(
        f"  {LAYERS} layers of {WIDTH} on {IPUS} IPUs: {seconds:.1f} s (bar {BAR_SECONDS}), "
        f"{peak / 2**30:.2f} GiB (bar {BAR_BYTES >> 30})"
    )
    yield Row(
        suite="planning",
        case={"ipus": IPUS, "layers": LAYERS, "width": WIDTH, "batch": preset.batch},
        subject="popsnn-ipu",
        dtype="float32",
        metric="plan_s",
        **spread([seconds], 1.0),
        peak_bytes=peak,
    )
