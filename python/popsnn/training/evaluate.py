"""Evaluation: the answers of a network on a dataset, and of a finished run on its test set."""

from __future__ import annotations

from typing import NamedTuple, Optional

import torch
from torch import Tensor

from ..data import SpikeDataset
from ..data.whole import IGNORED
from ..nn import SNN, SNNState
from . import objective
from .chunks import chunks
from .config import Recipe
from .report import Tally


class Answers(NamedTuple):
    """Counts of samples or steps of class c that were read as class k [C, C], and of spikes."""

    confusion: Tensor
    tally: Tally


def answers(net: SNN, dataset: SpikeDataset, recipe: Recipe, batch_size: int) -> Answers:
    """Return what a network answers on a dataset, in chunks where the recipe truncates.

    C is the number of classes, or of the network's outputs where these are more.
    """
    net.eval()
    classes = max(dataset.classes, int(net.stack[-1].out_features))
    counts = torch.zeros(classes * classes, dtype=torch.int64, device="cpu")
    tally = Tally()
    with torch.no_grad():
        for spikes, labels in dataset.batches(batch_size):
            state: Optional[SNNState] = None
            for chunk in chunks(spikes, labels, recipe.truncate):
                if chunk.last:
                    out = net(chunk.spikes, state)
                else:
                    out, state = net(chunk.spikes, state, return_state=True)
                read = objective.scores(out, recipe.readout).argmax(-1).cpu()
                wanted = chunk.labels.expand(read.shape)
                counted = wanted != IGNORED
                pairs = wanted[counted] * classes + read[counted]
                counts += torch.bincount(pairs, minlength=len(counts))
                samples = read.shape[-1] if chunk.last else 0
                right = int((read == wanted).sum())
                tally.add(samples, int(counted.sum()), right, 0.0, net.stats())
    return Answers(counts.reshape(classes, classes), tally)


def accuracy(confusion: Tensor) -> float:
    """Return the fraction of answers that are right."""
    return float(confusion.diagonal().sum()) / max(1, int(confusion.sum()))
