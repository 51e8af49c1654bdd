"""The options of an operator as one text, which is all that torch sees of them.

The record is a NamedTuple: it is the key of what launches cache, and a tuple hashes in C.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, Type, TypeVar

from .launch import CACHED_CALLS

Options = TypeVar("Options")


def encode(*fields: Any) -> str:
    """Return the text of a record's fields."""
    return json.dumps(fields)


# A compiler takes the text as it is when it traces. This is the mark that
# `torch.compiler.assume_constant_result` sets; that function imports all of torch._dynamo first,
# 2 to 4 s. Torch 2.0 has no such mark, and compiles no kernels.
encode._dynamo_marked_constant = True  # type: ignore[attr-defined]


@lru_cache(maxsize=CACHED_CALLS)
def decode(kind: Type[Options], text: str) -> Options:
    """Return the record of a text: a NamedTuple whose fields are scalars, strings and tuples."""
    fields = json.loads(text)
    return kind(*(tuple(value) if isinstance(value, list) else value for value in fields))
