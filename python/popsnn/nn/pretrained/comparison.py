"""Comparison of a network with the one that its constructor makes again of its arguments.

A difference would be lost in a folder, which has the arguments and the tensors alone.
"""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import Any, Iterator

from torch import nn
from torch.nn.utils.parametrize import type_before_parametrizations

from ...functional import Neuron
from ...surrogate import Surrogate
from .._options import Options
from .values import encoded

# Attributes that say where a network runs, not what it is, and the mode.
LEFT_OUT = ("backend", "device", "engine_state", "training")


def check_same(name: str, net: nn.Module, made: nn.Module) -> None:
    """Raise where the arguments of its constructor do not say all about `net`.

    Parameters
    ----------
    name : str
        What the message begins with.
    net : Module
    made : Module
        What the constructor makes of the arguments.

    Raises
    ------
    ValueError
        Where a module, an option or what tensors are shared differs.
    """
    for mine, theirs in zip_longest(net.named_modules(), made.named_modules()):
        path, module = mine or ("", None)
        wanted, other = theirs or ("", None)
        if path != wanted or _kind(module) is not _kind(other):
            names = ["none" if each is None else _kind(each).__name__ for each in (module, other)]
            raise _difference(name, path or wanted, names[1], names[0])
        for option, value, expected in _options_of_both(module, other):
            if _comparable(value) != _comparable(expected):
                where = ".".join(filter(None, (path, option)))
                raise _difference(name, where, _shown(expected), _shown(value))
    owners, made_owners = _owners(net), _owners(made)
    for key, owner in owners.items():
        expected = made_owners.get(key, owner)
        if owner != expected:
            shown = ["a tensor of its own" if each == key else each for each in (owner, expected)]
            raise _difference(name, key, shown[1], shown[0])


def _difference(name: str, where: str, expected: str, got: str) -> ValueError:
    return ValueError(
        f"{name}: {where}: expected {expected}, what the constructor makes of its arguments, "
        f"got {got}"
    )


def _kind(module: nn.Module | None) -> type:
    # A parametrization makes a class for each module.
    return type(None) if module is None else type_before_parametrizations(module)  # type: ignore[no-any-return, no-untyped-call, unused-ignore]


def _options_of_both(module: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the options of two modules of one class: a name, and a value of each."""
    for option, value in vars(module).items():
        if option == "capacity" and getattr(module, "capacity_control", None) is not None:
            continue  # a tensor says what an automatic one has reached
        # Other modules may keep anything, such as what they recorded, and names with an underscore.
        compared = isinstance(module, Options) or _is_plain(value)
        if compared and not option.startswith("_") and option not in LEFT_OUT:
            yield option, value, getattr(other, option, None)
    if isinstance(module, Options):
        neuron = getattr(module, "neuron", None)  # whose parameters are options too
        for option in dict.fromkeys((*module._checks, *getattr(neuron, "parameters", ()))):
            if option not in LEFT_OUT:
                yield option, getattr(module, option, None), getattr(other, option, None)


def _is_plain(value: Any) -> bool:
    try:
        encoded(value)
    except (TypeError, RecursionError):
        return False
    return True


def _comparable(value: Any) -> Any:
    """Return what has to be equal: of a tensor its type, as its values are loaded."""
    if _is_plain(value):
        return encoded(value)  # where NaN equals NaN
    if not isinstance(value, (Neuron, Surrogate)):
        return type(value)
    options = {key: each for key, each in vars(value).items() if not key.startswith("_")}
    return type(value), {key: _comparable(each) for key, each in options.items()}


def _shown(value: Any) -> str:
    shown = _is_plain(value) or isinstance(value, (Neuron, Surrogate))
    return repr(value if shown else type(value))


def _owners(net: nn.Module) -> dict[str, str]:
    """Return for each name of a tensor the first name of the same tensor."""
    first: dict[int, str] = {}
    tensors = chain(
        net.named_parameters(remove_duplicate=False), net.named_buffers(remove_duplicate=False)
    )
    return {key: first.setdefault(id(tensor), key) for key, tensor in tensors}
