"""Compare the host time of a call of each operator with that of another commit, without a GPU.

python tools/compare_host_time.py REVISION [--rounds N]

The operators of `bench/host_time.py` run forward and backward with their kernels' launches left
out, on tensors of the CPU: what is measured is the path from the public function to the launch, and
back through autograd. Processes of both trees take turns; the least time of all series counts,
in seconds of the processor. The commit must be 346b561 or later, whose tests can replace launches.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Dict, List

ROOT = Path(__file__).resolve().parents[1]
CHILD = "POPSNN_HOST_TIME_TREE"
SERIES, SERIES_SECONDS, WARMUP = 25, 0.02, 50
NETWORK = "SNN"
WITHOUT_CPU = ("readout_loss",)  # operators that the tests cannot run on a CPU


class NoKernels:
    """Replacement of a module of compiled kernels; it launches none."""

    def active_blocks(self, *_: object) -> int:
        """Return a number of clusters that any launcher is content with."""
        return 64

    def launch(self, *_: object, **__: object) -> None:
        """Leave the launch out."""


def least_seconds(call: Callable[[], object]) -> float:
    """Return the least seconds of the processor that a call takes, of several series."""
    for _ in range(WARMUP):
        start = time.process_time()
        call()
        last = time.process_time() - start
    calls = max(1, int(SERIES_SECONDS / last))
    series: List[float] = []
    for _ in range(SERIES):
        start = time.process_time()
        for _ in range(calls):
            call()
        series.append((time.process_time() - start) / calls)
    return min(series)


def measured() -> Dict[str, float]:
    """Return microseconds of each operator of the tree that this process imports from."""
    import pytest
    import torch
    from tests.cuda import host_kernels

    sys.path.insert(0, str(ROOT))
    from bench import host_time
    from popsnn import nn

    if not hasattr(nn, "SparseLI"):
        nn.SparseLI = nn.LI  # type: ignore[misc]  # its name before
    torch.set_num_threads(1)
    kernels = NoKernels()
    patch = pytest.MonkeyPatch()
    library = host_kernels.cpu_operators()  # lives as long as the operators are called
    loader: Any = lambda source, device: kernels  # noqa: E731
    host_kernels.elementwise(patch, loader)
    host_kernels.networks(patch)
    host_kernels.recurrent(patch, loader)
    result = {}
    for name, (forward, leaves) in host_time._leaves().items():
        if name in WITHOUT_CPU:
            continue
        inputs = [leaf.clone().requires_grad_() for leaf in leaves]

        def call(forward: Any = forward, inputs: Any = inputs) -> object:
            output = forward(inputs, "cuda")
            return torch.autograd.grad(output, inputs, torch.ones_like(output))

        result[name] = 1e6 * least_seconds(call)
    net, spikes = host_time._network("cuda")

    def step() -> None:
        net.zero_grad(set_to_none=True)
        net(spikes).sum().backward()

    result[NETWORK] = 1e6 * least_seconds(step)
    del library
    return result


def run(tree: Path) -> Dict[str, float]:
    """Measure a source tree in a process of its own; the operators are this checkout's."""
    paths = (tree / "python", tree)
    environment = {**os.environ, CHILD: str(tree), "PYTHONPATH": os.pathsep.join(map(str, paths))}
    command = [sys.executable, "-P" if sys.version_info >= (3, 11) else "-B", __file__]
    done = subprocess.run(command, env=environment, cwd=tree, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"compare_host_time: {tree}: expected times, got:\n{done.stderr}")
    result: Dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def main() -> None:
    """Measure both trees and print a table."""
    if CHILD in os.environ:
        print(json.dumps(measured()))
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("revision", help="the commit to compare with")
    parser.add_argument("--rounds", type=int, default=3, help="processes of each tree (default 3)")
    options = parser.parse_args()
    git = ("git", "-C", str(ROOT))
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "tree"
        subprocess.run(
            [*git, "worktree", "add", "-q", "--detach", other, options.revision], check=True
        )
        try:
            times = [(run(other), run(ROOT)) for _ in range(options.rounds)]
        finally:
            subprocess.run([*git, "worktree", "remove", "--force", other], check=True)
    print(f"us of a call, forward and backward; least of {options.rounds} processes")
    print(f"{'operator':<16} {options.revision[:10]:>10} {'here':>10} {'ratio':>7}")
    for name in times[0][1]:
        before, now = (min(pair[tree][name] for pair in times) for tree in (0, 1))
        print(f"{name:<16} {before:>10.1f} {now:>10.1f} {now / before:>7.2f}")


if __name__ == "__main__":
    main()
