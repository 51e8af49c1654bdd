"""Ranges of workers against exact division."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.emulator.popc_tool import CXX

CODELETS = Path(__file__).resolve().parents[3] / "codelets"

PROGRAM = """
#include "common/worker_range.hpp"
using namespace popsnn;
int main() {
  // All that the product takes, past its end, and up to the largest.
  for (unsigned n = 0; n < 300000; ++n)
    if (quotient<6>(n) != n / 6) return 1;
  for (unsigned n = ~0u - 1000; n != 0; ++n)
    if (quotient<6>(n) != n / 6) return 2;
  for (unsigned workers = 1; workers < 8; ++workers)
    for (unsigned total = 0; total < 1000; ++total)
      for (unsigned worker = 0; worker <= workers; ++worker)
        if (worker_begin(total, worker, workers) != total * worker / workers) return 3;
  return 0;
}
"""


def test_ranges_are_those_of_a_division(tmp_path: Path) -> None:
    (tmp_path / "ranges.cpp").write_text(PROGRAM)
    command = [CXX, "-O1", "-std=c++17", f"-I{CODELETS}", "ranges.cpp", "-o", "ranges"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "ranges"]).returncode == 0
