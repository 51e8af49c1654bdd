"""Items of a dataset that other processes make."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Optional

import torch
from torch.utils.data import DataLoader, Dataset


def made_by(
    workers: int, items: Dataset[Any], begin: Optional[Callable[[int], None]] = None
) -> Iterator[Any]:
    """Return the items of a dataset in their order.

    Parameters
    ----------
    workers : int
        Processes that make them; 0 makes each here, where it is asked for.
    items : Dataset
    begin : callable, optional
        What a worker, given its number, does first.
    """
    if workers == 0:
        return (items[i] for i in range(len(items)))  # type: ignore[arg-type]
    # A loader draws a seed, from torch's own generator unless it is given one, on the default
    # device, which is that of its workers too: a forked process can have no CUDA.
    with torch.device("cpu"):
        loader = DataLoader(
            items,
            batch_size=None,
            num_workers=workers,
            generator=torch.Generator("cpu"),
            worker_init_fn=begin,
        )
        return iter(loader)
