"""The neurons' equations in the form of their sources, over a whole sequence.

Each takes the currents x [T, ...], its parameters by name, and `fire` of what a threshold is
subtracted from; it returns the spikes [T, ...]. Where a source resets in the step of the spike, so
does the formula here.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List

import torch
from torch import Tensor

Fire = Callable[[Tensor], Tensor]
Formula = Callable[..., Tensor]


def stacked(step: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    return torch.stack([step(each) for each in x])


class Remembered:
    """States by name, zeros at first."""

    def __init__(self, like: Tensor, *names: str) -> None:
        for name in names:
            setattr(self, name, torch.zeros_like(like))


def lif(x: Tensor, fire: Fire, *, beta: Any = 1.0, threshold: Any) -> Tensor:
    """Integrate, fire, and set the membrane to zero at once."""
    m = Remembered(x[0], "v")

    def step(current: Tensor) -> Tensor:
        v = beta * m.v + current
        s = fire(v - threshold)
        m.v = v * (1 - s.detach())
        return s

    return stacked(step, x)


def plif(x: Tensor, fire: Fire, *, w: Any, threshold: Any) -> Tensor:
    return lif(x, fire, beta=1 / (1 + torch.exp(-w)), threshold=threshold)


def synaptic_lif(x: Tensor, fire: Fire, *, alpha: Any, beta: Any, threshold: Any) -> Tensor:
    current = Remembered(x[0], "i")
    drive: List[Tensor] = []
    for each in x:
        current.i = alpha * current.i + each
        drive.append(current.i)
    return lif(torch.stack(drive), fire, beta=beta, threshold=threshold)


def alpha(x: Tensor, fire: Fire, *, alpha: Any, beta: Any, threshold: Any) -> Tensor:
    """The one of snnTorch, where a spike clears all that the next step computes."""
    m = Remembered(x[0], "e", "i", "v")
    tau = torch.log(alpha) / (torch.log(beta) - torch.log(alpha)) + 1

    def step(current: Tensor) -> Tensor:
        reset = (m.v >= threshold).to(x.dtype)
        e, i = alpha * m.e + current, beta * m.i - current
        v = tau * (e + i)
        m.e, m.i, m.v = e - e * reset, i - i * reset, v - v * reset
        return fire(m.v - threshold)

    return stacked(step, x)


def adaptive_lif(x: Tensor, fire: Fire, **p: Any) -> Tensor:
    """The threshold decays to its resting value and is raised by a spike at once."""
    m = Remembered(x[0], "v", "raised")

    def step(current: Tensor) -> Tensor:
        v = p["beta"] * m.v + current
        s = fire(v - p["threshold"] - p["kappa"] * m.raised)
        m.v = v * (1 - s.detach())
        m.raised = p["rho"] * m.raised + s
        return s

    return stacked(step, x)


def alif(x: Tensor, fire: Fire, **p: Any) -> Tensor:
    m = Remembered(x[0], "v", "a", "z")

    def step(current: Tensor) -> Tensor:
        m.v = p["beta"] * m.v + current - m.z.detach() * p["threshold"]
        m.a = p["rho"] * m.a + m.z
        m.z = fire(m.v - (p["threshold"] + p["kappa"] * m.a))
        return m.z

    return stacked(step, x)


def lsnn(x: Tensor, fire: Fire, **p: Any) -> Tensor:
    m = Remembered(x[0], "v", "b", "z")
    level = p["threshold"] + p["kappa"] * m.b

    def step(current: Tensor) -> Tensor:
        nonlocal level
        m.v = p["beta"] * m.v + (1 - p["beta"]) * current - level * m.z.detach()
        m.b = p["rho"] * m.b + (1 - p["rho"]) * m.z
        level = p["threshold"] + p["kappa"] * m.b
        m.z = fire(m.v - level)
        return m.z

    return stacked(step, x)


def adlif(x: Tensor, fire: Fire, **p: Any) -> Tensor:
    """Symplectic: the current takes the membrane after its reset and the spike of this step."""
    m = Remembered(x[0], "u", "w")

    def step(current: Tensor) -> Tensor:
        u = p["beta"] * m.u + (1 - p["beta"]) * (current - m.w)
        s = fire(u - p["threshold"])
        m.u = u * (1 - s.detach())
        m.w = p["rho"] * m.w + (1 - p["rho"]) * (p["a"] * m.u + p["b"] * s)
        return s

    return stacked(step, x)


def adlif_euler(x: Tensor, fire: Fire, **p: Any) -> Tensor:
    m = Remembered(x[0], "u", "w", "s")

    def step(current: Tensor) -> Tensor:
        u = p["beta"] * m.u + (1 - p["beta"]) * (current - m.w)
        s = fire(u - p["threshold"])
        m.w = p["rho"] * m.w + (1 - p["rho"]) * (p["a"] * m.u + p["b"] * m.s)
        m.u, m.s = u * (1 - s.detach()), s
        return s

    return stacked(step, x)


def silif(x: Tensor, fire: Fire, **p: Any) -> Tensor:
    m = Remembered(x[0], "u", "w", "s")
    alpha = torch.exp(-torch.exp(p["log_alpha"]) * torch.exp(p["log_dt"]))
    beta = torch.exp(-torch.exp(p["log_beta"]) * torch.exp(p["log_dt"]))

    def step(current: Tensor) -> Tensor:
        m.w = beta * m.w + p["a"] * m.u + p["b"] * m.s
        m.u = alpha * (m.u - p["threshold"] * m.s) + (1 - alpha) * (current - m.w)
        m.s = fire(m.u - p["threshold"])
        return m.s

    return stacked(step, x)


def csilif(x: Tensor, fire: Fire, **p: Any) -> Tensor:
    """With complex numbers."""
    m = Remembered(x[0] + 0j, "u")
    m.s = torch.zeros_like(x[0])
    rate = torch.complex(-torch.exp(p["log_alpha"]), p["omega"]) * torch.exp(p["log_dt"])

    def step(current: Tensor) -> Tensor:
        m.u = torch.exp(rate) * (m.u - p["reset_by"] * m.s) + p["b"] * current
        m.s = fire(2 * m.u.real - p["threshold"])
        return m.s

    return stacked(step, x)


def resonate_and_fire(x: Tensor, fire: Fire, **p: Any) -> Tensor:
    """With complex numbers, and the reset to i times the threshold at once."""
    m = Remembered(x[0] + 0j, "z")
    turn = torch.exp(torch.complex(p["b"], p["omega"]))

    def step(current: Tensor) -> Tensor:
        z = turn * m.z + current
        s = fire(z.imag - p["threshold"])
        kept = s.detach()
        m.z = z * (1 - kept) + torch.complex(torch.zeros_like(kept), p["threshold"] * kept)
        return s

    return stacked(step, x)


def brf(x: Tensor, fire: Fire, **p: Any) -> Tensor:
    """As the authors' update of real and imaginary part, with q of the step before."""
    m, dt = Remembered(x[0], "u", "v", "q"), 0.01
    omega = p["omega"]
    boundary = (-1 + torch.sqrt(1 - torch.square(dt * omega))) / dt

    def step(current: Tensor) -> Tensor:
        b = boundary - p["b"] - m.q
        u = m.u + b * m.u * dt - omega * m.v * dt + current * dt
        m.v = m.v + omega * m.u * dt + b * m.v * dt
        z = fire(u - p["threshold"] - m.q)
        m.u, m.q = u, p["gamma"] * m.q + z
        return z

    return stacked(step, x)


