"""The neurons with explicit state in and explicit state out, in plain PyTorch.

This is the definition that the other engines are tested against. Everything is time-major:

    I[t] = gain * (W x[t - delay] + b)
    v[t] = beta * r(v[t-1], s[t-1]) + I[t]
    s[t] = v[t] >= threshold, as far as the layer's capacity goes

with the reset r: "zero" v (1 - s), "subtract" v - threshold s, "none" v.
"""

from __future__ import annotations

from .neurons import LIFOutput, LIFState, LIOutput, li, lif
from .sparse import SparseLIFOutput, SparseLIOutput, SparseState, sparse_li, sparse_lif

__all__ = [
    "LIFOutput",
    "LIFState",
    "LIOutput",
    "SparseLIFOutput",
    "SparseLIOutput",
    "SparseState",
    "li",
    "lif",
    "sparse_li",
    "sparse_lif",
]
