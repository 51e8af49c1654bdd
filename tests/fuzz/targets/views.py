"""Random chains of tensor views of the emulated Poplar against NumPy's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any, Callable, Dict, List, Tuple

import numpy as np
import torch
from hypothesis import strategies as st
from tests.emulator.conftest import Bench

from ..outcome import BAD, Comparison, Outcome
from ..target import Target

MOST_ELEMENTS = 4096
KINDS = (
    "flatten", "transpose", "expand", "reshape", "concat", "slice", "multi_slice", "rotate",
    "index", "shuffle", "roll", "reverse", "broadcast", "sub_sample", "upsample", "squeeze",
    "flatten_dims", "append", "interleave",
)  # fmt: skip


@dataclass(frozen=True)
class View:
    """An operation; `a`, `b`, `c` choose dimensions and positions, modulo what there is."""

    kind: str
    a: int = 0
    b: int = 0
    c: int = 0


@dataclass(frozen=True)
class Case:
    """A variable's shape and the views of it, one of the other."""

    shape: Tuple[int, ...]
    views: Tuple[View, ...]
    copies: bool = False  # whether a copy writes through the view, else it is read


class Arrays:
    """The reference: each view of an array, by its kind."""

    def flatten(self, x: np.ndarray, view: View) -> np.ndarray:
        return x.reshape(-1)

    def transpose(self, x: np.ndarray, view: View) -> np.ndarray:
        return x.transpose()

    def expand(self, x: np.ndarray, view: View) -> np.ndarray:
        return np.expand_dims(x, view.a % (x.ndim + 1))

    def reshape(self, x: np.ndarray, view: View) -> np.ndarray:
        return x.reshape(_factors(x.size, view.a))

    def concat(self, x: np.ndarray, view: View) -> np.ndarray:
        return np.concatenate([x, x], view.a % x.ndim)

    def slice(self, x: np.ndarray, view: View) -> np.ndarray:
        axis = view.a % x.ndim
        return np.take(x, range(*_span(x.shape[axis], view)), axis)

    def multi_slice(self, x: np.ndarray, view: View) -> np.ndarray:
        return x[tuple(slice(*_span(size, view)) for size in x.shape)]

    def rotate(self, x: np.ndarray, view: View) -> np.ndarray:
        axis = view.a % x.ndim
        return np.roll(x, -(view.b % (x.shape[axis] + 1)), axis)

    def index(self, x: np.ndarray, view: View) -> np.ndarray:
        return np.asarray(x[view.a % x.shape[0]])

    def shuffle(self, x: np.ndarray, view: View) -> np.ndarray:
        return x.transpose(_order(x.ndim, view))

    def roll(self, x: np.ndarray, view: View) -> np.ndarray:
        return np.moveaxis(x, view.a % x.ndim, view.b % x.ndim)

    def reverse(self, x: np.ndarray, view: View) -> np.ndarray:
        return np.flip(x, view.a % x.ndim)

    def broadcast(self, x: np.ndarray, view: View) -> np.ndarray:
        axis = view.a % x.ndim
        return np.concatenate([np.take(x, [], axis), *[x] * (view.b % 4)], axis)

    def sub_sample(self, x: np.ndarray, view: View) -> np.ndarray:
        axis = view.a % x.ndim
        return np.take(x, range(0, x.shape[axis], 1 + view.b % 3), axis)

    def upsample(self, x: np.ndarray, view: View) -> np.ndarray:
        return np.repeat(x, view.b % 4, view.a % x.ndim)

    def squeeze(self, x: np.ndarray, view: View) -> np.ndarray:
        return np.squeeze(x, x.shape.index(1))

    def flatten_dims(self, x: np.ndarray, view: View) -> np.ndarray:
        begin, end = _span(x.ndim, view)
        middle = math.prod(x.shape[begin:end])
        return x.reshape([*x.shape[:begin], middle, *x.shape[end:]])

    def append(self, x: np.ndarray, view: View) -> np.ndarray:
        return np.concatenate([x, x[:1]])

    def interleave(self, x: np.ndarray, view: View) -> np.ndarray:
        return np.stack([x, np.flip(x, 0)], 1)


