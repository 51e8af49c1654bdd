from __future__ import annotations

import pickle
import re
from typing import Any, Callable

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from popsnn import SpikeTensor


@st.composite
def dense(draw: st.DrawFn) -> Tensor:
    shape = [draw(st.integers(1, 5)), draw(st.integers(1, 4)), draw(st.integers(1, 30))]
    fraction = draw(st.sampled_from([0.0, 0.1, 0.5, 1.0]))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**32)))
    return (torch.rand(*shape, generator=generator) < fraction).float()


def same(a: SpikeTensor, b: SpikeTensor) -> bool:
    return a.shape == b.shape and all(
        torch.equal(getattr(a, name), getattr(b, name))
        for name in ("ids", "counts", "dropped", "values")
    )


@given(dense())
def test_dense_round_trip(x: Tensor) -> None:
    spikes = SpikeTensor.from_dense(x)
    assert spikes.shape == tuple(x.shape)
    assert spikes.capacity == x.shape[-1]
    assert torch.equal(spikes.to_dense(), x)
    assert torch.equal(spikes.counts[..., 0], x.sum(-1).int())
    assert spikes.activity() == pytest.approx(float(x.mean()))
    SpikeTensor(spikes.ids, spikes.counts, spikes.size)  # passes all checks


@given(dense(), st.integers(1, 30), st.integers(0, 5), st.randoms())
def test_events_give_the_lists_that_dense_gives(
    x: Tensor, capacity: int, seed: int, random: Any
) -> None:
    capacity = min(capacity, x.shape[-1])
    rows = torch.nonzero(x).tolist()
    random.shuffle(rows)
    events = torch.tensor(rows, dtype=torch.int64).view(-1, 3)
    shape = (x.shape[0], x.shape[1], x.shape[2])
    got = SpikeTensor.from_events(events, shape, capacity, seed=seed)
    assert same(got, SpikeTensor.from_dense(x, capacity, seed=seed))
    longest = SpikeTensor.from_events(events, shape)
    assert longest.capacity == max(1, int(x.sum(-1).max()))
    assert torch.equal(longest.to_dense(), x)


@pytest.mark.parametrize("form", [np.asarray, torch.as_tensor, lambda e: tuple(np.asarray(e).T)])
def test_forms_of_events(form: Callable[[Any], Any]) -> None:
    spikes = SpikeTensor.from_events(form([[1, 0, 2], [0, 1, 4], [1, 0, 0]]), (2, 2, 5))
    assert spikes.ids.tolist() == [[[0, 0], [4, 0]], [[0, 2], [0, 0]]]


def test_capped_input_counts_its_drops() -> None:
    spikes = SpikeTensor.from_dense(torch.ones(2, 3, 10, dtype=torch.bool), 4)
    assert torch.equal(spikes.dropped, torch.tensor([6, 0]).expand(2, 3, 2))
    assert torch.equal(spikes.to_dense().sum(-1), torch.full((2, 3), 4.0))


@given(dense())
def test_gradient_of_a_dense_input_is_exact(x: Tensor) -> None:
    x = x.double().requires_grad_()
    weight = torch.randn(x.shape, dtype=torch.float64)
    (SpikeTensor.from_dense(x).to_dense() * weight).sum().backward()
    assert x.grad is not None
    assert torch.equal(x.grad, weight)


def test_gradient_reaches_exactly_the_listed_neurons() -> None:
    values = torch.tensor([[[1.0, 0.0, 0.0, 0.0]]])
    spikes = SpikeTensor(torch.tensor([[[1, 4, 0, 0]]]), torch.tensor([[[1, 2]]]), 6, values=values)
    spikes.values.requires_grad_()
    spikes.to_dense().sum().backward()
    assert spikes.values.grad is not None
    assert spikes.values.grad.tolist() == [[[1.0, 1.0, 0.0, 0.0]]]


