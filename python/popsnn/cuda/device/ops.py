"""The operators of torch that the kernels are: how they come to be, and who needs them."""

from __future__ import annotations

from typing import Any, Callable, Dict, Tuple

import torch
from torch import Tensor

# One for all of them: torch 2.0 has no fragments of a library.
LIBRARY = torch.library.Library("popsnn", "DEF")
# Of torch 2.5: an older one runs the kernels without operators, and compiles none of them.
AVAILABLE = hasattr(torch.library, "infer_schema")

Operators = Dict[str, Tuple[Callable[..., Any], Callable[..., Any]]]


def register(operators: Operators) -> None:
    """Define operators, by name, by what runs them and what says which outputs they have.

    The schema follows from the annotations of what runs them, which their file does not postpone:
    to evaluate their texts takes as long as all that is here.
    """
    if not AVAILABLE:
        return
    for name, (run, outputs) in operators.items():
        LIBRARY.define(name + torch.library.infer_schema(run, mutates_args=()))
        LIBRARY.impl(name, run, "CUDA")
        torch.library.register_fake(f"popsnn::{name}", outputs, lib=LIBRARY)


def traced(x: Tensor) -> bool:
    """Return whether a compiler, a mode or a tensor of another kind must see the operator.

    Nobody else needs it, and without it a call takes a third of the time.
    """
    return AVAILABLE and (
        torch.compiler.is_compiling()
        or type(x) not in (Tensor, torch.nn.Parameter)
        or torch._C._len_torch_dispatch_stack() > 0
    )
