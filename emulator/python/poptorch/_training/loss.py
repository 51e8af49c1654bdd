"""The loss of a model: what is marked, and which of it the backward pass begins at."""

from __future__ import annotations

from typing import Any

import torch

from .._context import current
from .._errors import Error


def identity_loss(x: torch.Tensor, reduction: str) -> torch.Tensor:
    """Mark a tensor as a loss, where the backward pass begins.

    Parameters
    ----------
    x : Tensor
    reduction : {"sum", "mean", "none"}

    Returns
    -------
    Tensor
        Reduced: of no dimensions, or of the shape of `x` for "none".
    """
    if reduction == "sum":
        loss = x.sum()
    elif reduction == "mean":
        loss = x.mean()
    elif reduction == "none":
        loss = x.clone()
    else:
        raise AssertionError("Unsupported reduction type!")
    run = current()
    if run is not None:
        run.losses.append(loss)
    return loss


def final_loss(losses: list[torch.Tensor]) -> torch.Tensor:
    """Return the one marked loss that no other is made of.

    Raises
    ------
    Error
        Where nothing is marked, or several losses are that no marked one is made of.
    """
    if not losses:
        raise Error("Couldn't find a loss in graph!")
    if len(losses) == 1:
        return losses[0]
    nodes = [loss.grad_fn for loss in losses]
    inner: set[Any] = set()
    for node in nodes:
        inner |= _below(node)
    final = [loss for loss, node in zip(losses, nodes) if node is not None and node not in inner]
    if len(final) != 1:
        raise Error(
            "Multiple independent losses found in graph. Graph must have one final loss. "
            "Wrap final graph loss in poptorch.identity_loss."
        )
    return final[0]


def _below(node: Any) -> set[Any]:
    """Return the nodes of autograd's graph that `node` is made of, without itself."""
    losses: set[Any] = set()
    rest = [node]
    while rest:
        for before, _ in getattr(rest.pop(), "next_functions", ()):
            if before is not None and before not in losses:
                losses.add(before)
                rest.append(before)
    return losses
