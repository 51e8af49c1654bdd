"""Translations that objects keep for as long as their options are the same."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Callable, Dict, Hashable, TypeVar

Result = TypeVar("Result")
Function = TypeVar("Function", bound=Callable[..., Any])
PREFIX = "_traced_"
_SIMPLE = (bool, int, float, str, type(None))


def options_of(owner: object) -> Dict[str, Any]:
    """Return the attributes of an object, without what it remembers."""
    return {name: value for name, value in vars(owner).items() if not name.startswith(PREFIX)}


def remembered(owner: object, name: str, make: Callable[[], Result]) -> Result:
    """Return `make()`, once for the same attributes of `owner`.

    Equal objects of a class, with numbers and texts as attributes, have one memory: layers make
    their neuron anew in every pass.
    """
    options = options_of(owner)
    if all(isinstance(value, _SIMPLE) for value in options.values()):
        shared = _shared((type(owner), *options.items()))
        if name not in shared:
            shared[name] = make()
        found: Result = shared[name]
        return found
    known = vars(owner).get(PREFIX + name)
    if known is not None and known[0] == options:
        result: Result = known[1]
        return result
    result = make()
    vars(owner)[PREFIX + name] = (options, result)
    return result


@lru_cache(maxsize=256)
def _shared(kind_and_options: Hashable) -> Dict[str, Any]:
    return {}


def constant(function: Function) -> Function:
    """Let torch.compile call a function while it compiles, and keep what it returns.

    As `torch.compiler.assume_constant_result`, whose import takes a second.
    """
    function._dynamo_marked_constant = True  # type: ignore[attr-defined]
    return function
