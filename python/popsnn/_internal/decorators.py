"""Decorators: what torch.compile leaves as it is, and what has no second derivative."""

from __future__ import annotations

from functools import wraps
from typing import Any, Callable, TypeVar, cast

import torch
from torch.autograd import function as autograd_function

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


def once_differentiable(backward: Function) -> Function:
    """Refuse derivatives of a backward pass, as torch's decorator of this name does.

    Torch's enters `torch.no_grad` at each call, 5 microseconds of a processor at each operator.
    Here that happens where a derivative is recorded; gradients are already off elsewhere.
    """
    recorded = autograd_function.once_differentiable(backward)

    @wraps(backward)
    def run(*arguments: Any) -> Any:
        return (recorded if torch.is_grad_enabled() else backward)(*arguments)

    return cast(Function, run)
