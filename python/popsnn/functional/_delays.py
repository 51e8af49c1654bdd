"""Delays of spikes: taps over earlier time steps, and what sums them up.

A delay of d time steps is a set of taps w_k(d), k = 0..D: what arrives is the sum over k of w_k
times the value of k steps before. Taps add up to 1.

    axonal     one d a source neuron    in[t, i] = sum_j W[i, j] sum_k w_k(d[j]) x[t-k, j]
    dendritic  one d a target neuron    in[t, i] = sum_k w_k(d[i]) (W x[t-k])[i]
    synaptic   one d a weight           in[t, i] = sum_j W[i, j] sum_k w_k(d[i, j]) x[t-k, j]
"""

from __future__ import annotations

from typing import NamedTuple, Sequence

import torch
from torch import Tensor
from torch.nn.functional import linear

from .._internal import checks
from .._internal.dispatch import Operator
from ._scan import check_current, state_dtype

KINDS = ("axonal", "dendritic", "synaptic")
SPREADS = ("none", "straight_through", "triangle", "gaussian")


class DelaySteps(NamedTuple):
    """Delays of a layer, in time steps.

    Attributes
    ----------
    kind : {"axonal", "dendritic", "synaptic"}
        A delay for each source neuron, for each target neuron, or for each weight.
    steps : float Tensor [M], [N] or [N, M]
        The delays. Where `spread` is "none" they are whole numbers from `minimum` to `maximum`;
        others are clamped to that range.
    maximum : int
        D, at least 1.
    minimum : int
    spread : {"none", "straight_through", "triangle", "gaussian"}
        As in `delay_taps`.
    width : float
        As in `delay_taps`.
    """

    kind: str
    steps: Tensor
    maximum: int
    minimum: int = 0
    spread: str = "none"
    width: float = 0.0

    def taps(self, dtype: torch.dtype | None = None) -> Tensor:
        """Return the taps [D + 1, *steps.shape], of a type if not that of the delays."""
        steps = self.steps if dtype is None else self.steps.to(dtype)
        if self.spread != "none":
            steps = steps.clamp(self.minimum, self.maximum)
        return delay_taps(steps, self.maximum, self.spread, self.width)

    def check(self, operation: str, option: str, inputs: int, neurons: int) -> None:
        """Raise where these are no delays of weights [neurons, inputs].

        Values are read where they are on the CPU. On another device, results are NaN of fixed
        delays that are not whole or not in the range.

        Raises
        ------
        TypeError, ValueError
            In one sentence.
        """
        checks.choice(operation, f"{option}.kind", self.kind, KINDS)
        shape = delay_shape(self.kind, inputs, neurons)
        if not isinstance(self.steps, Tensor) or not self.steps.is_floating_point():
            got = self.steps.dtype if isinstance(self.steps, Tensor) else type(self.steps).__name__
            raise TypeError(f"{operation}: {option}.steps: expected a float tensor, got {got}")
        if tuple(self.steps.shape) != shape:
            raise ValueError(
                f"{operation}: {option}.steps: expected shape {shape} of {self.kind} delays, got "
                f"{tuple(self.steps.shape)}"
            )
        check_range(operation, option, self.minimum, self.maximum)
        checks.choice(operation, f"{option}.spread", self.spread, SPREADS)
        check_width(operation, f"{option}.width", self.spread, self.width)
        if self.steps.device.type == "cpu":
            least = self.minimum if self.spread == "none" else None
            check_steps(operation, f"{option}.steps", self.steps, least, self.maximum)


def delay_shape(kind: str, inputs: int, neurons: int) -> tuple[int, ...]:
    """Return the shape of a kind's delays of weights [neurons, inputs]."""
    shapes = {"axonal": (inputs,), "dendritic": (neurons,), "synaptic": (neurons, inputs)}
    return shapes[kind]


def check_range(operation: str, option: str, minimum: object, maximum: object) -> None:
    """Raise where `minimum` and `maximum` are no range of delays."""
    most = checks.integer(operation, f"{option}.maximum", maximum, 1)
    checks.integer(operation, f"{option}.minimum", minimum, 0, most)


def check_width(operation: str, argument: str, spread: str, width: float) -> None:
    """Raise where a spread has no such width."""
    number = checks.finite(operation, argument, width)
    if number < 0 or (spread == "gaussian" and number == 0):
        wanted = "more than 0" if spread == "gaussian" else "at least 0"
        raise ValueError(f"{operation}: {argument}: expected {wanted}, got {number:g}")


def check_steps(
    operation: str, argument: str, steps: Tensor, minimum: int | None, maximum: int
) -> None:
    """Raise where delays are not finite or, with a `minimum`, not whole numbers of the range."""
    values = steps.detach()
    finite = torch.isfinite(values)
    if not bool(finite.all()):
        got = values[~finite].flatten()[0].item()
        raise ValueError(f"{operation}: {argument}: expected finite delays, got {got:g}")
    if minimum is None:
        return
    wrong = (values < minimum) | (values > maximum) | (values != values.round())
    if bool(wrong.any()):
        raise ValueError(
            f"{operation}: {argument}: expected whole time steps in {minimum}..{maximum}, got "
            f"{values[wrong].flatten()[0].item():g}"
        )


