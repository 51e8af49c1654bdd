"""Setters that store their argument and change nothing: what they name is not emulated.

They decide where data and work lie on a device, what is logged, or which device is taken.
"""

from __future__ import annotations

import inspect
from typing import Any, Callable, NamedTuple, TypeVar

from .. import enums
from .option_set import OptionSet

_REQUIRED = inspect.Parameter.empty


class StoredOption(NamedTuple):
    """A `setter` of one `argument` of type `kind`, which becomes the option `name`."""

    setter: str
    argument: str
    name: str
    kind: type = object
    default: Any = _REQUIRED


OPTIONS = (
    StoredOption("useIpuModel", "use_model", "use_model"),
    StoredOption("useIpuId", "ipu_id", "ipu_id", int),
    StoredOption("autoRoundNumIPUs", "auto_round_num_ipus", "auto_round_num_ipus", bool, True),
    StoredOption("syncPattern", "sync_pattern", "sync_pattern", enums.SyncPattern),
    StoredOption("relaxOptimizerAttributesChecks", "relax", "relax_optimizer_checks", bool, True),
    StoredOption("logDir", "log_dir", "log_dir", str),
    StoredOption("modelName", "name", "model_name", str),
)
TRAINING = (
    StoredOption(
        "setMeanAccumulationAndReplicationReductionStrategy",
        "mean_reduction_strategy",
        "meanAccumulationAndReplicationReductionStrategy",
        enums.MeanReductionStrategy,
    ),
)
LOCATION_OF_A_KIND = (
    StoredOption("minElementsForOffChip", "min_elements", "minElementsForOffChip"),
    StoredOption(
        "minElementsForReplicatedTensorSharding",
        "min_elements",
        "minElementsForReplicatedTensorSharding",
    ),
    StoredOption("useOnChipStorage", "use", "onChip", default=True),
    StoredOption("useReplicatedTensorSharding", "use", "useReplicatedTensorSharding", default=True),
    StoredOption("useIOTilesToLoad", "use", "useIOTilesToLoad", default=True),
    StoredOption("useIOTilesToStore", "use", "useIOTilesToStore", default=True),
)
LOCATIONS = (
    StoredOption("setActivationLocation", "location", "location_activation"),
    StoredOption("setWeightLocation", "location", "location_weight"),
    StoredOption("setOptimizerLocation", "location", "location_optimizer"),
    StoredOption("setAccumulatorLocation", "location", "location_accumulator"),
)

Set = TypeVar("Set", bound=type)


def stores(table: tuple[StoredOption, ...]) -> Callable[[Set], Set]:
    """Give a class of options the setters of a table."""

    def decorate(kind: Set) -> Set:
        for option in table:
            setattr(kind, option.setter, _setter(option))
        return kind

    return decorate


def _setter(option: StoredOption) -> Callable[..., Any]:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [
            inspect.Parameter("self", kind),
            inspect.Parameter(option.argument, kind, default=option.default),
        ]
    )

    def setter(*arguments: Any, **named: Any) -> Any:
        bound = signature.bind(*arguments, **named)
        bound.apply_defaults()
        options, value = bound.args
        if not isinstance(value, option.kind):
            raise AssertionError(
                f"{option.setter}: expected {option.kind.__name__}, got {type(value)}"
            )
        options.create(**{option.name: value.toDict() if isinstance(value, OptionSet) else value})
        return options

    setter.__name__ = option.setter
    setter.__doc__ = f"Store `{option.argument}`, which changes nothing here."
    setter.__signature__ = signature  # type: ignore[attr-defined]
    return setter