@pytest.mark.parametrize(("size", "dtype"), [(65536, np.uint16), (65537, np.uint32)])
def test_ids_are_as_narrow_as_they_can_be(size: int, dtype: Any) -> None:
    spikes = SpikeTensor.from_events([(0, 0, size - 1)], (1, 1, size))
    arrays = spikes.to_numpy()
    assert arrays.ids.dtype == dtype
    assert arrays.ids.tolist() == [[[size - 1]]]
    assert arrays.counts.tolist() == [[[1, 1]]]


def test_select_batch() -> None:
    x = (torch.rand(4, 6, 9) < 0.3).float()
    spikes = SpikeTensor.from_dense(x)
    assert torch.equal(spikes.select_batch([5, 1, 1]).to_dense(), x[:, [5, 1, 1]])
    assert torch.equal(spikes.select_batch(slice(2, 4)).to_dense(), x[:, 2:4])
    assert torch.equal(spikes.select_batch(torch.tensor([0])).to_dense(), x[:, :1])


def test_pickle_and_move() -> None:
    x = (torch.rand(3, 2, 5) < 0.5).float().requires_grad_()
    spikes = SpikeTensor.from_dense(x, 4, seed=1)
    again = pickle.loads(pickle.dumps(spikes))
    assert same(again, spikes.detach())
    assert not again.requires_grad
    assert same(spikes.to("cpu"), spikes)
    assert spikes.to("cpu").requires_grad


def test_values_are_made_where_they_are_asked_for() -> None:
    torch.set_default_dtype(torch.float64)
    try:
        spikes = SpikeTensor.from_events([(0, 0, 2), (1, 1, 0)], (2, 2, 3))
    finally:
        torch.set_default_dtype(torch.float32)
    part = pickle.loads(pickle.dumps(spikes.select_batch([1]).detach().to("cpu")))
    assert not part.requires_grad
    assert part.values.dtype == torch.float64  # the default where the spikes were made
    assert part.values.tolist() == [[[0.0]], [[1.0]]]
    assert part.values is part.values


@pytest.mark.parametrize("dense", [False, True])
def test_lists_that_change_in_place_are_what_counts(dense: bool) -> None:
    x = torch.zeros(1, 1, 4)
    x[..., 0] = 1
    spikes = SpikeTensor.from_dense(x, 2)
    if not dense:
        spikes = SpikeTensor(spikes.ids, spikes.counts, 4)
    wide = SpikeTensor(torch.tensor([[[1, 3]]]), torch.tensor([[[2, 2]]]), 4)
    assert spikes.values.tolist() == [[[1.0, 0.0]]]
    spikes.ids.copy_(wide.ids)
    spikes.counts.copy_(wide.counts)
    assert torch.equal(spikes.to_dense(), wide.to_dense())
    assert torch.equal(spikes.rate(), wide.rate())
    assert torch.equal(spikes.values, wide.values)
    assert torch.equal(spikes.select_batch([0]).values, wide.values)
    assert torch.equal(spikes.detach().values, wide.values)
    assert torch.equal(pickle.loads(pickle.dumps(spikes)).values, wide.values)


@pytest.mark.parametrize("lists", ["ids", "counts"])
def test_values_of_a_gradient_go_with_their_lists(lists: str) -> None:
    spikes = SpikeTensor(torch.tensor([[[1, 4]]]), torch.tensor([[[1, 2]]]), 6)
    spikes.values.requires_grad_()
    spikes.to_dense()
    getattr(spikes, lists).fill_(1)
    for use in (spikes.to_dense, spikes.rate, lambda: spikes.values, spikes.detach):
        with pytest.raises(
            ValueError,
            match=r"^SpikeTensor: values: expected the lists that they were given or got a "
            r"gradient for, got ids or counts that changed in place since$",
        ):
            use()


def test_repr_says_what_matters() -> None:
    spikes = SpikeTensor.from_dense(torch.ones(2, 1, 4), 3)
    assert repr(spikes) == ("SpikeTensor(shape=(2, 1, 4), capacity=3, activity=0.7500, dropped=2)")


def test_types_of_dense_input() -> None:
    x = torch.eye(3).unsqueeze(0)
    for dtype in (torch.bool, torch.uint8, torch.int64, torch.float64, torch.bfloat16):
        assert torch.equal(SpikeTensor.from_dense(x.to(dtype)).to_dense(torch.float32), x)


