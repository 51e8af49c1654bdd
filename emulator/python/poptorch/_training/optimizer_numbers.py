"""Numbers of an optimizer on the device, by PopART's names: to read, and to set from a state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from .device_optimizer import Settings

LOSS_SCALING = "lossScaling_FLOAT"
_ADAM = {
    "lr": "learningRate",
    "weight_decay": "weightDecay",
    "beta1": "adamBeta1",
    "beta2": "adamBeta2",
    "eps": "adamEps",
}
_NAMES = {
    "Adam": _ADAM,
    "AdamW": _ADAM,
    "LAMB": {**_ADAM, "max_weight_norm": "maxWeightNorm"},
    "RMSprop": {
        "lr": "learningRate",
        "weight_decay": "weightDecay",
        "alpha": "adaptiveAlpha",
        "momentum": "adaptiveMomentum",
        "eps": "adaptiveEps",
    },
}


def numbers(chosen: Settings) -> dict[str, torch.Tensor]:
    """Return all numbers of the settings, by "name___specific___parameter"."""
    values = {LOSS_SCALING: float(chosen.options["loss_scaling"])}
    for group, names in zip(chosen.groups, chosen.names):
        for name in names:
            values.update(
                {f"{key}___specific___{name}": value for key, value in _of(chosen, group).items()}
            )
    return {name: torch.tensor(float(value)) for name, value in values.items()}


def _of(chosen: Settings, group: dict[str, Any]) -> dict[str, float]:
    if chosen.kind != "SGD":
        flat = dict(group)
        flat["beta1"], flat["beta2"] = group.get("betas", (0.0, 0.0))
        return {popart: flat[key] for key, popart in _NAMES[chosen.kind].items()}
    kept = 1.0 - group["dampening"]
    scale = chosen.options["loss_scaling"]
    if not chosen.has_velocity:
        return {
            "scaledLearningRate0": group["lr"] * kept / scale,
            "weightDecayScaleFactor0": 1.0 - group["lr"] * kept * group["weight_decay"],
        }
    variant = 1 if chosen.options["use_combined_accum"] else 2
    return {
        f"scaledLearningRate{variant}": group["lr"],
        f"scaledMomentum{variant}": group["momentum"],
        f"dampeningScaleFactor{variant}": kept / scale,
        "scaledWeightDecay1": kept * group["weight_decay"],
    }


def overridden(
    chosen: Settings, group: dict[str, Any], name: str, loaded: dict[str, torch.Tensor]
) -> dict[str, Any]:
    """Return a parameter's group with the numbers of a state that was loaded."""
    suffix = f"___specific___{name}"
    own = {key[: -len(suffix)]: float(v) for key, v in loaded.items() if key.endswith(suffix)}
    if not own:
        return group
    changed = dict(group)
    if chosen.kind == "SGD":
        _override_sgd(chosen, changed, own)
        return changed
    flat = {key: own[popart] for key, popart in _NAMES[chosen.kind].items() if popart in own}
    if "betas" in group:
        beta1, beta2 = group["betas"]
        changed["betas"] = (flat.pop("beta1", beta1), flat.pop("beta2", beta2))
    changed.update(flat)
    return changed


def _override_sgd(chosen: Settings, group: dict[str, Any], own: dict[str, float]) -> None:
    scale = chosen.options["loss_scaling"]
    if not chosen.has_velocity:
        kept = 1.0 - group["dampening"]
        if "scaledLearningRate0" in own:
            group["lr"] = own["scaledLearningRate0"] * scale / kept
        if "weightDecayScaleFactor0" in own and group["lr"]:
            decay = 1.0 - own["weightDecayScaleFactor0"]
            group["weight_decay"] = decay / (group["lr"] * kept)
        return
    variant = 1 if chosen.options["use_combined_accum"] else 2
    group["lr"] = own.get(f"scaledLearningRate{variant}", group["lr"])
    group["momentum"] = own.get(f"scaledMomentum{variant}", group["momentum"])
    if f"dampeningScaleFactor{variant}" in own:
        group["dampening"] = 1.0 - own[f"dampeningScaleFactor{variant}"] * scale
    kept = 1.0 - group["dampening"]
    if "scaledWeightDecay1" in own and kept:
        group["weight_decay"] = own["scaledWeightDecay1"] / kept
