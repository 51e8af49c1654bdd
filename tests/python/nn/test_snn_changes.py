"""Tensors that change between a forward pass and its backward pass: right, or an error."""

from __future__ import annotations

import pytest
import torch
from tests.python.changes import (
    assert_right_or_refused,
    begin,
    elementwise,
    every_change,
    kept_beside_the_saved,
    lists,
    net_of,
)


@every_change
@pytest.mark.parametrize("again", [False, True], ids=["", "after another pass"])
def test_gradients_are_those_of_the_forward_pass(engine: str, change: str, again: bool) -> None:
    assert_right_or_refused(engine, change, again)


def test_functions_keep_no_tensor_that_autograd_does_not_check(engine: str) -> None:
    net = net_of(engine)
    out, end, traces = net(lists(1), begin(net), return_state=True, trace=True)
    assert not kept_beside_the_saved(
        out, *(one.v for one in end.layers), *(one.spikes.values for one in traces[:-1])
    )


def test_nor_do_those_of_elementwise_layers() -> None:
    assert not kept_beside_the_saved(*elementwise(torch.device("cpu"), "torch"))
