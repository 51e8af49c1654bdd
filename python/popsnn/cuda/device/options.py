"""The options of an operator as one text, which is all that torch sees of them.

The record is a NamedTuple: it is the key of what launches cache, and a tuple hashes in C.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, Type, TypeVar

import torch

Options = TypeVar("Options")


def _encode(*fields: Any) -> str:
    return json.dumps(fields)


# A compiler takes the text as it is when it traces; torch 2.0 has no such mark, and compiles no
# kernels.
_constant = getattr(getattr(torch, "compiler", None), "assume_constant_result", None)
encode = _encode if _constant is None else _constant(_encode)


@lru_cache(maxsize=None)
def decode(kind: Type[Options], text: str) -> Options:
    """Return the record of a text: a NamedTuple whose fields are scalars, strings and tuples."""
    fields = json.loads(text)
    return kind(*(tuple(value) if isinstance(value, list) else value for value in fields))
