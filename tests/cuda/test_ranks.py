"""The fused layers with the time axis split over processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.cuda.host_kernels import host_folder

from popsnn import nn

WORKER = Path(__file__).with_name("ranks_worker.py")
RANKS = 2


def test_ranks_along_time_give_the_same_numbers(gloo: None, tmp_path: Path) -> None:
    package = str(Path(nn.__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": package, "GLOO_SOCKET_IFNAME": "lo"}
    workers = []
    for rank in range(RANKS):
        arguments = [str(rank), str(RANKS), str(tmp_path / "meeting"), str(host_folder())]
        command = [sys.executable, str(WORKER), *arguments, str(tmp_path / f"outcome_{rank}")]
        workers.append(
            subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        )
    for worker in workers:
        _, error = worker.communicate(timeout=300)
        assert worker.returncode == 0, error
    for rank in range(RANKS):
        for output, gradient in json.loads((tmp_path / f"outcome_{rank}").read_text()):
            assert output < 1e-5
            assert gradient < 1e-5
