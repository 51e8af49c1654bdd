"""Seconds from a new neuron to its first gradients, with no compiled kernel in the cache.

Each run is a process of its own, which has imported torch and popsnn and used the GPU before.
Without a GPU the metric is `compile_s`: the trace of the step, and the kernels of a forward and a
backward pass for an H200, all that a first call waits for but the launch.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Iterator, Tuple

import torch
from torch import Tensor

import popsnn
from bench import gpu
from bench.rows import Row, spread, wanted
from popsnn import functional, neurons, surrogate
from popsnn.cuda.device import compiler, program

RUNS = 3
BAR = 3.0  # seconds
SHAPE = (64, 8, 512)
TOLERANCE = 1e-4  # of the largest element


class QuadraticLIF(popsnn.Neuron):
    """The neuron of the tutorial."""

    states = ("v", "s")
    parameters = {"beta": 0.9, "kappa": 0.2, "threshold": 1.0}  # noqa: RUF012

    def step(self, x: Tensor, state: Any, p: Any, fire: Any) -> Any:
        r = self.after_reset(state.v, state.s, p.threshold)
        v = p.beta * r + p.kappa * r * r + x
        return v, fire(v, p.threshold)


NEURONS = {
    "LIF": neurons.LIF,
    "QuadraticLIF": QuadraticLIF,
    "AdEx": neurons.AdEx,
    "Izhikevich": neurons.Izhikevich,
}


def _compile(name: str) -> Tuple[float, float]:
    """Return the seconds until the kernels of a shape are compiled, and no error."""
    start = time.perf_counter()
    neuron = NEURONS[name]()
    kernel_text = neuron.translation()
    text, carried = kernel_text.source, kernel_text.carried
    if text is None:
        raise RuntimeError(
            f"first_call: {name}: expected a translation, got none: {kernel_text.reason}"
        )
    saved = len(neuron.states) - 1 + kernel_text.added
    gradient = program.gradient_source(neuron, surrogate.SuperSpike(), False)
    forward, backward = program.VECTORS[4][0], program.backward_vectors(4, saved, False)[0]
    passes = {
        f"scan_forward_{forward}": program.forward_source(text, torch.float32, 0, "float", False),
        f"scan_backward_{backward}": program.backward_source(
            text, gradient, torch.float32, 0, False, "spikes", saved, carried
        ),
    }
    for kernel, source in passes.items():
        compiler.Cubins(source, "sm_90")[kernel]
    return time.perf_counter() - start, 0.0


def _call(name: str) -> Tuple[float, float]:
    """Return the seconds of the first call on a GPU, and its error."""
    x = torch.randn(SHAPE, generator=torch.Generator().manual_seed(0)) + 0.5
    neuron = NEURONS[name]()
    parameters = dict(zip(neuron.parameters, neuron.defaults))

    def gradient(where: str, backend: str) -> Tensor:
        leaf = x.to(where).requires_grad_()
        out = functional.scan(name, neuron, leaf, None, parameters, backend=backend)
        assert out.spikes is not None
        (grad,) = torch.autograd.grad(out.spikes.sum(), leaf)
        return grad.cpu()

    torch.ones(8, device="cuda").sum().item()
    start = time.perf_counter()
    got = gradient("cuda", "cuda")
    seconds = time.perf_counter() - start
    return seconds, gpu.relative_error(got, gradient("cpu", "torch"))


def run() -> Iterator[Row]:
    """Measure each neuron in processes of their own."""
    on_gpu = torch.cuda.is_available()
    for name in filter(wanted, NEURONS):
        results = []
        for _ in range(RUNS):
            with tempfile.TemporaryDirectory() as folder:
                environment = {**os.environ, "POPSNN_CACHE_DIR": folder}
                command = [sys.executable, "-m", "bench.first_call", name]
                root = Path(__file__).resolve().parents[1]
                done = subprocess.run(
                    command, env=environment, cwd=root, check=True, stdout=subprocess.PIPE
                )
            results.append(json.loads(done.stdout))
        seconds, errors = zip(*results)
        if not max(errors) < TOLERANCE:
            raise RuntimeError(f"first_call: {name}: expected the reference, got {max(errors)}")
        row = Row(
            suite="first_call",
            case={"neuron": name, "passes": "forward and backward"},
            subject="popsnn-cuda",
            dtype="float32",
            metric="first_call_s" if on_gpu else "compile_s",
            max_rel_error=max(errors),
            limit=f"bar: {BAR:.0f} s",
            **spread(seconds, 1.0),
        )
        print(f"  {name:<16} {row.metric:<12} {row.median:6.2f} (bar: {BAR:.0f} s)", flush=True)
        yield replace(row, machine=gpu.machine()) if on_gpu else row


if __name__ == "__main__":
    print(json.dumps((_call if torch.cuda.is_available() else _compile)(sys.argv[1])))
