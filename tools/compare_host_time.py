"""Compare the host time of a call of each operator with that of another commit.

python tools/compare_host_time.py REVISION|FOLDER [--rounds N] [--gpu]

The operators of `bench/host_time.py` run forward and backward in processes of both trees, which
take turns. Without `--gpu` the kernels' launches are left out, on tensors of the CPU: the time is
that of the path from the public function to the launch, and back through autograd, in seconds of
the processor. That commit must be 346b561 or later, whose tests can replace launches.

With `--gpu` kernels are launched, and the time is the host's wall clock. It is measured for the
call, for its forward pass, for what of the call lies in `Module.launch`, and for its replay in a
CUDA graph.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import types
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

ROOT = Path(__file__).resolve().parents[1]
CHILD = "POPSNN_HOST_TIME_TREE"
SERIES, SERIES_SECONDS, WARMUP = 25, 0.02, 50
GPU_SERIES, GRAPH_SECONDS = 8, 0.2
NETWORK = "SNN"
WITHOUT_CPU = ("readout_loss",)  # operators that the tests cannot run on a CPU
CALLED, FORWARD, LAUNCH, REPLAYED = "called", "forward", "launch", "replayed"
TITLES = {
    CALLED: "call, forward and backward",
    FORWARD: "forward pass of it",
    LAUNCH: "part of the call in Module.launch",
    REPLAYED: "replay of the call in a CUDA graph",
}

Times = Dict[str, Dict[str, float]]  # microseconds by metric and operator


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


def operators() -> Any:
    """Import this checkout's `bench.host_time` over the package of any of the trees."""
    from popsnn import nn

    if not hasattr(nn, "SparseLI"):
        nn.SparseLI = nn.LI  # type: ignore[misc]  # its name before
    properties = "popsnn.cuda.device.properties"  # `bench.gpu` has the name of a variable from it
    try:
        importlib.import_module(properties)
    except ModuleNotFoundError:
        for name in (properties.rpartition(".")[0], properties):
            sys.modules[name] = types.ModuleType(name)
        sys.modules[properties].LIMITS = "POPSNN_CUDA_LIMITS"  # type: ignore[attr-defined]
    sys.path.insert(0, str(ROOT))
    return importlib.import_module("bench.host_time")


def launcher() -> Any:
    """Return the class `Module` of the tree, whose `launch` launches every kernel."""
    for name in ("popsnn.cuda.device.module", "popsnn.cuda.module"):
        try:
            return importlib.import_module(name).Module
        except ModuleNotFoundError:  # the folders have changed
            continue
    raise SystemExit("compare_host_time: expected popsnn.cuda.device.module, got no such module")


class Launches:
    """Calls of a class's `launch`, and the seconds that they take."""

    def __init__(self) -> None:
        self.calls, self.seconds = 0, 0.0

    @contextmanager
    def counted(self, kind: Any) -> Iterator[Launches]:
        """Count the launches of a class meanwhile."""
        launch = kind.launch

        def timed(*arguments: Any, **options: Any) -> Any:
            start = time.perf_counter()
            try:
                return launch(*arguments, **options)
            finally:
                self.seconds += time.perf_counter() - start
                self.calls += 1

        kind.launch = timed
        try:
            yield self
        finally:
            kind.launch = launch


def launch_seconds(call: Callable[[], object], kind: Any, series: Callable[..., object]) -> float:
    """Return the least seconds of a call in `kind.launch`, of the calls that `series` makes."""
    found: List[float] = []

    def counted() -> None:
        launches = Launches()
        with launches.counted(kind):
            call()
        found.append(launches.seconds)

    series(counted)
    # The median of single calls, whose least is that of no typical one.
    return statistics.median(found)


def gradients(forward: Any, leaves: List[Any], backend: str) -> Callable[[], object]:
    """Return a call of an operator forward and backward."""
    import torch

    def call() -> object:
        output = forward(leaves, backend)
        return torch.autograd.grad(output, leaves, torch.ones_like(output))

    return call


def measured() -> Times:
    """Return the times of the tree that this process imports from, with launches left out."""
    import pytest
    import torch
    from tests.cuda import host_kernels

    host_time = operators()
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
        result[name] = 1e6 * least_seconds(gradients(forward, inputs, "cuda"))
    net, spikes = host_time._network("cuda")
    result[NETWORK] = 1e6 * least_seconds(step_of(net, spikes))
    del library
    return {CALLED: result}


def step_of(net: Any, spikes: Any) -> Callable[[], object]:
    """Return a call of a network forward and backward."""

    def step() -> None:
        net.zero_grad(set_to_none=True)
        net(spikes).sum().backward()

    return step