ids, counts = torch.tensor([[[1, 3, 0]]]), torch.tensor([[[1, 2]]])
MISTAKES = [
    (
        lambda: SpikeTensor(ids[0], counts, 5),
        ValueError,
        "ids: expected shape [T, B, S], got (1, 3)",
    ),
    (
        lambda: SpikeTensor(ids.float(), counts, 5),
        TypeError,
        "ids: expected an integer tensor, got torch.float32",
    ),
    (lambda: SpikeTensor([1], counts, 5), TypeError, "ids: expected a tensor, got list"),
    (
        lambda: SpikeTensor(ids, counts[..., :1], 5),
        ValueError,
        "counts: expected shape (1, 1, 2), got (1, 1, 1)",
    ),
    (
        lambda: SpikeTensor(ids, counts * 2, 5),
        ValueError,
        "counts: expected at most the capacity 3, got 4",
    ),
    (
        lambda: SpikeTensor(ids, counts.flip(-1), 5),
        ValueError,
        "counts: expected 0 <= fired <= active",
    ),
    (lambda: SpikeTensor(ids, counts, 3), ValueError, "ids: expected ids in 0..2, got 3"),
    (lambda: SpikeTensor(-ids, counts, 5), ValueError, "ids: expected ids in 0..4, got -1"),
    (
        lambda: SpikeTensor(ids * 0 + 2, counts, 5),
        ValueError,
        "ids: expected each id once in a list, got 2 twice",
    ),
    (
        lambda: SpikeTensor(ids[..., :0], counts * 0, 5),
        ValueError,
        "capacity: expected 1..5, got 0",
    ),
    (lambda: SpikeTensor(ids, counts, 0), ValueError, "size: expected at least 1, got 0"),
    (
        lambda: SpikeTensor(ids, counts, 5, values=ids),
        ValueError,
        "values: expected a float tensor of shape (1, 1, 3)",
    ),
    (
        lambda: SpikeTensor.from_dense(torch.zeros(2, 3)),
        ValueError,
        "x: expected shape [T, B, N], got (2, 3)",
    ),
    (
        lambda: SpikeTensor.from_dense(torch.zeros(1, 1, 0)),
        ValueError,
        "x: expected at least one neuron",
    ),
    (
        lambda: SpikeTensor.from_dense(torch.full((1, 1, 2), 0.5)),
        ValueError,
        "x: expected spikes of 0 or 1, got 0.5",
    ),
    (
        lambda: SpikeTensor.from_dense(torch.full((1, 1, 2), -1)),
        ValueError,
        "x: expected spikes of 0 or 1, got -1",
    ),
    (
        lambda: SpikeTensor.from_dense(torch.full((1, 1, 2), torch.nan)),
        ValueError,
        "x: expected spikes of 0 or 1, got NaN",
    ),
    (
        lambda: SpikeTensor.from_dense(torch.zeros(1, 1, 2, dtype=torch.cfloat)),
        TypeError,
        "x: expected a bool, integer or float",
    ),
    (
        lambda: SpikeTensor.from_dense(torch.zeros(1, 1, 2), 0),
        ValueError,
        "capacity: expected 1..2, got 0",
    ),
    (
        lambda: SpikeTensor.from_dense(torch.zeros(1, 1, 2), 3),
        ValueError,
        "capacity: expected 1..2, got 3",
    ),
    (
        lambda: SpikeTensor.from_dense(torch.zeros(1, 1, 2), 1.5),
        TypeError,
        "capacity: expected an integer, got float",
    ),
    (
        lambda: SpikeTensor.from_events([(0, 0, 9)], (1, 1, 9)),
        ValueError,
        "events: expected n in 0..8, got 9",
    ),
    (
        lambda: SpikeTensor.from_events([(-1, 0, 0)], (1, 1, 9)),
        ValueError,
        "events: expected t in 0..0, got -1",
    ),
    (
        lambda: SpikeTensor.from_events([(0, 0, 4)] * 2, (1, 1, 9)),
        ValueError,
        "each (t, b, n) once, got (0, 0, 4) twice",
    ),
    (
        lambda: SpikeTensor.from_events([(0, 0)], (1, 1, 9)),
        ValueError,
        "events: expected shape [E, 3], got (1, 2)",
    ),
    (
        lambda: SpikeTensor.from_events([(0.5, 0, 0)], (1, 1, 9)),
        TypeError,
        "events: expected integers",
    ),
    (
        lambda: SpikeTensor.from_events((np.ones(2), np.ones(1), np.ones(2)), (1, 1, 9)),
        ValueError,
        "three arrays of one length",
    ),
    (
        lambda: SpikeTensor.from_events([], (1, 1, 0)),
        ValueError,
        "shape: expected at least 1, got 0",
    ),
]


