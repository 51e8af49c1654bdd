"""Tensors that a run keeps by their names, for `Options.anchorTensor`."""

from __future__ import annotations

from typing import Any, Iterable

import torch
from torch import Tensor

from .. import enums
from .._errors import Error
from .._logging import logger
from .._transfers.outputs import gathered_by
from .anchor_names import Anchor
from .graph import Graph

GRADIENT, UPDATED, LOSS_SCALE = "Gradient___", "UpdatedVar___", "finalLossScale"
_WORDS = {
    enums.OutputMode.All: "ALL",
    enums.OutputMode.EveryN: "EVERYN",
    enums.OutputMode.Final: "FINAL",
    enums.OutputMode.Sum: "Sum",
}


class Anchors:
    """Collects the anchored tensors of one run.

    Parameters
    ----------
    options : Options
    """

    def __init__(self, options: Any) -> None:
        self._options = options
        self._anchors: dict[str, Anchor] = {}
        for short, anchor in options.anchored_tensors.items():
            mode, period = anchor.mode, anchor.period
            if mode == enums.OutputMode.Default:
                mode, period = options.output_mode, options.output_return_period
            self._anchors[short] = Anchor(anchor.name, mode, period)
        self._batches: dict[str, list[Tensor]] = {}

    def __bool__(self) -> bool:
        return bool(self._anchors)

    def log(self) -> None:
        """Log what is kept."""
        for anchor in self._anchors.values():
            logger.debug("Anchor: %s %s/%d", anchor.name, _WORDS[anchor.mode], anchor.period)

    def check(self, names: Iterable[str]) -> None:
        """Refuse names that no tensor has.

        Raises
        ------
        Error
        """
        known = {*names, LOSS_SCALE}
        for anchor in self._anchors.values():
            if anchor.name not in known:
                raise Error(
                    "anchorTensor: expected the name of a tensor, as getTensorNames() gives them, "
                    f"got {anchor.name!r}.",
                    "popart_exception",
                )

    def take_graph(self, graph: Graph) -> None:
        """Keep what a micro-batch's forward() has made."""
        for anchor in self._anchors.values():
            value = graph.find(anchor.name)
            if value is not None:
                self._batches.setdefault(anchor.name, []).append(value.detach().clone())

    def take(self, prefix: str, values: dict[str, Tensor]) -> None:
        """Keep tensors of the backward pass or the update, by the names of their weights."""
        for anchor in self._anchors.values():
            if anchor.name.startswith(prefix) and anchor.name[len(prefix) :] in values:
                value = values[anchor.name[len(prefix) :]]
                self._batches.setdefault(anchor.name, []).append(value.detach().clone())

    def result(self) -> dict[str, Tensor]:
        """Return the tensors by their short names."""
        out = {}
        for short, anchor in self._anchors.items():
            values = self._batches.get(anchor.name, [])
            if not values:
                continue
            steps = self._options.device_iterations
            per_step = len(values) // steps
            chosen = gathered_by(
                [[value] for value in values], anchor.mode, anchor.period, steps, per_step, 1
            )
            out[short] = chosen[0] if chosen else torch.empty(0, *values[0].shape)
        return out
