"""Nodes without a memory of neurons, and delays, next to what numpy makes of them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import torch

import popsnn
from popsnn.nir._layers import Delay

nir = pytest.importorskip("nir")

from tests.python.nir.graphs import DT, Nodes, chain, every_node, pairs  # noqa: E402

GRAPHS = every_node(Nodes(3, dtype=np.float64))


def run(name: str) -> tuple[np.ndarray, Any, np.ndarray]:
    """Return an input [T, B, ...], the node, and the output."""
    shape, graph = GRAPHS[name]
    x = torch.randn(6, 2, *shape, dtype=torch.float64)
    net = popsnn.nir.from_nir(graph, dt=DT, dtype=torch.float64)
    return x.numpy(), graph.nodes["0"], net(x).detach().cpu().numpy()


def test_delays_are_of_each_element() -> None:
    x, node, out = run("Delay")
    for index, delay in enumerate(np.rint(node.delay / DT).astype(int)):
        late = np.concatenate([np.zeros((delay, *x.shape[1:])), x])[: len(x)]
        np.testing.assert_array_equal(out[..., index], late[..., index])


@pytest.mark.parametrize("steps", [0, 3, 9])
def test_delays_go_on_in_the_next_chunk(steps: int) -> None:
    delay, x = Delay(steps), torch.randn(12, 2, 5)
    first, state = delay(x[:4], return_state=True)
    second, state = delay(x[4:5], state, return_state=True)
    joined = torch.cat([first, second, delay(x[5:], state)])
    assert torch.equal(joined, delay(x))
    assert torch.equal(joined[steps:], x[: 12 - steps])
    assert not joined[:steps].any()


@pytest.mark.parametrize("shape", [(2, 2, 5), (4, 2, 5), (3, 1, 5)])
def test_states_of_another_delay_or_batch(shape: Any) -> None:
    sentence = rf"Delay: state: expected shape \(3, 2, 5\), got {re.escape(str(shape))}"
    with pytest.raises(ValueError, match=sentence):
        Delay(3)(torch.randn(4, 2, 5), torch.zeros(shape))


def test_products() -> None:
    x, node, out = run("Scale")
    np.testing.assert_allclose(out, x * node.scale)
    x, node, out = run("Affine")
    np.testing.assert_allclose(out, x @ node.weight.T + node.bias)
    x, node, out = run("Linear")
    np.testing.assert_allclose(out, x @ node.weight.T)


@pytest.mark.parametrize("name", ["SumPool2d", "AvgPool2d"])
def test_pools_take_their_padding_into_the_window(name: str) -> None:
    x, _, out = run(name)  # kernel (3, 2), stride (2, 2), padding (1, 0)
    padded = np.pad(x, [(0, 0)] * 3 + [(1, 1), (0, 0)])
    for row in range(4):
        for column in range(3):
            window = padded[..., 2 * row : 2 * row + 3, 2 * column : 2 * column + 2]
            wanted = window.sum((-2, -1)) / (6 if name == "AvgPool2d" else 1)
            np.testing.assert_allclose(out[..., row, column], wanted)


def test_convolutions() -> None:
    x, node, out = run("Conv1d")  # stride 2, padding 1
    padded = np.pad(x, [(0, 0)] * 3 + [(1, 1)])
    for at in range(5):
        window = padded[..., 2 * at : 2 * at + 3]
        wanted = np.einsum("tbcr,kcr->tbk", window, node.weight) + node.bias
        np.testing.assert_allclose(out[..., at], wanted)
    x, node, out = run("Conv2d")  # stride (2, 1), padding (1, 0), dilation (1, 2), 2 groups
    padded = np.pad(x, [(0, 0)] * 3 + [(1, 1), (0, 0)])
    for row in range(4):
        for column in range(4):
            window = padded[..., 2 * row : 2 * row + 3, column : column + 3 : 2]
            for channel in range(4):
                of = window[:, :, channel // 2 : channel // 2 + 1]
                wanted = (of * node.weight[channel]).sum((-3, -2, -1)) + node.bias[channel]
                np.testing.assert_allclose(out[:, :, channel, row, column], wanted)


@pytest.mark.parametrize(
    ("start", "end", "shape"),
    [(0, -1, (96,)), (0, 1, (16, 6)), (1, -1, (2, 48)), (-1, 2, (2, 8, 6))],
)
def test_dimensions_of_flatten_are_those_of_a_sample(start: int, end: int, shape: Any) -> None:
    graph = chain((2, 8, 6), nir.Flatten(np.array([2, 8, 6]), start, end), after=shape)
    x = torch.randn(4, 3, 2, 8, 6)
    assert torch.equal(popsnn.nir.from_nir(graph, dt=DT)(x), x.reshape(4, 3, *shape))


def test_numbers_of_one_size_and_of_both() -> None:
    nodes = Nodes(0)
    weight, bias = nodes.uniform(-1, 1, (3, 2, 3, 3)), nodes.uniform(-1, 1, (3,))
    both = nir.Conv2d((8, 6), weight, *pairs((2, 2), (1, 1), (1, 1)), 1, bias)
    x = torch.rand(3, 2, 2, 8, 6)
    wanted = popsnn.nir.from_nir(chain((2, 8, 6), both, after=(3, 4, 3)), dt=DT)(x)
    for padding in (1, np.array([1, 1]), "same"):
        stride = 1 if isinstance(padding, str) else 2
        after = (3, 8, 6) if isinstance(padding, str) else (3, 4, 3)
        node = nir.Conv2d((8, 6), weight, stride, padding, 1, 1, bias)
        out = popsnn.nir.from_nir(chain((2, 8, 6), node, after=after), dt=DT)(x)
        torch.testing.assert_close(out[..., ::2, ::2] if stride == 1 else out, wanted)
