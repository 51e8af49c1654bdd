"""Members of the C++ API that no other test program has a use for, and what load() does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.emulator.library_tool import PROGRAMS, build

EXPECTED = """
sequences: 2 3 2 3 3 2 1 2 0
replicas: 3 0
other replica: stream_connection_error: CrossReplicaCopy: expected replica 0, got 1
switch: 70
unreachable: application_runtime_error: Switch: expected the value of one of its cases
function buffer: 5
other function: control_program_error: Copy: expected the function of the function buffer, got \
another one
seeds: 0 1 24 47 00 {1,6,4}
seed shape: poplar_error: setHwSeeds: expected unsigned int {2,6,4}, got unsigned int {48}
slices: 101
top: 12
metadata: quarter_metadata 1000
associate: type_error: Tensor::associateMetadata: expected a tensor of type quarter, got float
half: 11878 1.00098
report: 2 0 0 (8 0 8) (0 4 4) 1.500000s
[0,4]{
  "n": 1,
  "none": null,
  "quoted \\"": [
    true,
    "a\\nb",
    0.5
  ]
}
time: invalid_option: Engine: expected a time such as '60' or '500ms' for \
'target.hostSyncTimeout', got 'soon'
unit: invalid_option: Engine: expected a time such as '60' or '500ms' for \
'target.hostSyncTimeout', got '60 s'
kind: invalid_option: Engine: expected 'true' or 'false' for 'opt.enableInlining', got 'yes'
prefix: invalid_option: Engine: expected an option that it has, got 'opt.'
name: invalid_option: Engine: expected an option that it has, got 'optimise'
json: {"autoReport.directory":"a \\"b\\"","debug.trace":"true"} 1
runtime: invalid_option: Engine: expected an option that it has, got 'debug.traces'
memory: 8/131072 39/425984 39/425984
types: float half bool
targets: 2944 6
target option: invalid_option: Target::createIPUTarget: expected an option that it has, got \
'gateway'
clones: half {5,2,3} 30 float {2,2,3}
attached: 1 0 0 1
moved: 1 1 0
detached: 0 1 0
first: poplar_error: Device: expected a device, got one that was moved to another holder
given back: 1
rows: 1 2
row size: tensor_io_state_error: Engine::copyToRemoteBuffer: expected 8 bytes for 'rows', got 12
loads: 2 0 1
second engine: poplar_error: Engine: expected a compiled executable, got an empty one, or \
one that an Engine took over
first engine: no error
its tensors: no error
again: no error
loads: 2 0 1
second engine: 9 no error
first engine: poplar_error: Engine::run: expected the Engine that was loaded last onto device 0, \
got one that another has replaced
its tensors: poplar_error: Engine::readTensor: expected the Engine that was loaded last onto \
device 0, got one that another has replaced
again: no error
cycles: 1 1 1
"""


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list:
    out = tmp_path_factory.mktemp("api") / "api"
    program: Path = build(PROGRAMS / "api.cpp", out, [])
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_every_line_is_as_expected(lines: list) -> None:
    assert lines == EXPECTED.strip().splitlines()


def test_text_that_a_full_disk_cuts_off_is_not_compiled(tmp_path: Path) -> None:
    program = build(PROGRAMS / "full_disk.cpp", tmp_path / "full_disk", [])
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("addCodelets: cannot write the source to a file in /")
    assert done.stdout.endswith(": File too large\n")
