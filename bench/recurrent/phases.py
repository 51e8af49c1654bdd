"""Phases of a step of recurrent layers that gather: ``python -m bench.recurrent.phases``.

Each warp stamps the nanosecond at which it passes a phase of a step (`stamps.cuh`). The kernels
gather however many neurons are active. For each direction of a layer there are two lines:

- `step`: the time from the last block's messages of a step to those of the next step, and how it
  divides: the path of the messages until a warp of the slowest block has the first of them, the
  block's products, their sum, and its neurons' step;
- `blocks`: what a block takes from the last message to its own, of the mean and of the slowest
  block, and the active neurons of both.

Stamps cost less than half a microsecond a step. Arguments are pairs such as ``8192:8``, neurons
and samples.
"""

from __future__ import annotations

import sys
from typing import Callable, Iterator, List, Tuple
from unittest.mock import patch

import torch
from torch import Tensor

from bench import gpu
from popsnn.cuda.recurrent.gathered import launch

from .gathering import EVERY, _limit
from .large import CURRENTS
from .work import GATE, STEPS, Layer, Work, membranes

CASES = ("8192:8", "16384:8", "8192:48")
ACTIVITY = "1.1 %"
PHASES = ("begun", "arrived", "multiplied", "prepared", "summed", "published")
FIRST, LAST = 10, 90  # steps whose mean is printed


def stamped(direction: str, times: Tensor, source: Callable[..., str]) -> Callable[..., str]:
    """Return `launch.source` whose kernels of a direction stamp.

    `times` are of int64, [T, blocks, warps, phases], and stay where they are.
    """

    def text_of(of: str, *rest: object, **others: object) -> str:
        text = source(of, *rest, **others)
        if of != direction:
            return text
        return f"#define POPSNN_STAMPS {times.data_ptr():#x}ull\n{text}"

    return text_of


def stamps(layer: Layer, batch: int) -> Iterator[Tuple[str, Tensor]]:
    """Run a layer, and return the microseconds of each direction, [T, blocks, warps, phases].

    Those that a warp did not pass are 0.
    """
    for direction in ("forward", "backward"):
        laid = launch.planned(direction, layer.weight, batch)
        assert laid is not None
        shape = (STEPS, laid.blocks, laid.warps, len(PHASES))
        times = torch.zeros(shape, dtype=torch.int64, device=layer.weight.device)
        source = stamped(direction, times, launch.source)
        with patch.object(launch, "source", source), _limit(EVERY):
            for _ in range(3):  # the last of them counts
                layer.both()
        torch.cuda.synchronize()
        first = times[times > 0].min()
        yield direction, torch.where(times > 0, times - first, times).double().cpu() / 1e3


def table(direction: str, times: Tensor, rows: Tensor) -> List[str]:
    """Return lines on a direction, of stamps and of each block's active neurons, [T, blocks]."""
    ends = times[..., 5].amax(2)  # [T, blocks]
    parts, slow, mean = [], [], []
    for step in range(FIRST, LAST):
        before = float(ends[step - 1].max())
        block = int(ends[step].argmax())
        passed = times[step, block]  # [warps, phases]
        arrived, multiplied = float(passed[:, 1].max()), float(passed[:, 2].max())
        prepared, summed = float(passed[:, 3].max()), float(passed[:, 4].max())
        end = float(ends[step].max())
        parts.append([arrived - before, multiplied - arrived, prepared - multiplied,
                      summed - prepared, end - summed, end - before])  # fmt: skip
        slow.append([end - before, float(rows[step, block])])
        mean.append([float((ends[step] - before).mean()), float(rows[step].mean())])
    means = [torch.tensor(values).mean(0).tolist() for values in (parts, slow, mean)]
    names = ("path", "products", "next copies", "barrier", "neurons", "all")
    texts = ", ".join(f"{name} {value:.2f}" for name, value in zip(names, means[0]))
    return [
        f"  {direction} step, us of the slowest block: {texts}",
        f"  {direction} blocks: slowest {means[1][0]:.2f} us with {means[1][1]:.1f} active "
        f"neurons, mean {means[2][0]:.2f} us with {means[2][1]:.1f}",
    ]


def active(layer: Layer, direction: str, blocks: int) -> Tensor:
    """Return the neurons of each block whose rows a step reads, [T, blocks].

    Forward every block reads rows of all that fired, here as many in each block.
    """
    with torch.no_grad():
        spikes = layer.forward()
        if direction == "forward":
            fired = (spikes > 0).any(1).sum(-1).roll(1, 0)
            return fired[:, None].expand(-1, blocks).double().cpu()
        near = (membranes(layer, spikes) >= GATE).any(1).flip(0)  # [T, N]
    outs = -(-near.shape[1] // blocks // 16) * 16
    padded = torch.nn.functional.pad(near, (0, blocks * outs - near.shape[1]))
    return padded.unflatten(1, (blocks, outs)).sum(-1).double().cpu()


def main(cases: List[str]) -> None:
    """Print the phases of cases."""
    if not gpu.here():
        return
    for case in cases or list(CASES):
        neurons, batch = map(int, case.split(":"))
        torch.manual_seed(0)
        work = Work(neurons, batch, *CURRENTS[ACTIVITY])
        layer = Layer(*work.leaves(torch.bfloat16))
        print(f"N={neurons} B={batch} {ACTIVITY}", flush=True)
        for direction, times in stamps(layer, batch):
            rows = active(layer, direction, times.shape[1])
            print("\n".join(table(direction, times, rows)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
