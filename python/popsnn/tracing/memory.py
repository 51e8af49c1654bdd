"""Translations that objects keep for as long as their options are the same."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Callable, Dict, Hashable, TypeVar

Result = TypeVar("Result")
Function = TypeVar("Function", bound=Callable[..., Any])
PREFIX = "_traced_"
_SIMPLE = (bool, int, float, str, type(None))


class Remembering:
    """Base of objects that forget their translation where an attribute is set."""

    def __setattr__(self, name: str, value: Any) -> None:
        for each in [each for each in vars(self) if each.startswith(PREFIX)]:
            del vars(self)[each]
        super().__setattr__(name, value)


def options_of(owner: object) -> Dict[str, Any]:
    """Return the attributes of an object, without what it remembers."""
    return {name: value for name, value in vars(owner).items() if not name.startswith(PREFIX)}


def remembered(owner: Remembering, name: str, make: Callable[[], Result]) -> Result:
    """Return `make()`, once for the same attributes of `owner`.

    Equal objects of a class, with numbers and texts as attributes, have one memory.
    """
    own = vars(owner)
    result: Result
    if PREFIX + name in own:  # a call of an operator asks several times
        result = own[PREFIX + name]
        return result
    options = options_of(owner)
    if all(isinstance(value, _SIMPLE) for value in options.values()):
        shared = _shared((type(owner), *options.items()))
        if name not in shared:
            shared[name] = make()
        result = shared[name]
    else:
        result = make()
    own[PREFIX + name] = result
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
