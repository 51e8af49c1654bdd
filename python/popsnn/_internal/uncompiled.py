"""Modules that torch.compile leaves as they are."""

from __future__ import annotations

from functools import wraps
from typing import Any, Callable, TypeVar, cast

import torch

Function = TypeVar("Function", bound=Callable[..., Any])

HAS_COMPILER = hasattr(torch, "compiler") and hasattr(torch.compiler, "is_compiling")


def uncompiled(function: Function) -> Function:
    """Return `function` as one that torch.compile does not trace: it breaks the graph there.

    Engines have kernels and codelets of their own, and ids are uint16, which Inductor has no
    arithmetic for. `torch.compiler.disable` as a decorator would import torch's compiler, which
    takes seconds, with this module.
    """
    if not HAS_COMPILER:
        return function

    @wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if torch.compiler.is_compiling():
            return torch.compiler.disable(function)(*args, **kwargs)
        return function(*args, **kwargs)

    return cast(Function, wrapper)
