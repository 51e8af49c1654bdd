"""Calls that run out of memory at each of their allocations, and several processes on a GPU."""

from __future__ import annotations

import gc
import subprocess
import sys
from typing import Callable, Dict, List, Sequence

import pytest
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from popsnn import functional, nn
from popsnn.cuda import Adam, CapturedStep

# The end of a process that has run backward passes. A thread of autograd may still hold the last
# graph, and torch aborts where that thread lets go of it while Python ends: "terminate called
# without an active exception" (github.com/pytorch/pytorch/issues/190489).
END = "\nimport os, sys\nsys.stdout.flush()\nos._exit(0)\n"
CUTS = 12  # of the memory that a call takes: it fails after so many different allocations
Work = Callable[[], List[Tensor]]


def _leaf(*shape: int, scale: float = 1.0) -> Tensor:
    generator = torch.Generator("cuda").manual_seed(len(shape))
    values = torch.randn(shape, generator=generator, device="cuda")
    return (values * scale).requires_grad_()


def _results(outputs: Sequence[Tensor], leaves: Sequence[Tensor]) -> List[Tensor]:
    return [
        *(out.detach() for out in outputs),
        *torch.autograd.grad(sum(map(torch.sum, outputs)), leaves),
    ]  # type: ignore[arg-type]


def _lif() -> List[Tensor]:
    x = _leaf(50, 64, 4096)
    out = functional.lif(x, beta=0.9, threshold=1.0, membrane=True, backend="cuda")
    return _results([out.spikes, out.membrane], [x])


def _recurrent(steps: int, batch: int, neurons: int) -> List[Tensor]:
    x, weight = _leaf(steps, batch, neurons), _leaf(neurons, neurons, scale=neurons**-0.5)
    out = functional.recurrent_lif(
        x, weight, beta=0.9, threshold=1.0, weight_dtype=torch.bfloat16, backend="cuda"
    )
    return _results([out.spikes], [x, weight])


def _batch_norm() -> List[Tensor]:
    x = _leaf(8, 32, 64, 28, 28)
    scale, shift = _leaf(64), _leaf(64)
    out = functional.batch_norm_lif(x, scale, shift, beta=0.9, threshold=1.0, backend="cuda")
    return _results([out.spikes], [x, scale, shift])


def _trained(captured: bool) -> List[Tensor]:
    torch.manual_seed(0)
    hidden = nn.SparseLIF(2000, 3000, max_activity=0.1, grad_threshold=0.5)
    net = nn.SNN(hidden, nn.LI(3000, 10), backend="cuda", check_input=False).to("cuda")
    optimizer = Adam(net.parameters(), lr=1e-3)

    def step(x: Tensor, labels: Tensor) -> Tensor:
        optimizer.zero_grad()
        loss = cross_entropy(net(x).mean(0), labels)
        loss.backward()
        optimizer.step()
        return loss.detach()

    generator = torch.Generator("cuda").manual_seed(1)
    x = (torch.rand(50, 64, 2000, generator=generator, device="cuda") < 0.05).float()
    labels = torch.arange(64, device="cuda") % 10
    call = CapturedStep(step, x, labels) if captured else step
    losses = [call(x, labels).clone() for _ in range(3)]
    return [*losses, *(parameter.detach() for parameter in net.parameters())]


WORK: Dict[str, Work] = {
    "lif": _lif,
    "recurrent, clusters": lambda: _recurrent(100, 48, 1024),
    "recurrent, registers": lambda: _recurrent(40, 96, 2944),
    "recurrent, streamed": lambda: _recurrent(10, 130, 3500),
    "batch normalization": _batch_norm,
    "network": lambda: _trained(captured=False),
    "network, captured": lambda: _trained(captured=True),
}


def _release() -> None:
    gc.collect()
    torch.cuda.empty_cache()


def out_of_memory(name: str) -> int:
    """Run a call with less and less memory than it takes, and say how often that was too little.

    Raises
    ------
    AssertionError
        Where a call afterwards differs from one before.
    """
    total = torch.cuda.get_device_properties(0).total_memory
    work = WORK[name]
    work()  # loads the kernels
    _release()
    before = torch.cuda.memory_reserved()
    torch.cuda.reset_peak_memory_stats()
    expected = work()
    taken = torch.cuda.max_memory_reserved() - before
    failures = 0
    for cut in range(CUTS):
        _release()
        limit = torch.cuda.memory_reserved() + taken * cut // CUTS
        torch.cuda.set_per_process_memory_fraction(limit / total)
        try:
            work()
        except torch.cuda.OutOfMemoryError:
            failures += 1
        finally:
            torch.cuda.set_per_process_memory_fraction(1.0)
        for got, wanted in zip(work(), expected):
            torch.testing.assert_close(got, wanted, rtol=0, atol=0, equal_nan=True)
    return failures


@pytest.mark.parametrize("name", WORK)
def test_out_of_memory_leaves_the_process_usable(gpu: torch.device, name: str) -> None:
    """In a process of its own: blocks that earlier tests left behind would serve the calls."""
    script = f"from tests.cuda.test_memory import out_of_memory; print(out_of_memory({name!r}))"
    run = subprocess.run([sys.executable, "-c", script + END], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) >= CUTS // 2


def test_two_processes_share_a_gpu(gpu: torch.device) -> None:
    """Persistent kernels of both wait for their own blocks alone."""
    script = (
        "from tests.cuda.test_memory import WORK\n"
        "for name in ('network', 'recurrent, clusters', 'recurrent, registers', 'lif') * 5:\n"
        "    print(name, *(value.double().abs().sum().item() for value in WORK[name]()))\n"
    )

    def start() -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-c", script + END],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    alone = start().communicate(timeout=300)
    both = [process.communicate(timeout=300) for process in (start(), start())]
    assert [errors for _, errors in (alone, *both)] == ["", "", ""]
    assert alone[0].count("\n") == 20
    assert both[0][0] == both[1][0] == alone[0]


def test_busy_neighbours_change_no_bits(gpu: torch.device) -> None:
    """Of two launches: two of 500 calls differed while other processes kept memory busy."""
    script = (
        "import torch\n"
        "from popsnn import functional\n"
        "generator = torch.Generator('cuda').manual_seed(0)\n"
        "x = torch.randn(8, 97, 3500, generator=generator, device='cuda').bfloat16()\n"
        "weight = torch.randn(3500, 3500, generator=generator, device='cuda') / 40\n"
        "def call():\n"
        "    options = {'weight_dtype': torch.bfloat16, 'backend': 'cuda'}\n"
        "    return functional.recurrent_lif(x, weight, **options).spikes\n"
        "first = call()\n"
        "print(sum(not torch.equal(call(), first) for _ in range(400)))\n"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        for _ in range(8)
    ]
    assert [process.communicate(timeout=300)[0] for process in started] == ["0\n"] * 8