class Tensors:
    """The same of tensors."""

    def __init__(self, poplar: Any) -> None:
        self.poplar = poplar

    def flatten(self, t: Any, view: View) -> Any:
        return t.flatten()

    def transpose(self, t: Any, view: View) -> Any:
        return t.transpose()

    def expand(self, t: Any, view: View) -> Any:
        return t.expand([view.a % (len(t.shape) + 1)])

    def reshape(self, t: Any, view: View) -> Any:
        return t.reshape(_factors(t.num_elements, view.a))

    def concat(self, t: Any, view: View) -> Any:
        return self.poplar.concat([t, t], view.a % len(t.shape))

    def slice(self, t: Any, view: View) -> Any:
        axis = view.a % len(t.shape)
        return t.slice(*_span(t.shape[axis], view), axis)

    def multi_slice(self, t: Any, view: View) -> Any:
        spans = [_span(size, view) for size in t.shape]
        return t.slice([begin for begin, _ in spans], [end for _, end in spans])

    def rotate(self, t: Any, view: View) -> Any:
        axis = view.a % len(t.shape)
        size = t.shape[axis]
        at = view.b % (size + 1)
        return self.poplar.concat(t.slices([(at, size), (0, at)], axis), axis)

    def index(self, t: Any, view: View) -> Any:
        return t[view.a % t.shape[0]]

    def shuffle(self, t: Any, view: View) -> Any:
        return t.dim_shuffle(_order(len(t.shape), view))

    def roll(self, t: Any, view: View) -> Any:
        return t.dim_roll(view.a % len(t.shape), view.b % len(t.shape))

    def reverse(self, t: Any, view: View) -> Any:
        return t.reverse(view.a % len(t.shape))

    def broadcast(self, t: Any, view: View) -> Any:
        return t.broadcast(view.b % 4, view.a % len(t.shape))

    def sub_sample(self, t: Any, view: View) -> Any:
        return t.sub_sample(1 + view.b % 3, view.a % len(t.shape))

    def upsample(self, t: Any, view: View) -> Any:
        return t.upsample(view.b % 4, view.a % len(t.shape))

    def squeeze(self, t: Any, view: View) -> Any:
        return t.squeeze([list(t.shape).index(1)])

    def flatten_dims(self, t: Any, view: View) -> Any:
        return t.flatten(*_span(len(t.shape), view))

    def append(self, t: Any, view: View) -> Any:
        return self.poplar.append(t, t[0], 0)

    def interleave(self, t: Any, view: View) -> Any:
        return self.poplar.concat([t.expand([1]), t.reverse(0).expand([1])], 1)


def _span(size: int, view: View) -> Tuple[int, int]:
    """Return a range of `size` positions."""
    begin, end = sorted((view.b % (size + 1), view.c % (size + 1)))
    return begin, end


def _order(rank: int, view: View) -> List[int]:
    """Return a permutation."""
    left, order = list(range(rank)), []
    number = view.a + 8 * view.b + 64 * view.c
    while left:
        order.append(left.pop(number % len(left)))
        number //= 3
    return order