def refractory_lif(x: Tensor, fire: Fire, *, beta: Any, threshold: Any) -> Tensor:
    """The membrane is held at 0 for two steps after a spike, which counts down by itself."""
    m = Remembered(x[0], "v", "left")

    def step(current: Tensor) -> Tensor:
        free = m.left == 0
        m.v = torch.where(free, beta * m.v + current, torch.zeros_like(current))
        s = fire(m.v - threshold)
        m.left = torch.where(s > 0, 2.0, (m.left - 1).clamp_min(0)).detach()
        return s

    return stacked(step, x)


def ode(
    slopes: Callable[[Dict[str, Tensor], Tensor, Dict[str, Any]], Dict[str, Tensor]],
    spike: Callable[[Dict[str, Tensor], Tensor, Dict[str, Any]], Dict[str, Tensor]],
    rest: Callable[[Dict[str, Any]], Dict[str, Any]],
    dt: float,
) -> Formula:
    """Return a neuron of differential equations, by Euler's method, whose spike changes states."""

    def formula(x: Tensor, fire: Fire, **p: Any) -> Tensor:
        states = {name: torch.zeros_like(x[0]) + value for name, value in rest(p).items()}

        def step(current: Tensor) -> Tensor:
            nonlocal states
            change = slopes(states, current, p)
            states = {name: value + dt * change[name] for name, value in states.items()}
            s = fire(states["v"] - p["threshold"])
            states = spike(states, s, p)
            return s

        return stacked(step, x)

    return formula


