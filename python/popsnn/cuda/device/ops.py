"""What the operators of all kernels have in common: how they come to be, and who needs them."""

from __future__ import annotations

from typing import Any, Callable, Dict, Tuple

import torch
from torch import Tensor

# One for all of them: torch 2.0 has no fragments of a library.
LIBRARY = torch.library.Library("popsnn", "DEF")

Operators = Dict[str, Tuple[Callable[..., Any], Callable[..., Any]]]


def register(operators: Operators) -> None:
    """Give operators, by name, what runs them and what says which outputs they have."""
    for name, (run, outputs) in operators.items():
        LIBRARY.impl(name, run, "CUDA")
        # Of torch 2.4; an older one compiles no kernels here.
        if hasattr(torch.library, "register_fake"):
            torch.library.register_fake(f"popsnn::{name}", outputs, lib=LIBRARY)


def watched(x: Tensor) -> bool:
    """Return whether somebody must see the operator: a compiler, a mode, a tensor of another kind.

    Nobody else needs it, and without it a call takes a third of the time.
    """
    return (
        torch.compiler.is_compiling()
        or type(x) not in (Tensor, torch.nn.Parameter)
        or torch._C._len_torch_dispatch_stack() > 0
    )
