"""Views: every chain of view operations reads as the same chain of NumPy's does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

POPLAR = pytest.importorskip("popsnn_test_poplar")
MAX_ELEMENTS = 4096


@st.composite
def step(draw, shape):
    """One operation: a function for a tensor, a function for an array."""
    rank = len(shape)
    kinds = ["flatten", "transpose", "expand", "reshape", "concat"]
    if rank:
        kinds += ["slice", "shuffle", "roll", "reverse", "broadcast", "sub_sample", "upsample"]
        kinds += ["flatten_dims", "slices", "multi_slice"]
        kinds += ["index"] if shape[0] else []
        kinds += ["squeeze"] if 1 in shape else []
    kind = draw(st.sampled_from(kinds))
    dim = draw(st.integers(0, rank - 1)) if rank else 0
    size = shape[dim] if rank else 1
    if kind == "flatten":
        return lambda t: t.flatten(), lambda a: a.ravel()
    if kind == "transpose":
        return lambda t: t.transpose(), lambda a: a.T
    if kind == "expand":
        at = draw(st.integers(0, rank))
        return lambda t: t.expand([at]), lambda a: np.expand_dims(a, at)
    if kind == "reshape":
        n = int(np.prod(shape, dtype=int))
        first = draw(st.sampled_from([d for d in range(1, n + 1) if n % d == 0] or [1]))
        new = [first, n // first]
        return lambda t: t.reshape(new), lambda a: a.reshape(new)
    if kind == "concat":
        if rank == 0:
            return lambda t: t.reshape([1]), lambda a: a.reshape([1])
        return lambda t: POPLAR.concat([t, t], dim), lambda a: np.concatenate([a, a], dim)
    if kind == "slice":
        b = draw(st.integers(0, size))
        e = draw(st.integers(b, size))
        return lambda t: t.slice(b, e, dim), lambda a: np.take(a, range(b, e), dim)
    if kind == "multi_slice":
        begin = [draw(st.integers(0, s)) for s in shape]
        end = [draw(st.integers(b, s)) for b, s in zip(begin, shape)]
        where = tuple(slice(b, e) for b, e in zip(begin, end))
        return lambda t: t.slice(begin, end), lambda a: a[where]
    if kind == "slices":
        b = draw(st.integers(0, size))
        return (
            lambda t: POPLAR.concat(t.slices([(b, size), (0, b)], dim), dim),
            lambda a: np.concatenate(
                [np.take(a, range(b, size), dim), np.take(a, range(b), dim)], dim
            ),
        )
    if kind == "index":
        i = draw(st.integers(0, shape[0] - 1))
        return lambda t: t[i], lambda a: a[i]
    if kind == "shuffle":
        order = draw(st.permutations(range(rank)))
        return lambda t: t.dim_shuffle(order), lambda a: a.transpose(order)
    if kind == "roll":
        new = draw(st.integers(0, rank - 1))
        return lambda t: t.dim_roll(dim, new), lambda a: np.moveaxis(a, dim, new)
    if kind == "reverse":
        return lambda t: t.reverse(dim), lambda a: np.flip(a, dim)
    if kind == "broadcast":
        n = draw(st.integers(0, 3))
        return lambda t: t.broadcast(
            n, dim
        ), lambda a: np.concatenate([a] * n, dim) if n else (np.take(a, [], dim))
    if kind == "sub_sample":
        n = draw(st.integers(1, 3))
        return lambda t: t.sub_sample(n, dim), lambda a: np.take(a, range(0, size, n), dim)
    if kind == "upsample":
        n = draw(st.integers(0, 3))
        return lambda t: t.upsample(n, dim), lambda a: np.repeat(a, n, dim)
    if kind == "squeeze":
        at = list(shape).index(1)
        return lambda t: t.squeeze([at]), lambda a: np.squeeze(a, at)
    b = draw(st.integers(0, rank))
    e = draw(st.integers(b, rank))
    new = [*shape[:b], int(np.prod(shape[b:e], dtype=int)), *shape[e:]]
    return lambda t: t.flatten(b, e), lambda a: a.reshape(new)


@st.composite
def chains(draw):
    shape = draw(st.lists(st.integers(0, 5), min_size=0, max_size=4))
    array = np.arange(int(np.prod(shape, dtype=int)), dtype=np.int32).reshape(shape)
    base, steps = array, []
    for _ in range(draw(st.integers(1, 6))):
        on_tensor, on_array = draw(step(array.shape))
        after = on_array(array)
        if after.size > MAX_ELEMENTS:
            break
        array = after
        steps.append(on_tensor)
    return base, steps, array


def read(b, tensor, base_tensor, base):
    b.graph.create_host_write("base", base_tensor)
    b.graph.create_host_read("view", tensor)
    engine = b.engine(b.poplar.Sequence())
    engine.write_tensor("base", np.ascontiguousarray(base))
    return engine.read_tensor("view", np.empty(tensor.shape, np.int32))


@settings(max_examples=300)
@given(chains())
def test_chains_of_views_equal_numpy(poplar, bench, chain):
    base, steps, expected = chain
    b = bench()
    t = base_tensor = b.variable(poplar.INT, base.shape)
    for s in steps:
        t = s(t)
    assert tuple(t.shape) == expected.shape
    assert t.num_elements == expected.size
    np.testing.assert_array_equal(read(b, t, base_tensor, base), expected)
    flat = expected.ravel()
    chunks = [np.arange(lo, hi) for _, lo, hi in t.var_regions()]
    np.testing.assert_array_equal(np.concatenate([*chunks, []]), flat)
    starts = [0, *(np.flatnonzero(np.diff(flat) != 1) + 1), flat.size] if flat.size else [0]
    assert t.contiguous_regions() == list(zip(starts, starts[1:]))
    assert t.is_contiguous() == (len(chunks) <= 1)
    assert t.contains_aliases() == (len(np.unique(flat)) != flat.size)
    assert t.is_parallel_writeable() == (not t.contains_aliases())


def test_scalars_and_indices(poplar, bench):
    b = bench()
    t = b.variable(poplar.FLOAT, [2, 3])
    assert t.index([1, 2]).shape == []
    assert t.index([1, 2]).num_elements == 1
    assert t.index([1]) == t[1]
    assert t[0] != t[1]
    assert t.index([1, 2]).var_regions() == [(t.var_regions()[0][0], 5, 6)]


def test_partial_operations(poplar, bench):
    t = bench().variable(poplar.FLOAT, [2, 3, 4])
    assert t.reshape_partial(1, 3, [6, 2]).shape == [2, 6, 2]
    assert t.reshape_partial(1, 1, [1, 1]).shape == [2, 1, 1, 3, 4]
    assert t.dim_shuffle_partial([0, 2], [2, 1]).shape == [3, 4, 2]
    assert t.expand([0, 0, 2, 3]).shape == [1, 1, 2, 3, 1, 4, 1]
    assert poplar.append(t, t[0], 0).shape == [3, 3, 4]
    assert poplar.append(t, t.slice(0, 1, 2).squeeze([2]), 2).shape == [2, 3, 5]


def test_reinterpret_keeps_the_bytes(poplar, bench):
    b = bench()
    t = b.variable(poplar.FLOAT, [2])
    b.graph.set_initial_value(t, [1.0, -2.0])
    out = b.evaluate(t.reinterpret(poplar.UNSIGNED_INT), np.uint32)
    np.testing.assert_array_equal(out, np.array([1.0, -2.0], np.float32).view(np.uint32))


@pytest.mark.parametrize(
    ("misuse", "error", "sentence"),
    [
        (lambda p, t: t[2], "index_error", "expected an index below 2 in dimension 0, got 2"),
        (lambda p, t: t.slice(2, 1, 1), "index_error", r"begin <= end <= 3 in dimension 1"),
        (lambda p, t: t.slice(0, 4, 1), "index_error", r"got \[0,4\)"),
        (lambda p, t: t.slice(0, 1, 2), "index_error", "below the rank 2, got 2"),
        (lambda p, t: t.slice([0], [1, 1]), "index_error", "as many begins as ends"),
        (lambda p, t: t.reshape([5]), "poplar_error", r"elements as \{2,3\}, got \{5\}"),
        (lambda p, t: t.dim_shuffle([0, 0]), "index_error", r"each of 2 dimensions once"),
        (lambda p, t: t.dim_shuffle_partial([0], []), "index_error", "as many destinations"),
        (lambda p, t: t.squeeze([0]), "poplar_error", "dimension 0 to have size 1, got 2"),
        (lambda p, t: t.sub_sample(0, 0), "poplar_error", "a stride above 0"),
        (lambda p, t: t.reinterpret(p.HALF), "type_error", "of the size of float, got half"),
        (lambda p, t: t.flatten(1, 3), "index_error", r"begin <= end <= 2"),
        (lambda p, t: p.concat([]), "poplar_error", "one tensor or more"),
        (lambda p, t: p.concat([t, t[0]], 0), "poplar_error", r"shape \{2,3\} but for dimension 0"),
        (lambda p, t: p.concat([t, t.transpose()], 0), "poplar_error", "concat: expected tensor 1"),
        (lambda p, t: p.Tensor().shape, "poplar_error", r"got an empty Tensor\(\)"),
        (lambda p, t: t.flatten()[0].dim(0), "index_error", "below the rank 0"),
    ],
)
def test_misused_views(poplar, bench, misuse, error, sentence):
    t = bench().variable(poplar.FLOAT, [2, 3])
    with pytest.raises(getattr(poplar, error), match=sentence):
        misuse(poplar, t)


def test_concat_of_other_graphs_and_types(poplar, bench):
    a, b = bench(), bench()
    t, u = a.variable(poplar.FLOAT, [2]), b.variable(poplar.FLOAT, [2])
    with pytest.raises(poplar.poplar_error, match="same graph"):
        poplar.concat([t, u])
    with pytest.raises(poplar.type_error, match="to be float as the first is, got int"):
        poplar.concat([t, a.variable(poplar.INT, [2])])