def delay_taps(steps: Tensor, maximum: int, spread: str = "none", width: float = 0.0) -> Tensor:
    """Return the taps of delays: the weights with which earlier time steps arrive.

    Gaussians of a learnt position are those of Hammouamri et al. (arXiv 2306.17670, DCLS), and
    triangles whose width falls to that of linear interpolation those of DelRec (arXiv 2509.24852).

    Parameters
    ----------
    steps : float Tensor [...]
        The delays d, in time steps.
    maximum : int
        D. Taps of more steps are none.
    spread : {"none", "straight_through", "triangle", "gaussian"}
        "none": w_k = 1 where k = d, which is whole. "straight_through": the same of d rounded (a
        half to the even neighbour); its derivative is that of linear interpolation there, the mean
        of both sides, +1/2 for the tap above and -1/2 for the tap below. "triangle":
        w_k = max(0, 1 - |k - d| / (1 + width)) over their sum, where a width of 0 is linear
        interpolation; at a corner its derivative is the mean of both sides. "gaussian":
        w_k = exp(-((k - d) / width)^2 / 2) over their sum.
    width : float
        Of the triangle at least 0, of the Gaussian more, in time steps.

    Returns
    -------
    Tensor [D + 1, ...]
        Their sum over the first dimension is 1.
    """
    k = torch.arange(maximum + 1, dtype=steps.dtype, device=steps.device)
    k = k.reshape(-1, *(1,) * steps.dim())
    if spread == "gaussian":
        # Softmax of terms relative to that of the nearest step: where the width is small all may be
        # 0 in floats, and so their sum. Their derivatives are whole numbers over width^2, whose
        # rounding errors do not cancel as those of distances from the delay would.
        nearest = steps.detach().round()
        above = k - nearest
        return torch.softmax(above * ((steps - nearest) - above / 2) / width / width, 0)
    distance = k - steps  # [D + 1, ...]
    if spread == "triangle":
        height = 1 - distance.abs() / (1 + width)
        taps = (height + height.abs()) / 2  # max(0, height), with half of the slope at 0
    elif spread == "straight_through":
        rounded = steps.detach().round()
        at = k - rounded
        slope = ((at == 1).to(steps.dtype) - (at == -1).to(steps.dtype)) / 2
        return (at == 0).to(steps.dtype) + slope * (steps - steps.detach())
    else:
        taps = (distance == 0).to(steps.dtype)
    return taps / taps.sum(0)


def delayed(
    x: Tensor, delay: DelaySteps, before: Tensor | None = None, *, backend: str = "auto"
) -> Tensor:
    """Delay a sequence along time, each feature by its own steps.

        y[t, b, f] = sum over k of w_k(d[f]) x[t-k, b, f]

    It makes axonal delays where it is applied to the input of a linear map, and dendritic delays
    where it is applied to the output.

    Parameters
    ----------
    x : float Tensor [T, B, F]
    delay : DelaySteps
        Axonal or dendritic, with steps [F].
    before : float Tensor [D, B, F], optional
        The D steps of x before the first, oldest first; default zeros. `last_steps` returns them
        for the next call.
    backend : {"auto", "torch", "cuda"}
        As in `scan`.

    Returns
    -------
    Tensor [T, B, F]
        Of the type of x; sums of 16 bits are in float32.

    Raises
    ------
    TypeError, ValueError
        Where shapes do not fit or an option is out of range.
    RuntimeError
        Where the backend is named and cannot run this.
    """
    name = "functional.delayed"
    check_current(name, x, "[T, B, F]", "x")
    if x.dim() != 3:
        raise ValueError(f"{name}: x: expected shape [T, B, F], got {tuple(x.shape)}")
    check_delay(name, "delay", delay, x.shape[2], x.shape[2])
    if delay.kind == "synaptic":
        raise ValueError(f"{name}: delay.kind: expected axonal or dendritic, got 'synaptic'")
    check_before(name, "before", before, delay, x.shape[1], x.shape[2], x)
    engine = DELAYED.choose(name, backend, x, delay, before)
    out: Tensor = engine.run(x, delay, before)
    return out


def check_delay(
    operation: str, option: str, delay: object, inputs: int, neurons: int
) -> DelaySteps:
    """Return delays of weights [neurons, inputs], or raise."""
    if not isinstance(delay, DelaySteps):
        got = type(delay).__name__
        raise TypeError(f"{operation}: {option}: expected a DelaySteps, got {got}")
    delay.check(operation, option, inputs, neurons)
    return delay