@pytest.mark.parametrize(("make", "kind", "sentence"), MISTAKES, ids=[m[2] for m in MISTAKES])
def test_mistakes_get_one_sentence(
    make: Callable[[], SpikeTensor], kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind, match=re.escape(sentence)) as caught:
        make()
    assert str(caught.value).startswith("SpikeTensor")
    assert "\n" not in str(caught.value)


def test_no_events_and_no_steps() -> None:
    assert SpikeTensor.from_events([], (2, 3, 4)).to_dense().sum() == 0
    assert SpikeTensor.from_dense(torch.zeros(0, 3, 4)).to_dense().shape == (0, 3, 4)


def test_padding_of_any_value_is_ignored() -> None:
    spikes = SpikeTensor(torch.tensor([[[3, -1, -1]]]), torch.tensor([[[1, 1]]]), 8)
    assert spikes.to_dense().nonzero().tolist() == [[0, 0, 3]]


def test_order_and_values_are_checked() -> None:
    counts = torch.tensor([[[2, 3]]])
    SpikeTensor(torch.tensor([[[1, 4, 0]]]), counts, 6)
    with pytest.raises(ValueError, match=r"expected fired, then subthreshold ids, .* 4 before 1"):
        SpikeTensor(torch.tensor([[[4, 1, 0]]]), counts, 6)
    with pytest.raises(ValueError, match="values: expected 1 where a neuron fired and 0 elsewhere"):
        SpikeTensor(torch.tensor([[[1, 4, 0]]]), counts, 6, values=torch.full((1, 1, 3), 0.5))
    with pytest.raises(ValueError, match="ids: expected 32-bit values, got 4294967299"):
        SpikeTensor(torch.tensor([[[2**32 + 3]]]), torch.tensor([[[1, 1]]]), 6)


def test_events_want_three_sizes() -> None:
    with pytest.raises(ValueError, match=r"from_events: shape: expected \(T, B, N\), got \(2, 1\)"):
        SpikeTensor.from_events(torch.zeros(0, 3, dtype=torch.int64), (2, 1))  # type: ignore[arg-type]


@given(st.integers(1, 6), st.integers(1, 3), st.integers(1, 8), st.integers(1, 8))
def test_rate_is_the_mean_over_the_steps(steps: int, batch: int, size: int, capacity: int) -> None:
    x = (torch.rand(steps, batch, size) < 0.5).double().requires_grad_()
    spikes = SpikeTensor.from_dense(x, min(capacity, size))
    rate = spikes.rate()
    expected = spikes.to_dense().mean(0)
    torch.testing.assert_close(rate, expected)
    weights = torch.randn_like(expected)
    (got,) = torch.autograd.grad((rate * weights).sum(), x, retain_graph=True)
    (wanted,) = torch.autograd.grad((expected * weights).sum(), x)
    torch.testing.assert_close(got, wanted)


def test_rate_of_no_steps_is_zero() -> None:
    assert SpikeTensor.from_dense(torch.zeros(0, 2, 3)).rate().tolist() == [[0.0] * 3] * 2


