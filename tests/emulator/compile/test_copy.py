"""Copies between any two views have the semantics of values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

POPLAR = pytest.importorskip("popsnn._core").poplar


@st.composite
def copies(draw):
    """A destination without aliases and a source of as many elements, over one variable."""
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    r0, r1 = sorted(draw(st.tuples(st.integers(0, rows), st.integers(0, rows))))
    c0, c1 = sorted(draw(st.tuples(st.integers(0, columns), st.integers(0, columns))))
    n = (r1 - r0) * (c1 - c0)
    kind = draw(st.sampled_from(["reverse", "roll", "transpose", "same_rows", "broadcast"]))
    flip = draw(st.booleans())
    return rows, columns, (r0, r1, c0, c1), n, kind, flip


@given(copies(), st.booleans())
def test_copies_equal_numpy(bench, case, half):
    rows, columns, (r0, r1, c0, c1), n, kind, flip = case
    b = bench()
    type_, dtype = (POPLAR.HALF, np.float16) if half else (POPLAR.FLOAT, np.float32)
    t = b.variable(type_, [rows, columns])
    a = np.arange(rows * columns, dtype=dtype).reshape(rows, columns)
    b.graph.set_initial_value(t, a.ravel())
    to = t.slice([r0, c0], [r1, c1])
    to = to.transpose() if flip else to
    flat, flat_a = t.flatten(), a.ravel()
    if kind == "reverse":
        source, values = flat.reverse(0).slice(0, n), flat_a[::-1][:n]
    elif kind == "roll":
        source = POPLAR.concat([flat.slice(1, flat.num_elements), flat.slice(0, 1)]).slice(0, n)
        values = np.roll(flat_a, -1)[:n]
    elif kind == "transpose":
        source, values = t.transpose().flatten().slice(0, n), a.T.ravel()[:n]
    elif kind == "same_rows":
        source, values = flat.slice(0, n), flat_a[:n]
    else:
        source, values = flat.slice(0, 1).broadcast(n, 0), np.repeat(flat_a[:1], n)
    expected = a.copy()
    window = expected[r0:r1, c0:c1].T if flip else expected[r0:r1, c0:c1]
    window[...] = values.reshape(window.shape)
    copy = POPLAR.Copy(source.reshape(to.shape), to)
    np.testing.assert_array_equal(b.evaluate(t, dtype, copy), expected)


def test_copies_check_their_operands(bench):
    b = bench()
    t, i = b.variable(POPLAR.FLOAT, [4]), b.variable(POPLAR.INT, [4])
    c = b.constant(POPLAR.FLOAT, np.zeros(4, np.float32))
    stream = b.graph.add_host_to_device_fifo("in", POPLAR.FLOAT, 4)
    with pytest.raises(POPLAR.type_error, match="source's type float, got int"):
        POPLAR.Copy(t, i)
    with pytest.raises(POPLAR.poplar_error, match="source's 4 elements, got 3"):
        POPLAR.Copy(t, t.slice(0, 3))
    with pytest.raises(POPLAR.poplar_error, match=r"Copy: expected a writeable .* a constant"):
        b.engine(POPLAR.Copy(t, c))
    with pytest.raises(POPLAR.poplar_error, match=r"Copy: expected a writeable .* aliases"):
        b.engine(POPLAR.Copy(t, t.slice(0, 1).broadcast(4, 0)))
    with pytest.raises(POPLAR.poplar_error, match="a stream to the host, got 'in'"):
        POPLAR.Copy(t, stream)
    with pytest.raises(POPLAR.poplar_error, match="expected a destination of the source's 4"):
        POPLAR.Copy(stream, t.slice(0, 2))
    with pytest.raises(POPLAR.type_error, match="source's type float, got int"):
        POPLAR.Copy(stream, i)
    with pytest.raises(POPLAR.poplar_error, match="Copy: expected what belongs to the same graph"):
        POPLAR.Copy(t, bench().variable(POPLAR.FLOAT, [4]))
