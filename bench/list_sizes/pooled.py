"""Savings of pooled lists, those of several samples one behind the other, modelled.

An exchange carries a list of each sample, with room for the longest list of the step. Lists of g
samples one behind the other need room for the largest sum of a group. But the addresses of an
exchange are compiled, so a tile first receives the g lists, in the room that they have today, and
closes the gaps. Counted are the entries that a tile receives, used or not, as if the compiled sizes
were the best for each step: those of the step's exchange, and those of the tile that pools. What
closes the gaps takes, and the additional compute set and exchange with their syncs, is left out. So
the savings are more than what could be reached.

The second question is memory: a history has room for the capacity at every time step. A pool of a
sample's whole sequence needs room for the largest sum over its steps.

The lists are those of `popsnn train fsdd` on its test set, one seed, trained here with
`max_activity="auto"`, the threshold and the penalty of most tasks of `bench.accuracy.auto`.
`POPSNN_BENCH_FSDD` names the archive of spoken digits.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

import torch
from torch import Tensor

from bench.accuracy.auto import COST, THRESHOLD
from bench.accuracy.study import ENGINES
from bench.data import ARCHIVE
from bench.modelled import row
from bench.rows import Row
from popsnn import backends, training

GROUPS = (2, 4, 8)  # samples whose lists are pooled
BYTES, BYTES_PER_CYCLE = 2, 4  # of an index; that a tile receives, of the SDK's target
LIMIT = "entries that a tile receives; more than what pooled lists could save"


def run() -> Iterator[Row]:
    """Train the network, and yield the rows of its lists."""
    if not ARCHIVE.is_file():
        print(f"  no spoken digits: expected their archive at {ARCHIVE}, got none")
        return
    sizes, capacity = trained_sizes()
    steps, _, batch = sizes.shape
    case = {"network": "popsnn train fsdd", "T": steps, "batch": batch, "capacity": capacity}

    def one(metric: str, value: float, **of: int) -> Row:
        print(f"  {metric.replace('_', ' ')}{of or ''}: {value:,.1f}")
        return row("list_sizes", {**case, **of}, metric, value, limit=LIMIT)

    yield one("entries_of_a_list", float(sizes.double().mean()))
    for count, entries in exchanged(sizes).items():
        yield one("pooled_exchange_cycles", entries * BYTES / BYTES_PER_CYCLE, pooled=count)
    yield one("history_bytes", float(steps * capacity * BYTES))
    yield one("pooled_history_bytes", float(sizes.sum(0).max() * BYTES))


def trained_sizes() -> Tuple[Tensor, int]:
    """Train, and return the entries of each list [T, batches, B] and the capacity of a list."""
    engine = "cuda" if backends()["cuda"].available else "ipu"
    options = {
        **COST,
        **ENGINES[engine],
        "data": str(ARCHIVE),
        "grad_threshold": THRESHOLD,
        "pictures": False,
    }
    config = training.merged("fsdd", None, options)
    parts = training.datasets(config)
    net = training.network(config, parts.train.lists.size, parts.train.classes)
    epochs: List[training.EpochMetrics] = []
    with tempfile.TemporaryDirectory() as folder:
        optimizer = training.optimizer(config, net)
        train = training.Training(net, optimizer, parts.train, parts.test, Path(folder), config)
        train.run(epochs.append, progress=False)
    net.eval()
    sizes = []
    with torch.no_grad():
        for spikes, _ in parts.test.batches(config.batch_size):
            if spikes.shape[1] == config.batch_size:
                _, traces = net(spikes, trace=True)
                sizes.append(traces[0].spikes.to_dense().sum(-1).long().cpu())
    return torch.stack(sizes, dim=1), epochs[-1].capacities[0]


def exchanged(sizes: Tensor) -> Dict[int, float]:
    """Return the entries that a tile receives in a step, used or not, by the samples of a pool.

    Parameters
    ----------
    sizes : Tensor [T, batches, B]
        Entries of each list. Means are over time steps and batches.
    """
    batch = sizes.shape[-1]
    longest = sizes.amax(-1).double()
    entries = {1: float((batch * longest).mean())}
    for group in (*GROUPS, batch):
        padded = torch.nn.functional.pad(sizes, (0, -batch % group))
        sums = padded.unflatten(-1, (-1, group)).sum(-1)
        received = sums.shape[-1] * sums.amax(-1).double()
        entries[group] = float((received + group * longest).mean())
    return entries
