"""Models as text, with the blocks that `BeginBlock` has made."""

from __future__ import annotations

import builtins
from typing import Any

import torch


def module_repr(m: Any) -> str:
    """Return a module as torch writes it, with its forward pre-hooks, which blocks are, in front.

    Parameters
    ----------
    m : Module or anything else
        The latter is written as it is.

    Returns
    -------
    str
    """
    if not isinstance(m, torch.nn.Module):
        return repr(m)
    hooks = "".join(f"{hook!r} " for hook in m._forward_pre_hooks.values())
    own = [line for line in m.extra_repr().split("\n") if line]
    inner = [
        f"({name}): " + module_repr(module).replace("\n", "\n  ")
        for name, module in m._modules.items()
        if module is not None
    ]
    lines = own + inner
    body = "\n  ".join(["", *lines]) + "\n" if inner or len(own) > 1 else "".join(own)
    return f"{hooks}{m._get_name()}({body})"


def print(m: Any) -> None:
    """Print a module with its blocks, or anything else as it is."""
    builtins.print(module_repr(m) if isinstance(m, torch.nn.Module) else m)
