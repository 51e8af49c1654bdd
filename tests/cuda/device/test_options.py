"""Options of an operator arrive as they were, however many there are."""

from __future__ import annotations

import math
from typing import NamedTuple, Tuple

from popsnn.cuda.device.launch import CACHED_CALLS
from popsnn.cuda.device.options import decode, encode


class Record(NamedTuple):
    name: str
    value: float
    numbers: Tuple[int, ...]


def test_a_record_arrives_as_it_was() -> None:
    record = Record("a\nb", -math.inf, (1, 2))
    assert decode(Record, encode(*record)) == record
    assert decode(Record, encode("", 0.1, ())) == Record("", 0.1, ())


def test_values_that_change_at_each_call_are_not_kept_for_ever() -> None:
    for index in range(CACHED_CALLS + 10):
        decode(Record, encode("", index / 3, ()))
    assert decode.cache_info().currsize <= CACHED_CALLS