@pytest.mark.parametrize("name", ["ids", "counts", "dropped"])
@pytest.mark.parametrize("value", [-(2**63), 2**40, -(2**31) - 1])
def test_no_integer_is_cut_to_32_bits(name: str, value: int) -> None:
    lists = {
        "ids": torch.tensor([[[1, 0]]]),
        "counts": torch.tensor([[[1, 1]]]),
        "dropped": torch.tensor([[[0, 0]]]),
    }
    SpikeTensor(size=3, **lists)
    lists[name][0, 0, 1] = value
    with pytest.raises(
        ValueError, match=f"^SpikeTensor: {name}: expected 32-bit values, got {value}"
    ):
        SpikeTensor(size=3, **lists)


def test_drops_are_counts() -> None:
    lists = torch.tensor([[[1, 0]]]), torch.tensor([[[1, 1]]])
    with pytest.raises(
        ValueError, match=r"^SpikeTensor: dropped: expected numbers from 0 on, got -2"
    ):
        SpikeTensor(*lists, 3, dropped=torch.tensor([[[0, -2]]]))
    with pytest.raises(
        ValueError, match=r"^SpikeTensor: size: expected at most 2147483647, got 2147"
    ):
        SpikeTensor(*lists, 2**31)


def test_a_selection_wants_integers() -> None:
    spikes = SpikeTensor.from_dense(torch.eye(3).unsqueeze(0))
    chosen = spikes.select_batch(torch.tensor([2, 0, 0], dtype=torch.uint8))
    assert chosen.ids[0, :, 0].tolist() == [2, 0, 0]
    with pytest.raises(
        TypeError, match=r"^SpikeTensor.select_batch: index: expected integers, got"
    ):
        spikes.select_batch([0.5])


def _active(draw: Any, shape: tuple[int, int, int]) -> SpikeTensor:
    """Return spikes with a gradient: lists of what fired and of the rest of the active set."""
    generator = torch.Generator().manual_seed(draw)
    fired = torch.rand(*shape, generator=generator) < 0.3
    above = (torch.rand(*shape, generator=generator) < 0.2) & ~fired
    values = fired.double().requires_grad_()
    return SpikeTensor.from_masks(
        values, fired, above, torch.ones(*shape[:2], 2, dtype=torch.int32), shape[2]
    )


@given(st.integers(0, 99), st.slices(7), st.slices(4))
def test_slices(seed: int, steps: slice, samples: slice) -> None:
    if any((each.step or 1) < 1 for each in (steps, samples)):
        return
    spikes = _active(seed, (7, 4, 9))
    cut = spikes[steps, samples]
    assert torch.equal(cut.to_dense(), spikes.to_dense()[steps, samples])
    assert len(cut) == cut.shape[0] == len(range(7)[steps])
    assert torch.equal(cut.dropped, spikes.dropped[steps, samples])
    SpikeTensor(cut.ids, cut.counts, cut.size)  # passes all checks


def test_indices_of_steps_and_samples() -> None:
    spikes = _active(0, (5, 3, 9))
    dense = spikes.to_dense()
    assert len(spikes) == 5
    assert torch.equal(spikes[2:3].to_dense(), dense[2:3])
    assert torch.equal(spikes[[4, 0, 0]].to_dense(), dense[[4, 0, 0]])
    assert torch.equal(spikes[np.array([4, 0])].to_dense(), dense[[4, 0]])
    assert torch.equal(spikes[:, torch.tensor([2, 0])].to_dense(), dense[:, [2, 0]])
    assert torch.equal(spikes[torch.arange(5) > 2].to_dense(), dense[3:])
    cut = spikes[1:3, :2]
    (grad,) = torch.autograd.grad(cut.to_dense().sum(), spikes.values)
    assert torch.equal(grad[0], torch.zeros_like(grad[0]))
    assert int(grad[1:3, :2].sum()) == int(cut.counts[..., 1].sum())


