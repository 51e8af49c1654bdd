"""Random graphs give the same bits on one host thread and on several."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

TILES = 16


def build(b, seed):
    """Steps of vertices over random parts of two tensors, some gathered, some scattered."""
    p, rng = b.poplar, np.random.default_rng(seed)
    n = int(rng.integers(200, 800))
    x, y = b.variable(p.FLOAT, [n, 3]), b.variable(p.FLOAT, [n, 3])
    b.graph.set_initial_value(x, rng.standard_normal(3 * n).astype(np.float32))
    steps = p.Sequence()
    for _ in range(int(rng.integers(1, 4))):
        cs = b.graph.add_compute_set()
        for i in range(n):
            source = x[int(rng.integers(n))] if i % 2 else x.slice(0, n, 0).transpose()[i % 3]
            source = source if i % 2 else source.slice(i // 2, i // 2 + 3)
            target = y[i]
            v = b.vertex(cs, "Affine<float>", i % TILES, out=target, **{"in": source})
            b.graph.set_initial_value(v["scale"], float(rng.standard_normal()))
            b.graph.set_initial_value(v["bias"], float(i))
        back = b.graph.add_compute_set()
        columns = y.transpose().flatten()
        for i in range(n):
            part = columns.slice(3 * i, 3 * i + 3)
            v = b.vertex(back, "Affine<float>", i % TILES, out=x[i], **{"in": part})
            b.graph.set_initial_value(v["scale"], 0.5)
        steps.add(p.Execute(cs))
        steps.add(p.Execute(back))
    both = p.concat([x, y])
    b.graph.create_host_read("all", both)
    return p.Repeat(20, steps), both.shape


@settings(max_examples=8)
@given(st.integers(0, 2**32 - 1))
def test_results_do_not_depend_on_the_number_of_threads(bench, seed):
    results = []
    for threads in (1, 2, 5):
        b = bench(tiles=TILES).codelets()
        program, shape = build(b, seed)
        engine = b.engine(program, emulator_threads=str(threads))
        engine.run()
        results.append(engine.read_tensor("all", np.empty(shape, np.float32)).tobytes())
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("threads", [2, 8])
def test_threads_sleep_and_wake(poplar, bench, threads):
    import time

    b = bench(tiles=TILES).codelets()
    x = b.variable(poplar.INT, [20_000])
    cs = b.graph.add_compute_set()
    for i in range(10_000):
        b.vertex(cs, "Increment", i % TILES, x=x.slice(2 * i, 2 * i + 2))
    b.graph.create_host_read("x", x)
    engine = b.engine(poplar.Repeat(50, poplar.Execute(cs)), emulator_threads=str(threads))
    for _ in range(4):
        engine.run()
        time.sleep(0.01)
    assert (engine.read_tensor("x", np.empty(20_000, np.int32)) == 200).all()
