"""cuda.core is imported whole while several threads ask for it."""

import subprocess
import sys

import pytest

pytest.importorskip("cuda.core")

PROGRAM = """
import sys, threading, time
from popsnn.cuda.device.cuda_core import cuda_core

first = threading.Thread(target=cuda_core)
first.start()
deadline = time.monotonic() + 60
while "cuda.core.cu12" not in sys.modules and "cuda.core.cu13" not in sys.modules:
    assert time.monotonic() < deadline
    time.sleep(1e-4)
assert cuda_core().ObjectCode is not None and cuda_core().utils.make_program_cache_key
first.join()
"""


def test_a_second_thread_gets_it_whole() -> None:
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