@pytest.mark.parametrize(
    ("index", "got"),
    [
        (2, "steps: expected a slice or a sequence of integers, got 2: one is [2 : 3]"),
        ((slice(None), 1), "samples: expected a slice or a sequence of integers, got 1"),
        ((slice(None), slice(None), 0), "index: expected steps, or steps and samples, got 3"),
        ([0.5], "steps: expected integers, got torch.float32"),
        (torch.tensor([[0, 1]]), "steps: expected a slice or a sequence of integers, got shape (1"),
        (None, "steps: expected a slice or a sequence of integers, got NoneType"),
        (..., "steps: expected a slice or a sequence of integers, got ellipsis"),
        ([["a"]], "steps: expected a slice or a sequence of integers, got list"),
    ],
)
def test_indices_that_are_none(index: Any, got: str) -> None:
    with pytest.raises(TypeError, match=rf"^SpikeTensor.__getitem__: {re.escape(got)}"):
        SpikeTensor.from_dense(torch.ones(3, 2, 4))[index]
    with pytest.raises(TypeError):  # no endless iteration either
        list(SpikeTensor.from_dense(torch.ones(3, 2, 4)))


@given(st.integers(0, 99), st.integers(0, 2), st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_joined_spikes(seed: int, dim: int, lengths: list[int]) -> None:
    parts = []
    for number, length in enumerate(lengths):
        shape = [3, 2, 5]
        shape[dim] = length
        parts.append(_active(seed + number, (shape[0], shape[1], shape[2])))
    joined = SpikeTensor.cat(parts, dim)
    wanted = torch.cat([part.to_dense() for part in parts], dim)
    assert torch.equal(joined.to_dense(), wanted)
    assert torch.equal(joined.dropped.sum((0, 1)), sum(p.dropped.sum((0, 1)) for p in parts))
    SpikeTensor(joined.ids, joined.counts, joined.size, dropped=joined.dropped)  # all checks
    weight = torch.randn(joined.shape, dtype=torch.float64)
    leaves = [part.values for part in parts]
    got = torch.autograd.grad((joined.to_dense() * weight).sum(), leaves)
    for mine, theirs in zip(got, torch.autograd.grad((wanted * weight).sum(), leaves)):
        assert torch.equal(mine, theirs)


def test_joined_spikes_without_a_gradient_are_lists_alone() -> None:
    x = (torch.rand(4, 3, 6) < 0.5).float()
    spikes = SpikeTensor.from_dense(x)
    for dim in range(3):
        joined = SpikeTensor.cat([spikes, SpikeTensor.from_dense(x, 2)], dim)
        assert joined._values is None
        assert joined.capacity == (8 if dim == 2 else 6)
        assert torch.equal(joined.to_dense().narrow(dim, 0, x.shape[dim]), x)


@pytest.mark.parametrize(
    ("parts", "dim", "error", "sentence"),
    [
        ([], 0, ValueError, "parts: expected at least one, got none"),
        ([torch.ones(1)], 0, TypeError, "parts: expected SpikeTensors, got Tensor"),
        ("different", 0, ValueError, "parts: expected shapes that differ in dimension 0 alone"),
        ([], 3, ValueError, "dim: expected 0..2, got 3"),
    ],
)
def test_joins_that_do_not_fit(parts: Any, dim: int, error: Any, sentence: str) -> None:
    if parts == "different":
        parts = [SpikeTensor.from_dense(torch.ones(2, 2, size)) for size in (3, 4)]
    with pytest.raises(error, match=rf"^SpikeTensor.cat: {re.escape(sentence)}"):
        SpikeTensor.cat(parts, dim)


@pytest.mark.parametrize("workers", [0, 1])
def test_batches_of_torchs_loader(workers: int) -> None:
    from popsnn.data import SpikeDataset

    x = (torch.rand(6, 5, 8) < 0.4).float()
    dataset = SpikeDataset(SpikeTensor.from_dense(x), torch.arange(5), 5)
    loader = torch.utils.data.DataLoader(dataset, batch_size=2, num_workers=workers)
    batches = list(loader)
    assert [spikes.shape for spikes, _ in batches] == [(6, 2, 8), (6, 2, 8), (6, 1, 8)]
    assert torch.equal(torch.cat([labels for _, labels in batches]), torch.arange(5))
    assert torch.equal(SpikeTensor.cat([spikes for spikes, _ in batches], 1).to_dense(), x)
