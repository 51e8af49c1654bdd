"""Tensors that change between a forward pass and its backward pass: right, or an error."""

from __future__ import annotations

import pytest
from tests.python.changes import assert_right_or_refused, every_change


@every_change
@pytest.mark.parametrize("again", [False, True], ids=["", "after another pass"])
def test_gradients_are_those_of_the_forward_pass(engine: str, change: str, again: bool) -> None:
    assert_right_or_refused(engine, change, again)
