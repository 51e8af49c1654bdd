"""Placement of operations: the block at the moment decides on IPU, stage and phase."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .. import enums
from .._errors import Error

if TYPE_CHECKING:
    from .execution import ExecutionStrategy

_PHASES_APART = {
    enums.Liveness.OffChipAfterFwdNoOverlap: 2,
    enums.Liveness.OffChipAfterEachPhase: 4,
}


class Placement(NamedTuple):
    """Number of a stage or phase, and the IPU that it runs on."""

    number: int
    ipu: int


class StageManager:
    """Follows the blocks of one run of forward(), by an execution strategy.

    Parameters
    ----------
    strategy : ExecutionStrategy
    """

    def __init__(self, strategy: ExecutionStrategy) -> None:
        self.strategy = strategy
        self.current: Placement | None = Placement(0, 0)
        self.used_ipus: set[int] = set()
        self._automatic: dict[str, int] = {}
        self._owned: dict[int, str] = {}
        self._next_id = 0
        self._last_ipu = 0
        self._switches = 0
        self.last_phase = 0

    def reset_names(self) -> None:
        """Count blocks without a name from 0 again."""
        self._next_id = 0

    def name_of(self, owner: object, name: str | None) -> str:
        """Return the name of a block that belongs to a layer, which keeps the one it gets here."""
        if name is None and id(owner) not in self._owned:
            self._owned[id(owner)], self._next_id = str(self._next_id), self._next_id + 1
        return self._owned[id(owner)] if name is None else str(name)

    def begin(self, name: str | None, ipu: int | None) -> None:
        """Begin a block.

        Raises
        ------
        AssertionError
            Where the strategy does not know the block, or no IPU is given for it.
        """
        if not name:
            name, self._next_id = str(self._next_id), self._next_id + 1
        number, chosen = self._stage(str(name), ipu)
        ipu = chosen if chosen is not None else ipu
        ipu = number if ipu is None else ipu
        self._check_parallel(number, ipu)
        if ipu != self._last_ipu:
            self._switches += 1
        self._last_ipu = ipu
        self.last_phase = max(self.last_phase, number)
        self.current = Placement(number, ipu)

    def end(self) -> None:
        """End the block; what comes before the next belongs to none."""
        self.current = None

    def _stage(self, name: str, ipu: int | None) -> tuple[int, int | None]:
        """Return the number of a block's stage or phase, and the IPU that the options choose."""
        strategy = self.strategy
        if strategy.stages:
            if name not in strategy.stages:
                raise AssertionError(
                    f"Unknown Block '{name}' list of expected Blocks: {list(strategy.stages)}"
                )
            stage = strategy.stages[name]
            apart = _PHASES_APART.get(getattr(strategy, "liveness", None), 1)  # type: ignore[arg-type]
            return stage.number * apart, stage.chosen_ipu
        if name not in self._automatic:
            if strategy.auto_stage == enums.AutoStage.SameAsIpu:
                if ipu is None:
                    raise AssertionError(
                        "poptorch.AutoStage.SameAsIpu was selected but no IPU was specified for "
                        f"block {name}"
                    )
                self._automatic[name] = ipu
            else:
                self._automatic[name] = len(self._automatic) + 1
        return self._automatic[name], None

    def _check_parallel(self, phase: int, ipu: int) -> None:
        if self.strategy.mode == "Phased" and not self.strategy.serial and phase % 2 != ipu % 2:
            raise Error(
                "When phases are executed in parallel: even phases must run on even IPUs and odd "
                f"phases on odd IPUs, got phase {phase} on IPU {ipu}."
            )

    def check_depth(self, training: bool, accumulation: int, iterations: int) -> None:
        """Refuse fewer micro-batches than a pipeline has stages.

        Raises
        ------
        Error
        """
        if self.strategy.mode != "Pipelined":
            return
        forward = self._switches + 1
        stages = 2 * forward - 1 if training else forward
        if training and accumulation < stages:
            raise Error(
                "poptorch.Options().Training.gradientAccumulation must be greater than or equal "
                f"to the number of pipeline stages ({stages}) when using "
                f"poptorch.PipelinedExecution. Please note that a model with {forward} pipeline "
                f"stages in PopTorch will have an additional {forward - 1} stages when training."
            )
        if not training and iterations < stages:
            raise Error(
                "poptorch.Options().deviceIterations must be greater than or equal to the number "
                f"of pipeline stages ({stages}) when using PopTorch.PipelinedExecution."
            )

    def settings(self) -> dict[str, str]:
        """Return what PopART's session would be set to, by its names."""
        strategy = self.strategy
        if strategy.mode != "Phased":
            pipelined = strategy.mode == "Pipelined" and len(self.used_ipus) > 1
            return {"enablePipelining": str(int(pipelined))}
        phases = self.last_phase + 1
        if getattr(strategy, "liveness", enums.Liveness.AlwaysLive) != enums.Liveness.AlwaysLive:
            phases += 3  # tensors live through three phases before they are off the chip
        elif strategy.separate_backward:
            phases += 1
        locations = ("activation", "weight", "optimizer", "accumulator")
        return {
            "enablePipelining": "0",
            "executionPhaseSettings.phases": str(phases),
            "executionPhaseSettings.stages": "1" if strategy.serial else "2",
            **{f"location_{name}": "useOnChipStorage(False)" for name in locations},
        }