def to_reset(states: Dict[str, Tensor], s: Tensor, p: Dict[str, Any]) -> Dict[str, Tensor]:
    kept = s.detach()
    return {**states, "v": torch.where(kept > 0, p["v_reset"] + 0 * states["v"], states["v"])}


def upswing(v: Tensor, p: Dict[str, Any]) -> Tensor:
    return p["delta"] * torch.exp((v - p["v_rheobase"]) / p["delta"])


qif = ode(
    lambda y, x, p: {"v": (p["steepness"] * y["v"] * (y["v"] - p["v_critical"]) + x) / p["tau"]},
    to_reset,
    lambda p: {"v": 0.0},
    1.0,
)
eif = ode(
    lambda y, x, p: {"v": (-y["v"] + upswing(y["v"], p) + x) / p["tau"]},
    to_reset,
    lambda p: {"v": 0.0},
    1.0,
)
adex = ode(
    lambda y, x, p: {
        "v": (-y["v"] + upswing(y["v"], p) - y["w"] + x) / p["tau"],
        "w": (p["a"] * y["v"] - y["w"]) / p["tau_w"],
    },
    lambda y, s, p: {"v": to_reset(y, s, p)["v"], "w": y["w"] + p["b"] * s},
    lambda p: {"v": 0.0, "w": 0.0},
    1.0,
)
izhikevich = ode(
    lambda y, x, p: {
        "v": 0.04 * y["v"] ** 2 + 5 * y["v"] + 140 - y["u"] + x,
        "u": p["a"] * (p["b"] * y["v"] - y["u"]),
    },
    lambda y, s, p: {
        "v": torch.where(s.detach() > 0, p["c"] + 0 * y["v"], y["v"]),
        "u": y["u"] + p["d"] * s,
    },
    lambda p: {"v": -70.0, "u": -70.0 * p["b"]},
    0.5,
)


def conductance_lif(x: Tensor, fire: Fire, **p: Any) -> Tensor:
    """The membrane nears the value at which synaptic currents g (v - reversal) balance."""
    m = Remembered(x[0, 0], "v", "e", "i")
    spikes = []
    for current in x.transpose(0, 1):
        excitatory, inhibitory = current.clamp_min(0)
        m.e = m.e * torch.exp(-1 / p["tau_e"]) + excitatory
        m.i = m.i * torch.exp(-1 / p["tau_i"]) + inhibitory
        total = 1 + m.e + m.i
        balance = (m.e * p["reversal_e"] + m.i * p["reversal_i"]) / total
        v = balance + (m.v - balance) / (1 + total / p["tau"])
        s = fire(v - p["threshold"])
        m.v = torch.where(s.detach() > 0, p["v_reset"] + 0 * v, v)
        spikes.append(s)
    return torch.stack(spikes)


def surrogate_spike(u: Tensor) -> Tensor:
    """Spikes whose derivative is 1 / (4 |u| + 1)^2, by a term that is zero."""
    slope = 1 / (4 * u.detach().abs() + 1) ** 2
    return (u.detach() >= 0).to(u.dtype) + slope * (u - u.detach())
