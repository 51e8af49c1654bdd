"""Connectionist temporal classification: the loss, and the search for the likeliest labels."""

from __future__ import annotations

import math
from typing import Any, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from .registry import GRAPHCORE, Node, in_floats, op

_NEVER = -math.inf


@op("Ctc", domains=GRAPHCORE)
def ctc(node: Node, logs: Tensor, targets: Tensor, lengths: Tensor, sizes: Tensor) -> Any:
    """Return the CTC loss; its mean divides each sample by its number of labels, as torch's."""
    names = {"Sum": "sum", "Mean": "mean", "NoReduction": "none"}
    return in_floats(
        lambda v: functional.ctc_loss(
            v,
            targets.long(),
            lengths.long(),
            sizes.long(),
            blank=node.get("blank", 0),
            reduction=names[node.get("reduction", "Mean")],
            zero_infinity=bool(node.get("zeroInfinity", 0)),
        ),
        logs,
    )


@op("CtcBeamSearchDecoder", domains=GRAPHCORE)
def ctc_beam_search_decoder(node: Node, logs: Tensor, lengths: Tensor) -> Any:
    """Return log probabilities, lengths and labels of the likeliest paths."""
    node.run.types.update(dict.fromkeys(node.outputs[1:], "UINT32"))
    return beam_search(
        logs,
        lengths,
        node.get("blank", 0),
        node.get("beam_width", 100),
        node.get("top_paths", 1),
    )


def beam_search(
    logs: Tensor, lengths: Tensor, blank: int, width: int, paths: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Search for the likeliest labels by prefixes, of which each step keeps the best.

    Parameters
    ----------
    logs : Tensor [T, B, classes]
        Log probabilities.
    lengths : Tensor [B]
        Steps of each sample.
    blank : int
        The class of no label.
    width : int
        Prefixes that a step keeps.
    paths : int
        Paths that are returned.

    Returns
    -------
    tuple of Tensor
        Log probabilities [B, paths], lengths [B, paths] and labels [B, paths, T], with the blank
        after the last label.
    """
    steps, batch, _ = logs.shape
    scores = torch.full((batch, paths), _NEVER)
    sizes = torch.zeros(batch, paths, dtype=torch.int64)
    labels = torch.full((batch, paths, steps), blank, dtype=torch.int64)
    values, counts = logs.detach().double(), lengths.tolist()
    for sample in range(batch):
        best = _searched(values[: int(counts[sample]), sample].tolist(), blank, width)
        for path, (prefix, score) in enumerate(best[:paths]):
            scores[sample, path] = score
            sizes[sample, path] = len(prefix)
            labels[sample, path, : len(prefix)] = torch.tensor(prefix, dtype=torch.int64)
    return scores.to(logs.dtype), sizes, labels


def _searched(
    rows: Sequence[Sequence[float]], blank: int, width: int
) -> list[tuple[tuple[int, ...], float]]:
    """Return the prefixes of the last step with their log probabilities, the likeliest first."""
    # The log probabilities of a prefix's alignments that end in a blank, and of the others.
    beam: dict[tuple[int, ...], tuple[float, float]] = {(): (0.0, _NEVER)}
    for row in rows:
        grown: dict[tuple[int, ...], list[list[float]]] = {}
        for prefix, (blanks, others) in beam.items():
            both = _sum(blanks, others)
            last = prefix[-1] if prefix else None
            ends = grown.setdefault(prefix, [[], []])
            ends[0].append(both + row[blank])
            if last is not None:
                ends[1].append(others + row[last])
            for label, score in enumerate(row):
                if label != blank:
                    longer = grown.setdefault((*prefix, label), [[], []])
                    longer[1].append((blanks if label == last else both) + score)
        summed = {prefix: (_sum(*ends[0]), _sum(*ends[1])) for prefix, ends in grown.items()}
        kept = sorted(summed.items(), key=lambda item: _sum(*item[1]), reverse=True)[:width]
        beam = dict(kept)
    return [(prefix, _sum(*ends)) for prefix, ends in beam.items()]


def _sum(*logs: float) -> float:
    """Return the logarithm of a sum of numbers, given theirs."""
    largest = max(logs, default=_NEVER)
    if largest == _NEVER:
        return _NEVER
    return largest + math.log(sum(math.exp(value - largest) for value in logs))
