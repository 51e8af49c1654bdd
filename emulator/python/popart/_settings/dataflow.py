"""Results of a step: anchors, and which of their batches come back."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

from .._native import popart_exception
from .enums import AnchorReturnTypeId, ExchangeStrategy, ReplicatedStreamMode, TileSet


class AnchorReturnType:
    """Batches of an anchor that come back.

    Parameters
    ----------
    anchorReturnTypeString : {"Final", "EveryN", "All", "Sum"}
        In any case.
    returnPeriod : int, optional
        N of "EveryN".
    tileSet, exchangeStrategy : optional
        Where and when a device copies; here stored alone.

    Raises
    ------
    popart_exception
        Where there is no such type, or its period is missing or needless.
    """

    def __init__(
        self,
        anchorReturnTypeString: str,
        returnPeriod: int | None = None,
        tileSet: Any = TileSet.Compute,
        exchangeStrategy: Any = ExchangeStrategy.JustInTime,
    ) -> None:
        names = {kind.name.lower(): kind for kind in AnchorReturnTypeId}
        if anchorReturnTypeString.lower() not in names:
            raise popart_exception(
                "AnchorReturnType: expected Final, EveryN, All or Sum, got "
                f"{anchorReturnTypeString!r}"
            )
        if isinstance(returnPeriod, TileSet):  # as the overload without a period
            returnPeriod, tileSet = None, returnPeriod
        self._id = names[anchorReturnTypeString.lower()]
        every = self._id == AnchorReturnTypeId.EveryN
        if (every and not (returnPeriod or 0) > 0) or (not every and returnPeriod):
            raise popart_exception(
                "AnchorReturnType: expected a period above 0 for EveryN and none for others, got "
                f"{anchorReturnTypeString} with {returnPeriod}"
            )
        self._period = returnPeriod or 0
        self._tiles, self._strategy = tileSet, exchangeStrategy

    def id(self) -> Any:
        """Return the type."""
        return self._id

    def rp(self) -> int:
        """Return the period of EveryN.

        Raises
        ------
        popart_exception
            Where the type is another.
        """
        if self._id != AnchorReturnTypeId.EveryN:
            raise popart_exception(
                f"AnchorReturnType.rp: expected EveryN, got {self._id.name}, which has no period"
            )
        return self._period

    def tileSet(self) -> Any:
        """Return the tiles that copy it."""
        return self._tiles

    def exchangeStrategy(self) -> Any:
        """Return when it is copied."""
        return self._strategy


class InputSettings:
    """Settings of the transfer of an input to a device; stored, without effect.

    Parameters
    ----------
    *settings : TileSet, ExchangeStrategy or ReplicatedStreamMode
    """

    def __init__(self, *settings: Any, **named: Any) -> None:
        self._values: dict[Any, Any] = {}
        for value in (*settings, *named.values()):
            self._values[type(value)] = value

    def tileSet(self) -> Any:
        """Return the tiles that copy it."""
        return self._values.get(TileSet, TileSet.Compute)

    def exchangeStrategy(self) -> Any:
        """Return when it is copied."""
        return self._values.get(ExchangeStrategy, ExchangeStrategy.JustInTime)

    def replicatedStreamMode(self) -> Any:
        """Return whether replicas get the same data."""
        return self._values.get(ReplicatedStreamMode, ReplicatedStreamMode.Replicate)


class DataFlow:
    """Batches of a step, and its anchors.

    Parameters
    ----------
    batchesPerStep : int
    anchorTensors : mapping of str to AnchorReturnType, or sequence of str, optional
    anchorReturnType : AnchorReturnType, optional
        Of a sequence (default: All).

    Raises
    ------
    popart_exception
        Where the number of batches is below 1, or a period does not divide it.
    """

    def __init__(
        self,
        batchesPerStep: int = 0,
        anchorTensors: Mapping[str, AnchorReturnType] | Sequence[str] = (),
        anchorReturnType: AnchorReturnType | None = None,
        anchorIds: Sequence[str] = (),
    ) -> None:
        chosen = anchorReturnType or AnchorReturnType("All")
        anchors = anchorTensors or anchorIds
        self._anchors: dict[str, AnchorReturnType] = (
            dict(anchors) if isinstance(anchors, Mapping) else dict.fromkeys(anchors, chosen)
        )
        self.setBatchesPerStep(batchesPerStep)

    def setBatchesPerStep(self, batches: int) -> None:
        """Set the number of batches of a step."""
        if batches < 0:
            raise popart_exception(f"DataFlow: expected at least 0 batches, got {batches}")
        for name, kind in self._anchors.items():
            if kind.id() == AnchorReturnTypeId.EveryN and batches % kind.rp():
                raise popart_exception(
                    f"DataFlow: anchor {name!r}: expected a period that divides {batches} "
                    f"batches, got {kind.rp()}"
                )
        self._batches = batches

    def batchesPerStep(self) -> int:
        """Return the number of batches of a step."""
        return self._batches

    def isAnchored(self, name: str) -> bool:
        """Whether a tensor comes back."""
        return name in self._anchors

    def nAnchors(self) -> int:
        """Return the number of anchors."""
        return len(self._anchors)

    def anchors(self) -> list[str]:
        """Return the anchors."""
        return list(self._anchors)

    def art(self, name: str) -> AnchorReturnType:
        """Return which batches of an anchor come back."""
        if name not in self._anchors:
            raise popart_exception(f"DataFlow.art: expected an anchor, got {name!r}")
        return self._anchors[name]
