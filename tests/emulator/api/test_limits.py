"""Sizes beyond what the emulator counts in, in C++: an error each, where products once wrapped."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.emulator.library_tool import PROGRAMS, build


def shape(operation: str, *sizes: int) -> str:
    got = ",".join(map(str, sizes))
    expected = "expected a shape of below 2^32 elements"
    return f"tensor_creation_error: {operation}: {expected}, got {{{got}}}"


def variable(operation: str, name: str, *sizes: int) -> str:
    got = ",".join(map(str, sizes))
    expected = f"expected variable '{name}' to have below 2^32 elements"
    return f"tensor_creation_error: {operation}: {expected}, got {{{got}}}"


EXPECTED = {
    "variable": variable("Graph::addVariable", "v", 2**32, 2**32),
    "variable of 2^32": variable("Graph::addVariable", "x", 2**32),
    "empty variable": variable("Graph::addVariable", "x", 2**32, 0, 2**32),
    "linear variable": variable("Graph::addVariable", "", 2**32, 2**32),
    "constant": variable("Graph::addConstant", "", 2**32, 2**32),
    "constant of values": shape("Graph::addConstant", 2**32, 2**32),
    "reshape": shape("Tensor::reshape", 2**32, 2**32),
    "reshape in part": shape("Tensor::reshape", 2**62, 4, 2),
    "broadcast": shape("Tensor::broadcast", 2**32),
    "broadcast of broadcasts": shape("Tensor::broadcast", 2**31, 2**31),
    "upsample": shape("Tensor::upsample", 2**32),
    "concat": shape("concat", 2**32),
    "sub-samples": "{1} no error",
    "field size": (
        "graph_connection_error: Graph::setFieldSize: field 'Fields.rows' expected below "
        "2^32 elements, got 4294967297"
    ),
    "field index": (
        "graph_connection_error: FieldRef: expected an element below 2^32 - 1 of "
        "'Fields.rows', got 4294967296"
    ),
    "state index": (
        "graph_connection_error: compute set 'cs': field 'Fields.state' expected values "
        "below its size 4, got one for element 4294967293"
    ),
    "stream in": shape("Graph::addHostToDeviceFIFO", 2**62),
    "stream out": shape("Graph::addDeviceToHostFIFO", 2**62),
    "row": shape("Graph::addRemoteBuffer", 2**62),
    "rows": (
        "overflow_error: Graph::addRemoteBuffer: expected sizes whose product is below 2^64, "
        "got 4294967296 and 8589934592"
    ),
    "bytes of rows": (
        "system_runtime_error: Engine: expected 18446744073709551612 bytes of the host's "
        "memory for what the device holds, got none"
    ),
    "host function": shape("Graph::addHostFunction", 2**62),
    "tiles": (
        "invalid_machine_model: IPUModel: expected below 2^32 - 1 tiles, got 65536 IPUs of 65536"
    ),
    "tiles of a target": (
        "invalid_machine_model: IPUModel: expected below 2^32 - 1 tiles, got 2147483648 IPUs "
        "of 2147483648"
    ),
    "virtual tiles": (
        "invalid_machine_model: Target::createVirtualTarget: expected below 2^32 - 1 tiles, "
        "got 65536 IPUs of 65536"
    ),
    "no CPU": (
        "invalid_machine_model: Target::createCPUTarget: expected at least one IPU, tile and "
        "worker, got 0, 1 and 1"
    ),
    "linear mapping": shape("calcLinearTileMapping", 2**32, 2**32),
    "partitionable": shape("createPartitionableTensor", 2**32, 2**32),
    "imbalance": "getTileImbalance: expected a grainSize and tiles above 0, got 0 and 4",
    "tile index": "6 no error",
    "factors": (
        "factorDims: expected at most a factor for each dimension of {2,2} from 4294967295 "
        "on, got 2"
    ),
    "dimensions": "unfactorDims: expected at least 4294967296 dimensions, got {2,2}",
    "split": "1 no error",
    "partitions": shape("iterateTensorPartitions", 2**32, 2**32),
    "sliceable": shape("createSliceableTensor", 2**32, 2**32, 4),
    "sliceable from slice": (
        "overflow_error: createSliceableTensorFromSlice: expected sizes whose product is "
        "below 2^64, got 2 and 9223372036854775808"
    ),
    "slices": variable("Graph::addVariable", "slices", 2**62, 1, 2),
    "topK": shape("createTopKInput", 2**32, 2**32, 1),
    "circular buffer": shape("createSliceableTensor", 2**31, 2**32, 2**32),
    "counted loop": "countedLoop: expected an end below 2^32, got 4294967296",
    "steps": "one step, no error",
    "padding": shape("pad", 4, 2**62),
    "padding below": (
        "pad: expected a dimension of {2,2} with as many elements as are taken away, got "
        "-9223372036854775808 and 0 along dimension 0"
    ),
    "edges": shape("pad", 2, 2**32),
    "element around": shape("pad", 2, 2**32),
    "broadcast to match": shape("broadcastToMatch", 2**32),
    "linspace": shape("linspace", 2**62),
    "matrix": shape("createMatMulInputLHS", 2**32, 2**32),
    "right matrix": shape("createMatMulInputRHS", 4, 2**62),
}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    out = tmp_path_factory.mktemp("limits") / "limits"
    libraries = ["poplin", "popops", "poputil"]
    program: Path = build(PROGRAMS / "limits.cpp", out, libraries)
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    text = done.stdout.replace("step: [0]\n", "one step, ")
    return dict(line.split(": ", 1) for line in text.splitlines())


@pytest.mark.parametrize("case", EXPECTED)
def test_a_size_beyond_the_limits_is_one_sentence(results: dict[str, str], case: str) -> None:
    assert results[case] == EXPECTED[case]


def test_every_case_is_expected(results: dict[str, str]) -> None:
    assert list(results) == list(EXPECTED)