def _factors(size: int, choice: int) -> List[int]:
    divisors = [d for d in range(1, size + 1) if size % d == 0] or [1]
    first = divisors[choice % len(divisors)]
    return [first, size // first]


def fits(x: np.ndarray, view: View) -> bool:
    """Return whether the view is one of such an array."""
    if view.kind in ("flatten", "transpose", "expand", "reshape", "flatten_dims"):
        return True
    if view.kind == "squeeze":
        return 1 in x.shape
    if view.kind in ("index", "append", "interleave"):
        return x.ndim > 0 and x.shape[0] > 0
    return x.ndim > 0


@st.composite
def cases(draw: Any) -> Case:
    """Draw a shape and up to eight views."""
    shape = draw(st.lists(st.sampled_from((2, 3, 1, 4, 5, 2, 3, 0)), max_size=4))
    number = st.integers(0, 7)
    view = st.builds(View, st.sampled_from(KINDS), number, number, number)
    views = draw(st.lists(view, min_size=1, max_size=8))
    return Case(tuple(shape), tuple(views), draw(st.booleans()))


@lru_cache(maxsize=None)
def _poplar() -> Any:
    return import_module("popsnn._core").poplar


def check(case: Case, rules: Arrays) -> Outcome:
    """Compare a chain of views, where it lies in the variable, and what is read or written."""
    poplar = _poplar()
    bench = Bench(poplar)
    base = np.arange(math.prod(case.shape), dtype=np.int32).reshape(case.shape)
    tensor = variable = bench.variable(poplar.INT, case.shape)
    array, model, tensors = base, base, Tensors(poplar)
    for view in case.views:
        if not fits(model, view):
            continue
        after = getattr(Arrays(), view.kind)(model, view)
        if after.size > MOST_ELEMENTS:
            break
        model = after
        array = getattr(rules, view.kind)(array, view)
        tensor = getattr(tensors, view.kind)(tensor, view)
        if tuple(tensor.shape) != array.shape:
            return Outcome(BAD, f"{view}: shape {tuple(tensor.shape)}, expected {array.shape}")
    flat = array.ravel()
    aliases = len(np.unique(flat)) != flat.size
    regions = [np.arange(low, high) for _, low, high in tensor.var_regions()]
    facts: Dict[str, Tuple[Any, Any]] = {
        "num_elements": (tensor.num_elements, array.size),
        "var_regions": (np.concatenate([*regions, []]).astype(int).tolist(), flat.tolist()),
        "contains_aliases": (tensor.contains_aliases(), aliases),
        "is_parallel_writeable": (tensor.is_parallel_writeable(), not aliases),
    }
    if case.copies and not aliases:
        facts["written"] = _written(bench, variable, tensor, base, flat)
    else:
        facts["read"] = _read(bench, variable, tensor, base, array)
    difference = Comparison()
    for name, (got, expected) in facts.items():
        difference.same(name, torch.tensor(got), torch.tensor(expected))
    return difference.outcome()


def _read(
    bench: Bench, variable: Any, tensor: Any, base: np.ndarray, expected: np.ndarray
) -> Tuple[Any, Any]:
    bench.graph.create_host_write("base", variable)
    bench.graph.create_host_read("view", tensor)
    engine = bench.engine(bench.poplar.Sequence())
    engine.write_tensor("base", np.ascontiguousarray(base))
    got = engine.read_tensor("view", np.empty(tensor.shape, np.int32))
    return got.tolist(), expected.tolist()


def _written(
    bench: Bench, variable: Any, tensor: Any, base: np.ndarray, flat: np.ndarray
) -> Tuple[Any, Any]:
    """Copy new numbers into the view, and return what the variable holds, and should."""
    new = 10_000 + np.arange(flat.size, dtype=np.int32)
    source = bench.constant(bench.poplar.INT, new.reshape(tensor.shape))
    bench.graph.create_host_write("base", variable)
    bench.graph.create_host_read("after", variable)
    engine = bench.engine(bench.poplar.Copy(source, tensor))
    engine.write_tensor("base", np.ascontiguousarray(base))
    engine.run(0)
    got = engine.read_tensor("after", np.empty(base.shape, np.int32))
    expected = base.ravel().copy()
    expected[flat] = new
    return got.ravel().tolist(), expected.tolist()


def _broken(kind: str, wrong: Callable[[np.ndarray, View], np.ndarray]) -> Callable[[], Arrays]:
    """Return a reference whose view of this kind is another."""

    def make() -> Arrays:
        arrays = Arrays()
        setattr(arrays, kind, wrong)
        return arrays

    return make


MUTATIONS = {
    "TransposeReversesNothing": _broken("transpose", lambda x, view: x),
    "ReverseOfFirst": _broken("reverse", lambda x, view: np.flip(x, 0)),
    "RollBack": _broken("roll", lambda x, v: np.moveaxis(x, v.b % x.ndim, v.a % x.ndim)),
    "InverseShuffle": _broken(
        "shuffle", lambda x, view: x.transpose(np.argsort(_order(x.ndim, view)).tolist())
    ),
    "UpsampleTiles": _broken("upsample", lambda x, view: Arrays().broadcast(x, view)),
    "RotateBack": _broken(
        "rotate", lambda x, v: np.roll(x, v.b % (x.shape[v.a % x.ndim] + 1), v.a % x.ndim)
    ),
    "FlattenByColumns": _broken("flatten", lambda x, view: x.reshape(-1, order="F")),
}
TARGET = Target(cases(), check, Arrays, MUTATIONS)
