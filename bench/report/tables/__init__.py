"""The tables of the two source papers: which suites fill each, and how rows are laid out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Sequence

from bench.report.reading import Record

from . import accuracy, activity, fusion, scaling
from .sheet import Sheet


@dataclass(frozen=True)
class Suite:
    """A suite of `bench`, and what it needs.

    Parameters
    ----------
    name : str
        As in ``python -m bench NAME``.
    engine : str
        Of `popsnn.backends()`.
    devices : int
        GPUs; more than one run under torchrun.
    """

    name: str
    engine: str
    devices: int = 1


@dataclass(frozen=True)
class Table:
    """A table: its suites, in the order that they run, and its sheets, made of rows alone."""

    title: str
    source: str
    suites: tuple[Suite, ...]
    sheets: Callable[[Sequence[Record]], list[Sheet]]

    @property
    def recorded(self) -> set[str]:
        """Names of the suites whose rows it shows."""
        return {suite.name.split(".")[0] for suite in self.suites}


IPU_PAPER = "Finkbeiner and Neftci, AAAI 2024, arXiv 2311.04386"
GPU_PAPER = "Li et al., ICANN 2024, arXiv 2408.00280"

TABLES = {
    "activity": Table(
        "Training steps at fixed and natural activity",
        IPU_PAPER,
        (Suite("network", "cuda"), Suite("modelled", "ipu"), Suite("sparse_step", "ipu")),
        activity.sheets,
    ),
    "scaling": Table(
        "One device and several",
        f"{IPU_PAPER}; {GPU_PAPER}",
        (Suite("network", "cuda"), Suite("time_parallel", "cuda", 2), Suite("modelled", "ipu")),
        scaling.sheets,
    ),
    "fusion": Table(
        "Temporal fusion over T",
        GPU_PAPER,
        (
            Suite("lif.monolayer", "cuda"),
            Suite("lif.elementwise", "cuda"),
            Suite("resnet", "cuda"),
        ),
        fusion.sheets,
    ),
    "accuracy": Table(
        "Accuracy of capped and dense training",
        IPU_PAPER,
        (Suite("accuracy", "ipu"),),
        accuracy.sheets,
    ),
}
