"""Remote buffers, host functions, prefetch, PrintTensor's layout, options, sorted regions."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.emulator.library_tool import PROGRAMS, build

EXPECTED = """
empty: poplar_error: Engine: expected a compiled executable, got an empty one, or one that an \
Engine took over
stream objects: 4 5 6 7
remote: 20 21 22 23 13 12 11 10 0 1 2 3 | 0 1 2 3
remote row: application_runtime_error: Copy: expected a row below 3 of remote buffer 'rows', got 3
host row: application_runtime_error: Engine::copyToRemoteBuffer: expected a row below 3 of remote \
buffer 'rows', got 3
remote name: stream_connection_error: Engine::copyToRemoteBuffer: expected a handle of the graph, \
got 'none'
remote size: poplar_error: Copy: expected a tensor of 1 rows of 4 elements for remote buffer \
'rows', got 8 elements
remote type: type_error: Copy: expected a destination of the source's type int, got float
host function: stream_connection_error: Engine::run: expected host function 'sum' to be \
connected, got no connection
host function: 6 20
host argument: graph_connection_error: Call: expected 3 elements of type int as inputs 0 of host \
function 'sum', got 2 elements of type int
stream: stream_connection_error: Engine::run: expected stream 'in' to be connected, got no \
connection
none: fcpcp 1
none: fcpcpcpcp 3
none: fcpcpcpcpi -1
stream: stream_connection_error: Engine::run: expected stream 'in' to be connected, got no \
connection
any: fcfc 1
any: fcfcfcfc 3
any: fcfcfcfc -1
f: [
 [  1.500000 -22.250000]
 [  0.000000   3.000000]
]
f: <
 <  1.5,-22.2>
 <  0.0,  3.0>
>
[   0    1    2 ... 1997 1998 1999]
wide: [123456 123456 123456 123456 123456 123456 123456 123456 123456 123456
  123456 123456 123456 123456 123456 123456 123456 123456 123456 123456]
tiny: [1.0000000e+00 2.0027161e-05]
option: invalid_option: Engine: expected an option that it has, got 'debug.unheard'
value: invalid_option: Engine: expected 'true' or 'false' for 'debug.instrument', got 'maybe'
environment: invalid_option: Engine: expected 'true' or 'false' for 'debug.instrument', got \
'perhaps'
JSON: parse_error: readJSON: expected '}' at character 25, got ''
good: no error
replicas: graph_replication_error: Graph: expected a replication factor of 1, which is all that \
the emulator has, got 2
remote buffers: 10
aliases: 4-5@4 5-7@5 ; 7-9@5 9-10@9 0-2@0 ; 2-4@2 ;
simple: 111
unbroadcast: 1
read: {2,3} half on 0:2-4 1:4-6 3:0-2 {3} int on 2:0-3 {0} half on regions 2
junk: poplar_error: Graph::deserializeTensors: expected what Graph::serializeTensors wrote here, \
got other bytes
format: poplar_error: Graph::deserializeTensors: expected the format Binary, got JSON
as JSON: {"tensors":[{"regions":[[0,6,8],[0,0,4]],"shape":[2,3],"type":"half"}],"variables":\
[{"numElements":8,"tiles":[[0,0,2],[1,2,4],[2,4,6],[3,6,8]],"type":"half"}]}
metadata: type_error: Engine::readTensor: expected a tensor of quarter for 'b', got one of a type \
without metadata
metadata equal 10
"""


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list:
    out = tmp_path_factory.mktemp("host_io") / "host_io"
    program: Path = build(PROGRAMS / "host_io.cpp", out, [])
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return [line.rstrip() for line in done.stdout.splitlines()]


def test_every_line_is_as_expected(lines: list) -> None:
    assert lines == EXPECTED.strip().splitlines()
