"""Ctrl-C while an Engine runs: between instructions, between vertices, within a vertex."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from typing import Tuple

import pytest

PROGRAM = """
import sys, time
import numpy as np
from popsnn._core import poplar as p

CODELETS = '''
#include <poplar/Vertex.hpp>
#include <chrono>
#include <thread>
using namespace poplar;
class Slow : public Vertex {{
 public:
  InOut<int> x;
  Input<int> milliseconds;
  void compute() {{
    std::this_thread::sleep_for(std::chrono::milliseconds(*milliseconds));
    ++*x;
  }}
}};
class Endless : public Vertex {{
 public:
  InOut<Vector<int>> x;
  void compute() {{
    for (volatile int i = 0; i >= 0; i = i == 9 ? 0 : i + 1) x[0] = i;
  }}
}};
'''
model = p.IPUModel()
model.tiles_per_ipu = 4
device = model.create_device()
graph = p.Graph(device.target)
graph.add_codelet_text(CODELETS)


def variable(type_, shape, value):
    t = graph.add_variable(type_, shape)
    graph.set_tile_mapping(t, 0)
    graph.set_initial_value(t, value)
    return t


{graph}
graph.create_host_read("x", x)
engine = p.Engine(graph, [program, p.Copy(y, x)], {{"emulator.threads": "{threads}"}})
engine.load(device)
for _ in range({warm}):
    engine.run(0)
print("running", flush=True)
try:
    engine.run(0)
except KeyboardInterrupt:
    print("interrupted", flush=True)
# The process goes on, and so does the engine.
engine.load(device)
engine.run(1)
print("x", int(engine.read_tensor("x", np.empty(x.shape, np.int32)).sum()), flush=True)
"""

LOOP = """
x, y = variable(p.INT, [64], 0), variable(p.INT, [64], 1)
more = variable(p.BOOL, [], True)
program = p.RepeatWhileTrue(p.Sequence(), more, p.Copy(y, x))
"""

# 64 vertices in one compute set, a tenth of a second each.
VERTICES = """
x, y = variable(p.INT, [64], 0), variable(p.INT, [64], 1)
cs = graph.add_compute_set("slow")
for i in range(64):
    v = graph.add_vertex(cs, "Slow", {"x": x[i], "milliseconds": variable(p.INT, [], 100)})
    graph.set_tile_mapping(v, i % 4)
program = p.Execute(cs)
"""

# The same that took no time before: as far as the emulator knows, all take some nanoseconds.
LATER = """
x, y = variable(p.INT, [64], 0), variable(p.INT, [64], 1)
wait, long = variable(p.INT, [], 0), variable(p.INT, [], 20)
cs = graph.add_compute_set("slow")
for i in range(64):
    v = graph.add_vertex(cs, "Slow", {"x": x[i], "milliseconds": wait})
    graph.set_tile_mapping(v, i % 4)
program = p.Repeat(1000, p.Sequence([p.Execute(cs), p.Copy(long, wait)]))
"""

ENDLESS = """
x, y = variable(p.INT, [64], 0), variable(p.INT, [64], 1)
cs = graph.add_compute_set("spins")
v = graph.add_vertex(cs, "Endless", {"x": x})
graph.set_tile_mapping(v, 0)
program = p.Execute(cs)
"""


def start(graph: str, threads: int = 1, warm: int = 0) -> subprocess.Popen:
    text = PROGRAM.format(graph=graph, threads=threads, warm=warm)
    child = subprocess.Popen(
        [sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    line = child.stdout.readline()
    assert line == "running\n", child.communicate()
    time.sleep(0.3)
    return child


def interrupt(child: subprocess.Popen) -> Tuple[float, str, str]:
    """Send SIGINT; return the seconds until the process ends, and what it printed."""
    begin = time.monotonic()
    child.send_signal(signal.SIGINT)
    try:
        out, errors = child.communicate(timeout=60)
    finally:
        child.kill()
    return time.monotonic() - begin, out, errors


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("graph", [LOOP, VERTICES, LATER], ids=["loop", "vertices", "later"])
def test_a_run_is_interrupted_and_the_process_goes_on(graph: str, threads: int) -> None:
    child = start(graph, threads)
    seconds, out, errors = interrupt(child)
    assert out == "interrupted\nx 64\n", errors
    assert child.returncode == 0
    assert seconds < 4  # about 0.2 on an idle machine; the vertices need 2 to 20 without


def test_a_handler_that_only_takes_a_note_does_not_end_a_run() -> None:
    noted = "import signal\nseen = []\nsignal.signal(signal.SIGINT, lambda *_: seen.append(1))\n"
    graph = noted + VERTICES.replace("100", "20")
    child = start(graph)
    for _ in range(2):  # each is seen by a check, so none of them is the second of an endless one
        child.send_signal(signal.SIGINT)
        time.sleep(0.3)
    _, out, errors = interrupt(child)
    assert out == "x 64\n", errors
    assert child.returncode == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_a_second_interrupt_names_a_vertex_that_does_not_end(threads: int) -> None:
    child = start(ENDLESS, threads)
    child.send_signal(signal.SIGINT)
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)  # too early to tell
    time.sleep(1)
    assert child.poll() is None
    _, out, errors = interrupt(child)
    assert child.returncode == -signal.SIGINT
    assert out == ""
    assert errors == (
        "Engine::run: expected compute set 'spins' of vertices of type 'Endless' to end within a "
        "second of an interrupt, got no end: the second one ends the process\n"
    )