def check_before(
    operation: str,
    argument: str,
    before: Tensor | None,
    delay: DelaySteps | None,
    batch: int,
    size: int,
    like: Tensor,
) -> None:
    """Raise where `before` is not the D steps [D, batch, size] that come before the first."""
    if before is None:
        return
    if delay is None:
        raise ValueError(f"{operation}: {argument}: expected None without delays, got a tensor")
    shape = (delay.maximum, batch, size)
    checks.rank(operation, argument, before, f"[D, B, {size}]", 3)
    if tuple(before.shape) != shape:
        raise ValueError(
            f"{operation}: {argument}: expected shape {shape}, got {tuple(before.shape)}"
        )
    if before.dtype != like.dtype or before.device != like.device:
        raise ValueError(
            f"{operation}: {argument}: expected {like.dtype} on {like.device}, got {before.dtype} "
            f"on {before.device}"
        )


def last_steps(x: Tensor, before: Tensor | None, maximum: int) -> Tensor:
    """Return the last D steps of a sequence, oldest first: what delays carry to the next chunk.

    Parameters
    ----------
    x : Tensor [T, ...]
    before : Tensor [D, ...], optional
        The steps before the first; default zeros.
    maximum : int
        D.

    Returns
    -------
    Tensor [D, ...]
    """
    return _after(x, before, maximum)[len(x) :].clone()


def _after(x: Tensor, before: Tensor | None, maximum: int) -> Tensor:
    """Return x [T, ...] and the D steps before it: [D + T, ...]."""
    if before is None:
        before = x.new_zeros((maximum, *x.shape[1:]))
    return torch.cat([before, x])


def _reference(x: Tensor, delay: DelaySteps, before: Tensor | None) -> Tensor:
    dtype, latest = state_dtype(x.dtype), delay.maximum
    line = _after(x, before, latest).to(dtype)
    taps = delay.taps(dtype)
    total = taps[0] * line[latest:]
    for k in range(1, latest + 1):
        total = total + taps[k] * line[latest - k : len(line) - k]
    return total.to(x.dtype)


DELAYED = Operator(_reference)


def delayed_products(
    x: Tensor,  # [T, B, M]
    weight: Tensor,  # [N, M]
    bias: Tensor | None,  # [N]
    delay: DelaySteps,
    before: Tensor | None,  # [D, B, M]
) -> list[Tensor]:
    """Return W x + b with delays, T times [B, N].

    Each step has a product of memory of its own, as `sparse.py` says: chunks have equal bits.
    """
    if delay.kind == "axonal":
        late = _reference(x, delay, before)
        return [linear(step.clone(), weight, bias) for step in late]
    line = _after(x, before, delay.maximum)
    rows = [row.clone() for row in line]
    if delay.kind == "dendritic":
        products = torch.stack([linear(row, weight) for row in rows])  # [D + T, B, N]
        late = _reference(products[delay.maximum :], delay, products[: delay.maximum])
        return [step if bias is None else step + bias for step in late]
    step_of = _Synaptic(weight, delay)
    steps = [step_of(rows[t : t + delay.maximum + 1]) for t in range(len(x))]
    return [step if bias is None else step + bias for step in steps]


class _Synaptic:
    """A product for each tap, of weights that the tap scales."""

    def __init__(self, weight: Tensor, delay: DelaySteps) -> None:
        self.weights = (weight * delay.taps(weight.dtype)).unbind()

    def __call__(self, rows: Sequence[Tensor]) -> Tensor:
        """Return the sum over the taps for D + 1 rows [B, M], oldest first."""
        products = [linear(row, weight) for row, weight in zip(reversed(rows), self.weights)]
        return torch.stack(products).sum(0)


class RecurrentProduct:
    """The product V s of a step's spikes and of the steps before, by their delays.

    Parameters
    ----------
    weight : Tensor [N, N]
    delay : DelaySteps, optional
        Without it the product of the last spikes alone.
    before : Tensor [D, B, N], optional
        The spikes before those of the first call, oldest first; default none.
    """

    def __init__(self, weight: Tensor, delay: DelaySteps | None, before: Tensor | None) -> None:
        self.weight, self.delay = weight, delay
        self.rows: list[Tensor] | None = None  # the last D, of spikes or of products
        if delay is None:
            return
        self.taps = delay.taps(weight.dtype).unsqueeze(-2)  # [D + 1, 1, N], or [D + 1, N, 1, N]
        if delay.kind == "synaptic":
            self.synaptic = _Synaptic(weight, delay)
        if before is not None:
            self.rows = [self._row(row) for row in before.to(weight.dtype)]

    def _row(self, spikes: Tensor) -> Tensor:
        assert self.delay is not None
        return linear(spikes, self.weight) if self.delay.kind == "dendritic" else spikes

    def __call__(self, spikes: Tensor) -> Tensor:
        """Return V s [B, N] after the spikes [B, N] of one more step."""
        if self.delay is None:
            return linear(spikes, self.weight)
        row = self._row(spikes)
        if self.rows is None:
            self.rows = [torch.zeros_like(row)] * self.delay.maximum
        rows = [*self.rows, row]
        self.rows = rows[1:]
        if self.delay.kind == "synaptic":
            return self.synaptic(rows)
        total = (self.taps * torch.stack(rows[::-1])).sum(0)
        return linear(total, self.weight) if self.delay.kind == "axonal" else total
