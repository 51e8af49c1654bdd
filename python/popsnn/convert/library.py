"""The table of a library, and the leaves of a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional

from torch import nn

from .graph import Layer, Plan

HOOKS = (
    "_forward_hooks",
    "_forward_pre_hooks",
    "_backward_hooks",
    "_backward_pre_hooks",
)


@dataclass
class Library:
    """The table of a library.

    Parameters
    ----------
    operation : str
        The function that converts its models.
    package : str
        Its top package.
    models : str
        Its package of whole models, whose forwards are taken as those of users are.
    plan : Callable
        Returns how a module is made of our neurons, or None where it is no neuron. It raises
        ValueError with what was expected and what came.
    layer : Callable
        Returns the layer of torch that a module without neurons is, or None.
    container : Callable
        Returns in what order a module of the library calls its children: "in order", "folded" or
        "at each step" of a sequence, or None where it is no such module.
    reset : Callable
        Forgets the state of a neuron, and returns what brings it back.
    states : Callable
        Returns the states that a module keeps itself.
    pairs : Callable
        Returns whether a container returns a pair of its result and its children's states.
    """

    operation: str
    package: str
    models: str
    plan: Callable[[nn.Module], Optional[Plan]]
    layer: Callable[[nn.Module], Optional[Layer]]
    container: Callable[[nn.Module], Optional[str]]
    reset: Callable[[nn.Module], Callable[[], None]]
    states: Callable[[nn.Module], list[Any]]
    pairs: Callable[[nn.Module], bool] = lambda module: False

    def refuse(self, name: str, expected: str, got: str) -> ValueError:
        """Return an error with the sentence of a module."""
        return ValueError(f"{self.operation}: {name}: expected {expected}, got {got}")


@dataclass
class Parts:
    """The leaves of a model, by what they become."""

    leaves: dict[nn.Module, str]
    plans: dict[nn.Module, Plan]
    layers: dict[nn.Module, Layer]


class Unequal(ValueError):
    """Raised by a table: its arguments are what it expects of a module, and what it got."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(expected, got)


def parts_of(library: Library, model: nn.Module) -> Parts:
    """Return the leaves of a model, refusing what has no equal."""
    parts = Parts({}, {}, {})
    inside: list[str] = []
    for name, module in model.named_modules():
        title = name or type(module).__name__
        if any(name.startswith(f"{outer}.") for outer in inside):
            continue
        if any(getattr(module, hooks, None) for hooks in HOOKS):
            raise library.refuse(title, "modules without hooks", "one that has some")
        try:
            plan = library.plan(module)
            layer = None if plan is not None else library.layer(module)
        except Unequal as error:
            raise library.refuse(title, *error.args) from None
        if plan is not None:
            parts.plans[module] = plan
        elif layer is not None:
            parts.layers[module] = layer
        elif is_torch(module):
            if any(_is_of(each, library.package) for each in module.modules()):
                raise library.refuse(
                    title, "neurons in containers and in modules with a forward of their own",
                    f"some in a {type(module).__name__}",
                )  # fmt: skip
        elif _is_of(module, library.package) and not _is_of(module, library.models):
            if library.container(module) is None:
                raise library.refuse(
                    title, "modules that have an equal", f"{type(module).__name__}, which has none"
                )
            continue
        else:
            _check_forward(library, title, module)
            continue
        inside.append(name)
        parts.leaves[module] = name or "layer"
    return parts


def is_torch(module: nn.Module) -> bool:
    """Return whether a module is a layer of torch, no container."""
    kind = type(module)
    if not kind.__module__.startswith("torch.nn.") or kind.__module__.endswith(".container"):
        return False
    return kind is not nn.Module


def _is_of(module: nn.Module, package: str) -> bool:
    return f"{type(module).__module__}.".startswith(f"{package}.")


def _check_forward(library: Library, name: str, module: nn.Module) -> None:
    of_libraries = ("torch.", f"{library.package}.")
    codes: list[Any] = [getattr(type(module).forward, "__code__", None)]
    for kind in type(module).__mro__:  # its own methods, which forward may call
        if not f"{kind.__module__}.".startswith(of_libraries) and kind is not object:
            methods = (value for name, value in vars(kind).items() if name not in ("train", "eval"))
            codes += [getattr(method, "__code__", None) for method in methods]
    if any(code is not None and "training" in code.co_names for code in codes):
        raise library.refuse(
            name, "a forward that is the same in training and in evaluation",
            "one that reads `training`",
        )  # fmt: skip
