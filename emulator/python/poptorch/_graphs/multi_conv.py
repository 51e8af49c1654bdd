"""MultiConv: convolutions that a device plans as one; here they run one after another."""

from __future__ import annotations

from typing import Any, Sequence

import torch

from .._context import current
from .._errors import Error
from ..enums import MultiConvPlanType


class MultiConv:
    """A context whose convolutions a device would run at the same time.

    The numbers are the same; the setters, which plan the device's work, are checked and held.
    """

    def __init__(self) -> None:
        self._held: dict[str, Any] = {}

    def availableMemoryProportions(self, value: float | Sequence[float]) -> MultiConv:
        """Hold how much memory each convolution may take."""
        return self._each("available memory proportion", value, float)

    def partialsTypes(self, value: torch.dtype | Sequence[torch.dtype]) -> MultiConv:
        """Hold the type of each convolution's partial sums."""
        types = list(value) if isinstance(value, (list, tuple)) else [value]
        if any(dtype not in (torch.float32, torch.float16) for dtype in types):
            raise ValueError("Invalid partials types. Expecting torch.float or torch.half")
        self._held["partials types"] = types
        return self

    def enableConvDithering(self, value: bool | Sequence[bool]) -> MultiConv:
        """Hold whether each convolution begins on another tile."""
        values = list(value) if isinstance(value, (list, tuple)) else [value]
        if value is not None and not all(isinstance(entry, bool) for entry in values):
            raise ValueError("value must be bool or list of bools")
        self._held["dithering"] = values
        return self

    def planType(self, value: MultiConvPlanType) -> MultiConv:
        """Hold whether they run at the same time."""
        if value is not None and not isinstance(value, MultiConvPlanType):
            raise AssertionError("Invalid plan type!")
        self._held["plan type"] = value
        return self

    def perConvReservedTiles(self, value: int) -> MultiConv:
        """Hold how many tiles each convolution has at least."""
        if not isinstance(value, int):
            raise AssertionError("Invalid number of reserved tiles!")
        self._held["reserved tiles"] = value
        return self

    def cycleBackOff(self, value: float) -> MultiConv:
        """Hold by what fraction a plan may be slower than the fastest."""
        if not isinstance(value, float):
            raise AssertionError("Invalid cycle back off!")
        self._held["cycle back off"] = value
        return self

    def _each(self, name: str, value: Any, kind: type) -> MultiConv:
        values = list(value) if isinstance(value, (list, tuple)) else [value]
        if value is not None and not (values and all(isinstance(v, kind) for v in values)):
            raise AssertionError(f"Invalid {name}!")
        self._held[name] = values
        return self

    def __enter__(self) -> None:
        run = current()
        if run is None or run.graph is None:
            return
        if run.graph.merged is not None:
            raise Error("Nested poptorch.MultiConv is not supported")
        run.graph.merged = []

    def __exit__(self, kind: type | None, *error: object) -> None:
        run = current()
        if run is None or run.graph is None:
            return
        merged, run.graph.merged = run.graph.merged, None
        if kind is None and not merged:
            raise Error("Unexpected end_multi_conv: there is no convolution in poptorch.MultiConv")
        if kind is None:
            run.graph.merge("MultiConv", merged)
