"""Networks as graphs of NIR, the format that simulators and neuromorphic chips exchange.

NIR (Neuromorphic Intermediate Representation; Pedersen et al., 2024) describes neurons by
differential equations, with time constants in seconds. A network runs in time steps of `dt`
seconds, which every function takes, since no file has it. For a time constant tau the decay factor
beta of a step is

    "euler"          1 - dt / tau, for tau >= dt
    "exponential"    exp(-dt / tau)

and with rho = 1 - beta, alpha and rho_syn the same of tau_syn, and R a resistance

    LI, LIF          v' = beta v + rho (v_leak + R x)
    I, IF            v' = v + dt R x
    CubaLI, CubaLIF  i' = alpha i + rho_syn w_in x,  v' = beta v + rho (v_leak + R i')

Where x is constant over a step, "exponential" is exact for v of LI and LIF and for i. It is not for
v of CubaLI and CubaLIF, which takes i' for the current of the whole step: for tau_syn = 3 ms,
tau_mem = 5 ms and dt = 1 ms, v is 84 % too high after one step of constant x from rest.

A neuron spikes at v' > v_threshold, and v_reset takes the place of v'. Membranes begin at v_leak,
those of IF at v_reset, those of I and all currents at 0. "euler" is what snnTorch, norse and
SpikingJelly make of a NIR graph.

This package needs the package nir: `pip install 'popsnn[nir]'`.
"""

from __future__ import annotations

from .exchange import from_nir, read, to_nir, write
from .graph import Graph, GraphState

__all__ = ["Graph", "GraphState", "from_nir", "read", "to_nir", "write"]
