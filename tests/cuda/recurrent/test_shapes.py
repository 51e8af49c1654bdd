"""The launchers' shapes of blocks are those of the kernels, as a compiler evaluates them."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Iterator

from tests.cuda.host_kernels import FLAGS, KERNEL_FLAGS

from popsnn.cuda.recurrent.portable import launch as portable
from popsnn.cuda.recurrent.portable import plan as planned
from popsnn.cuda.recurrent.resident import octet, pair
from popsnn.cuda.recurrent.resident.launch import (
    MOST_NEURONS,
    PART_NEURONS,
    UNDIVIDED,
    Division,
    Shape,
)

HEADERS = ("resident/pair", "resident/octet", "portable/portable")
SIZES = (1, 31, 500, 512, 1000, 1024, 1025, 1500, 1536, 2048, 2049, 2944, MOST_NEURONS)
GROUPS, STATES = 5, 3


def expressions(shape: str, values: dict[str, int], shared_bytes: int) -> Iterator[str]:
    """Yield assertions of a shape's constants, and that its shared memory suffices."""
    for name, value in values.items():
        yield f'static_assert({shape}::{name} == {value}, "{name}");'
    tiles = f"1 + RecurrentShared<{shape}>::kPartials + {shape}::kReceived"
    states = f"{STATES} * {GROUPS} * {shape}::kCellWarps"
    yield f'static_assert(512 * ({tiles} + {states}) <= {shared_bytes}, "shared memory");'


def forward(neurons: int, division: Division) -> Iterator[str]:
    shape = Shape(neurons, division)
    part = f", {shape.product_warps}, true" if division.parts > 1 else ""
    values = {
        "kSets": shape.sets, "kThreads": shape.threads, "kProductWarps": shape.product_warps,
        "kTiles": shape.tiles,
    }  # fmt: skip
    source = f"RecurrentShape<{shape.tiles}{part}>"
    yield from expressions(source, values, shape.shared_bytes(GROUPS, STATES))


def backward(neurons: int, division: Division) -> Iterator[str]:
    tiles, units = pair.tiles(neurons, division), pair.units_of_warp(neurons, division)
    warps = pair.product_warps(neurons, division)
    values = {
        "kSets": pair.sets(neurons, division), "kThreads": pair.threads(neurons, division),
        "kProductWarps": warps, "kCellWarps": pair.cell_warps(tiles),
        "kReceivedSlots": pair.RECEIVED_SLOTS, "kDepth": pair.DEPTH if units else 0,
    }  # fmt: skip
    bound = pair.shared_bytes(neurons, GROUPS, STATES, division)
    yield from expressions(f"PairShape<{tiles}, {units}, {warps}>", values, bound)


def of_few_samples(neurons: int) -> Iterator[str]:
    tiles = octet.tiles(neurons)
    values = {"kThreads": octet.THREADS, "kBuffers": octet.BUFFERS}
    # A step is a single group.
    bound = octet.shared_bytes(neurons, STATES * GROUPS)
    yield from expressions(f"OctetShape<{tiles}>", values, bound)


def of_any_gpu(
    direction: str, neurons: int, exact: bool, multiprocessors: int, most: int
) -> Iterator[str]:
    laid = planned.plan(direction, neurons, STATES, multiprocessors, most, exact)
    if laid is None:
        return
    numbers = ", ".join(map(str, laid.layout))
    values = {
        "kSets": laid.sets, "kThreads": portable.THREADS, "kBuffers": laid.buffers,
        "kProductWarps": planned.PRODUCT_WARPS,
    }  # fmt: skip
    in_parts = planned.most_parts(laid.blocks, multiprocessors, False) > 1
    for part in (", true", "") if in_parts else ("",):
        source = f"PortableShape<{portable.KINDS[direction]}<{laid.terms}>, {numbers}{part}>"
        yield from expressions(source, values, laid.shared_bytes(GROUPS, STATES))


def every_shape() -> Iterator[str]:
    parts = [Division(2, tiles) for tiles in (1, 2, 3)]
    for neurons in SIZES:
        yield from forward(neurons, UNDIVIDED)
        yield from backward(neurons, UNDIVIDED)
        if neurons <= 2048:
            yield from of_few_samples(neurons)
        for division in parts:
            if neurons <= PART_NEURONS * division.tiles:
                yield from forward(neurons, division)
            if neurons <= pair.PART_NEURONS:
                yield from backward(neurons, division)
        for direction in planned.UNITS:
            for gpu in ((132, 232448), (108, 166912), (128, 101376), (28, 101376)):
                yield from of_any_gpu(direction, neurons, False, *gpu)
                yield from of_any_gpu(direction, neurons, True, *gpu)


def test_shapes_are_those_of_the_kernels(tmp_path: Path) -> None:
    assertions = sorted(set(every_shape()))
    assert len(assertions) > 100
    source = tmp_path / "shapes.cpp"
    includes = [f"#include <popsnn/recurrent/{name}.cuh>" for name in HEADERS]
    lines = [*includes, "namespace popsnn {", *assertions, "}"]
    source.write_text("\n".join(lines))
    command = [
        "c++",
        *FLAGS,
        *KERNEL_FLAGS,
        "-fsyntax-only",
        "-include",
        "popsnn/device/hopper.cuh",
    ]
    done = subprocess.run([*command, str(source)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