def measured_with_launches(device: str = "cuda", backend: str = "cuda") -> Times:
    """Return the times of the tree that this process imports from, on a GPU.

    On another device nothing is captured in a graph.
    """
    host_time = operators()
    from bench import gpu

    host_time.SERIES = GPU_SERIES
    kind = launcher()
    times: Times = {metric: {} for metric in TITLES}

    def add(name: str, call: Callable[[], object], forward: Callable[[], object]) -> None:
        series = host_time.host_seconds
        times[CALLED][name] = 1e6 * min(series(call))
        times[FORWARD][name] = 1e6 * min(series(forward))
        times[LAUNCH][name] = 1e6 * launch_seconds(call, kind, series)

    for name, (forward, leaves) in host_time._leaves().items():
        inputs = [leaf.to(device).requires_grad_() for leaf in leaves]
        call = gradients(forward, inputs, backend)
        add(name, call, partial(forward, inputs, backend))
        if device == "cuda":
            graph = gpu.graphed(call)
            times[REPLAYED][name] = 1e3 * min(gpu.calibrated(graph, GRAPH_SECONDS))
    net, spikes = host_time._network(backend)
    net, spikes = net.to(device), spikes.to(device)
    add(NETWORK, step_of(net, spikes), lambda: net(spikes))
    return times


def child(tree: Path, gpu: bool) -> subprocess.Popen[str]:
    """Start to measure a source tree in a process; the operators are this checkout's."""
    paths = (tree / "python", tree)
    environment = {**os.environ, CHILD: str(tree), "PYTHONPATH": os.pathsep.join(map(str, paths))}
    command = [sys.executable, "-P" if sys.version_info >= (3, 11) else "-B", __file__, str(tree)]
    return subprocess.Popen(
        command + ["--gpu"] * gpu,
        env=environment,
        cwd=tree,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def result_of(process: subprocess.Popen[str], tree: Path) -> Times:
    """Return what a process has measured.

    Raises
    ------
    SystemExit
        Where it failed, with what it wrote.
    """
    out, errors = process.communicate()
    if process.returncode:
        raise SystemExit(f"compare_host_time: {tree}: expected times, got:\n{errors}")
    result: Times = json.loads(out.splitlines()[-1])
    return result


def in_turn(other: Path, rounds: int, gpu: bool) -> List[Tuple[Times, Times]]:
    """Return the times of the other tree and of this one, of so many processes of each."""
    trees = (other, ROOT)
    if gpu:  # these compile kernels, and do not count
        for process, tree in [(child(tree, gpu), tree) for tree in trees]:
            result_of(process, tree)
    return [
        (result_of(child(other, gpu), other), result_of(child(ROOT, gpu), ROOT))
        for _ in range(rounds)
    ]


def table(times: List[Tuple[Times, Times]], metric: str, before: str) -> str:
    """Return the least and the median of all processes, by operator."""
    lines = [
        f"us of a {TITLES[metric]}; {len(times)} processes of each tree",
        f"{'':<16} {before[-21:]:>21} {'here':>21} {'ratio':>15}",
        f"{'operator':<16} " + " ".join(["     least     median"] * 2) + "   least  median",
    ]
    for name in times[0][1][metric]:
        values = [[pair[tree][metric][name] for pair in times] for tree in (0, 1)]
        least = [min(each) for each in values]
        median = [statistics.median(each) for each in values]
        cells = " ".join(f"{a:>10.1f} {b:>10.1f}" for a, b in zip(least, median))
        ratios = f"{least[1] / least[0]:>7.3f} {median[1] / median[0]:>7.3f}"
        lines.append(f"{name:<16} {cells} {ratios}")
    return "\n".join(lines)


@contextmanager
def sources(other: str) -> Iterator[Path]:
    """Return the folder of the other tree: itself, or that of a worktree of a commit.

    Raises
    ------
    SystemExit
        Where a folder has no package in it.
    """
    if Path(other).is_dir():
        folder = Path(other).resolve()
        if not (folder / "python" / "popsnn").is_dir():
            raise SystemExit(f"compare_host_time: {other}: expected python/popsnn in it, got none")
        yield folder
        return
    git = ("git", "-C", str(ROOT))
    with tempfile.TemporaryDirectory() as temporary:
        tree = Path(temporary) / "tree"
        subprocess.run([*git, "worktree", "add", "-q", "--detach", tree, other], check=True)
        try:
            yield tree
        finally:
            subprocess.run([*git, "worktree", "remove", "--force", tree], check=True)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument(
        "other", metavar="REVISION|FOLDER", help="commit, or folder of sources, to compare with"
    )
    made.add_argument("--rounds", type=int, help="processes of each tree (default 3; with --gpu 5)")
    made.add_argument("--gpu", action="store_true", help="launch kernels, on a GPU")
    return made


def main(argv: Optional[List[str]] = None) -> None:
    """Measure both trees and print the tables."""
    options = parser().parse_args(argv)
    if CHILD in os.environ:
        print(json.dumps(measured_with_launches() if options.gpu else measured()))
        return
    rounds = options.rounds or (5 if options.gpu else 3)
    with sources(options.other) as other:
        times = in_turn(other, rounds, options.gpu)
    print("\n\n".join(table(times, metric, options.other) for metric in times[0][1]))


if __name__ == "__main__":
    main()
