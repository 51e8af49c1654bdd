"""The log of what the device is given of an optimizer, with PopART's names of the numbers."""

from __future__ import annotations

from typing import Any

import torch

from .. import optim
from .._logging import logger
from .device_optimizer import Settings

_NAMES = {"lr": "learningRate"}
_CONSTANT = {  # the numbers of torch's own optimizers that PopTorch compiles in
    "weight_decay": 0.0,
    "momentum": 0.0,
    "dampening": 0.0,
    "velocity_scaling": 1.0,
    "eps": 1e-8,
    "max_weight_norm": 65500.0,
    "loss_scaling": 1.0,
}
_OF_SCHEDULERS = {"_opt_called", "_step_count"}  # torch's own put these into any optimizer
_OF_KIND = {
    "SGD": ("lr", "weight_decay", "momentum", "dampening", "velocity_scaling", "nesterov"),
    "Adam": ("lr", "weight_decay", "betas", "eps"),
    "AdamW": ("lr", "weight_decay", "betas", "eps"),
    "LAMB": ("lr", "weight_decay", "betas", "eps", "max_weight_norm"),
    "RMSprop": ("lr", "weight_decay", "momentum", "alpha", "eps"),
}


class AttributeCheck:
    """Warns of attributes that an optimizer or its groups have got after the first was given."""

    def __init__(self) -> None:
        self._known: dict[str, set[str]] = {}
        self._said: set[str] = set()

    def __call__(self, optimizer: torch.optim.Optimizer) -> None:
        """Compare with those at first, and name each that is new once."""
        found = {"optimizer attribute": set(vars(optimizer))}
        for i, group in enumerate(optimizer.param_groups):
            found[f"group {i} attribute"] = set(group)
        for where, names in found.items():
            new = sorted(names - self._known.setdefault(where, names) - _OF_SCHEDULERS)
            message = f"Ignoring unexpected {where} in {type(optimizer).__name__}: {new}"
            if new and message not in self._said:
                self._said.add(message)
                logger.warning(message)


def log_settings(optimizer: torch.optim.Optimizer, chosen: Settings) -> None:
    """Log the numbers for all groups, then of each group, and warn of rules that a user wrote."""
    # Not by their bases: AdamW of newer releases of torch is a subclass of its Adam.
    if not type(optimizer).__module__.startswith((torch.optim.__name__, optim.__name__)):
        logger.warning(
            "Optimizer `%s` subclassed from classes in poptorch.optim or torch.optim are unlikely "
            "to behave as intended. Poptorch does not run Python optimizer code directly; but "
            "instead uses IPU native optimisers implemented in PopART.",
            type(optimizer).__name__,
        )
    kind = _kind(optimizer, chosen)
    options = chosen.options
    numbers = _numbers(optimizer, chosen, optimizer.defaults, "default")
    scale = options["loss_scaling"]
    constant = _constant(optimizer, chosen, "loss_scaling", scale)
    numbers += _number("loss_scaling", scale, "", constant)
    first = options["first_order_momentum_accum_type"]
    if chosen.kind == "SGD":
        first = options["velocity_accum_type"]
    logger.debug(
        "Updating graph optimizer with %s, %s, accumType=%s, firstOrderMomentumAccumType=%s, "
        "secondOrderMomentumAccumType=%s, useTfVariant=%d, maxGradNorm=%g",
        kind,
        ", ".join(numbers),
        _name(options["accum_type"]),
        _name(first),
        _name(options["second_order_momentum_accum_type"]),
        options["use_tf_variant"],
        options["max_grad_norm"],
    )
    for i, group in enumerate(chosen.groups):
        numbers = _numbers(optimizer, chosen, group, "")
        logger.debug("Updating group %d optimizer with %s, %s", i, kind, ", ".join(numbers))


def _kind(optimizer: torch.optim.Optimizer, chosen: Settings) -> str:
    if chosen.kind == "SGD":
        return "SGD1" if getattr(optimizer, "use_combined_accum", False) else "SGD2"
    if chosen.kind in ("AdamW", "LAMB") and not chosen.options["bias_correction"]:
        return f"{chosen.kind} (no bias)"
    centered = any(group.get("centered") for group in chosen.groups)
    return f"{chosen.kind} (centered)" if centered else chosen.kind


def _name(kind: torch.dtype) -> str:
    return str(kind).split(".")[1]


def _numbers(
    optimizer: torch.optim.Optimizer, chosen: Settings, values: dict[str, Any], prefix: str
) -> list[str]:
    out: list[str] = []
    for name in _OF_KIND[chosen.kind]:
        value = values.get(name)
        source = name
        if name == "velocity_scaling" and not getattr(optimizer, "use_combined_accum", False):
            source = "loss_scaling"  # which scales it where the states are apart
            value = chosen.options[source]
        elif name == "velocity_scaling" and value is None:
            value = chosen.options[name]
        if value is not None:
            constant = _constant(optimizer, chosen, source, value)
            out += _number(name, value, prefix, constant)
    return out


def _number(name: str, value: Any, prefix: str, constant: bool) -> list[str]:
    pairs = [(name, value)]
    if name == "betas":
        pairs = [("beta1", value[0]), ("beta2", value[1])]
    return [
        f"{_camel(key, prefix)}={float(v):g}{' (const)' if constant else ''}" for key, v in pairs
    ]


def _constant(optimizer: torch.optim.Optimizer, chosen: Settings, name: str, value: Any) -> bool:
    attributes = getattr(optimizer, "variable_attrs", None)
    if attributes is not None:
        return bool(attributes.isConstant(name))
    if name == "weight_decay" and chosen.kind == "AdamW":
        return bool(value == 1e-2)
    return name != "lr" and bool(value == _CONSTANT.get(name, value))


def _camel(name: str, prefix: str) -> str:
    words = _NAMES.get(name, name).split("_")
    words = [words[0], *(word.capitalize() for word in words[1:])]
    if prefix:
        words = [prefix, words[0][0].upper() + words[0][1:], *words[1:]]
    return "".join(words)
