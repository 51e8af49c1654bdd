"""Null pointers, empty callbacks and what was moved from, in C++: a sentence, never a crash."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.emulator.library_tool import PROGRAMS, build

EXPECTED = {
    "empty callback": (
        "stream_connection_error: Engine::connectStreamToCallback: expected a callback for "
        "'in', got none"
    ),
    "empty function": (
        "stream_connection_error: Engine::connectStreamToCallback: expected a callback for "
        "'in', got none"
    ),
    "null function": (
        "stream_connection_error: Engine::connectStreamToCallback: expected a callback for "
        "'in', got none"
    ),
    "moved handle": (
        "stream_connection_error: Engine::connectStreamToCallback: expected a callback for "
        "'in', got none"
    ),
    "empty host callback": (
        "stream_connection_error: Engine::connectHostFunction: expected a callback for 'f', "
        "got none"
    ),
    "empty host function": (
        "stream_connection_error: Engine::connectHostFunction: expected a callback for 'f', "
        "got none"
    ),
    "estimator": (
        "poplar_error: Graph::registerPerfEstimator: expected a function for 'V', got none"
    ),
    "stream": (
        "stream_connection_error: Engine::connectStream: expected 32 bytes for 'in', got a "
        "null pointer"
    ),
    "stream of range": (
        "stream_connection_error: Engine::connectStream: expected 32 bytes for 'in', got a "
        "null pointer"
    ),
    "stream ends before": (
        "stream_connection_error: Engine::connectStream: expected a buffer for 'in' that "
        "ends after its begin, got one that ends before"
    ),
    "a failed connection": (
        "stream_connection_error: Engine::run: expected stream 'in' to be connected, got no "
        "connection"
    ),
    "write": (
        "stream_connection_error: Engine::writeTensor: expected 32 bytes for 'w', got a null "
        "pointer"
    ),
    "write of range": (
        "stream_connection_error: Engine::writeTensor: expected a buffer for 'w' that ends "
        "after its begin, got one that ends before"
    ),
    "read": (
        "stream_connection_error: Engine::readTensor: expected 32 bytes for 'r', got a null pointer"
    ),
    "read of range": (
        "stream_connection_error: Engine::readTensor: expected 32 bytes for 'r', got a null pointer"
    ),
    "to rows": (
        "stream_connection_error: Engine::copyToRemoteBuffer: expected 32 bytes for 'rows', "
        "got a null pointer"
    ),
    "from rows": (
        "stream_connection_error: Engine::copyFromRemoteBuffer: expected 32 bytes for "
        "'rows', got a null pointer"
    ),
    "handle": "stream_connection_error: Engine::readTensor: expected a handle of the graph, got ''",
    "version": "invalid_machine_model: IPUModel: expected 'ipu1', 'ipu2' or 'ipu21', got ''",
    "message": "application_runtime_error: Abort: the program ended the run",
    "engine": "poplar_error: Engine::run: expected an Engine, got one that was moved from",
    "its profile": "poplar_error: getProfile: expected an Engine, got one that was moved from",
    "graph": "poplar_error: Engine: expected a graph, got one that was moved from",
    "program": "no error",
    "device": "poplar_error: Device: expected a device, got one that was moved to another holder",
    "vertex": (
        "graph_connection_error: VertexRef: expected a vertex of a graph, got an empty VertexRef()"
    ),
    "field": (
        "graph_connection_error: VertexRef: expected a vertex of a graph, got an empty VertexRef()"
    ),
    "executable": (
        "poplar_error: Executable::deserialize: expected a stream to read from, got a null pointer"
    ),
    "stream of another graph": (
        "poplar_error: Copy: expected what belongs to the same graph, got a part of another one"
    ),
    "rows of another graph": (
        "poplar_error: Copy: expected what belongs to the same graph, got a part of another one"
    ),
}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    program: Path = build(PROGRAMS / "nulls.cpp", tmp_path_factory.mktemp("nulls") / "nulls", [])
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return dict(line.split(": ", 1) for line in done.stdout.splitlines())


@pytest.mark.parametrize("case", EXPECTED)
def test_nothing_in_the_place_of_something_is_one_sentence(
    results: dict[str, str], case: str
) -> None:
    assert results[case] == EXPECTED[case]


def test_every_case_is_expected(results: dict[str, str]) -> None:
    assert list(results) == list(EXPECTED)


def test_no_callback_in_python(poplar, bench) -> None:
    b = bench()
    stream = b.graph.add_host_to_device_fifo("in", poplar.INT, 2)
    engine = b.engine(poplar.Copy(stream, b.variable(poplar.INT, [2])))
    with pytest.raises(TypeError, match="function: expected a callable, got None"):
        engine.connect_stream_to_callback(stream, None)
