"""Anchors: the shapes of their arrays, and which batches they return."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from .._settings.dataflow import DataFlow
from .._settings.enums import AnchorReturnTypeId
from .._settings.tensorinfo import TensorInfo


class Anchors:
    """The values that a step returns.

    Parameters
    ----------
    flow : DataFlow
    accumulation, replicas : int
    infos : mapping of str to TensorInfo
        Of each anchor, for one micro-batch.
    """

    def __init__(
        self,
        flow: DataFlow,
        accumulation: int,
        replicas: int,
        infos: Mapping[str, TensorInfo],
    ) -> None:
        self._flow = flow
        self._accumulation = accumulation
        self._replicas = replicas
        self._infos = dict(infos)
        self.values: dict[str, list[Any]] = {name: [] for name in self._infos}

    def arrays(self) -> dict[str, Any]:
        """Return an array for each anchor, with dimensions of batches, micro-batches, replicas."""
        out = {}
        for name, info in self._infos.items():
            kind = self._flow.art(name)
            lead = [self._replicas]
            if kind.id() in (AnchorReturnTypeId.All, AnchorReturnTypeId.EveryN):
                every = kind.rp() if kind.id() == AnchorReturnTypeId.EveryN else 1
                lead = [self._flow.batchesPerStep() // every, self._accumulation, *lead]
            shape = [size for size in lead if size != 1] + info.shape()
            out[name] = np.empty(shape, info.dtype)
        return out

    def keep(self, values: Mapping[str, Any], batch: int, micro: int, replica: int) -> None:
        """Keep what the return types ask for of one micro-batch of one replica."""
        last = batch + 1 == self._flow.batchesPerStep() and micro + 1 == self._accumulation
        for name, before in self.values.items():
            kind = self._flow.art(name)
            value = values[name].detach().numpy().astype(self._infos[name].dtype)
            every = kind.rp() if kind.id() == AnchorReturnTypeId.EveryN else 1
            if kind.id() in (AnchorReturnTypeId.All, AnchorReturnTypeId.EveryN):
                if (batch + 1) % every == 0:
                    before.append(value)
            elif kind.id() == AnchorReturnTypeId.Final:
                if last:
                    before.append(value)
            elif len(before) <= replica:
                before.append(value)
            else:
                before[replica] = before[replica] + value
