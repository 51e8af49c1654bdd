"""Custom neurons with lines of CUDA, and the neurons that functions of this package run."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Callable

from torch import Tensor

from .._internal import renamed
from .._internal.checks import RESETS
from ..neurons import (
    LI,
    LIF,
    AdaptiveLIF,
    Fire,
    Inputs,
    Neuron,
    Parameters,
    States,
    SynapticLIF,
)

__all__ = [
    "ADAPTIVE_LIFS",
    "LEAKY_INTEGRATOR",
    "LI",
    "LIF",
    "LIFS",
    "SYNAPTIC_LIFS",
    "AdaptiveLIF",
    "Custom",
    "Fire",
    "Inputs",
    "Neuron",
    "Parameters",
    "States",
    "SynapticLIF",
]

# Made once, so that each is translated once; torch.compile reads them as it reads any global.
LIFS, SYNAPTIC_LIFS, ADAPTIVE_LIFS = (
    {(reset, detach): kind(reset, detach) for reset in RESETS for detach in (True, False)}
    for kind in (LIF, SynapticLIF, AdaptiveLIF)
)

LEAKY_INTEGRATOR = LI()

_IDENTIFIER = re.compile(r"(?!(?:x|h|d_\w*|\w*_before)$)[A-Za-z]\w*")


@dataclass(frozen=True, eq=False)
class Custom(Neuron):
    """An earlier form of custom neurons, which warns: write a subclass of `popsnn.Neuron`.

    It has a step in torch, and a few lines of CUDA for the cuda engine.

    The CUDA lines, statements without preprocessor directives, see states and parameters under
    their names, and

    - `forward`: the input `x`. They turn the states before the step into those after it.
    - `restore`: they set `s` from the other states after the step.
    - `backward`: the states after the step under their names and those before it as `v_before`
      and so on. `d_v` and so on hold the gradient of the states after the step and must end up as
      that of the states before it. `d_x` must be set, `d_<parameter>` added to.
      `h(v, threshold)` is the surrogate's derivative. All must be linear in the gradients that come
      in, as gradients are: few neurons have their backward pass in time shards, by maps.

    In networks the gradient threshold is compared with `v`, and a capacity takes steps whose spike
    acts on later steps alone.

    Parameters
    ----------
    states, parameters : tuple of str
        At most 4 of each; "v" is the membrane, and a neuron that spikes has "s" as its last state.
    function : (x, states, parameters, fire) -> states
        One step in torch.
    forward, backward : str, optional
        Without them the neuron is one of the torch engine alone.
    restore : str, optional
        Needed, in addition, where the neuron spikes.

    Raises
    ------
    ValueError
        Where names are missing, double or no identifiers.
    """

    states: tuple[str, ...]
    parameters: tuple[str, ...]
    function: Callable[[Tensor, States, Parameters, Fire], States]
    forward: str | None = None
    backward: str | None = None
    restore: str | None = None
    _source: str | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        names = (*self.states, *self.parameters)
        if "v" not in self.states or "s" in self.states[:-1]:
            raise ValueError(
                'Custom: states: expected "v" among them, and "s", where the neuron spikes, as '
                f"the last, got {self.states}"
            )
        if len(set(names)) < len(names) or not all(map(_IDENTIFIER.fullmatch, names)):
            raise ValueError(
                f"Custom: states, parameters: expected different identifiers, got {names}"
            )
        if max(len(self.states), len(self.parameters)) > 4:
            raise ValueError(f"Custom: states, parameters: expected at most 4 of each, got {names}")
        lines = (self.forward, self.backward, *((self.restore,) if self.spiking else ()))
        if any(lines) and not all(lines):
            wanted = "forward, backward and restore" if self.spiking else "forward and backward"
            raise ValueError(f"Custom: expected CUDA lines for {wanted} or for none of them")
        object.__setattr__(self, "_source", self._struct())
        renamed.replaced("functional.Custom", "a subclass of popsnn.Neuron", level=4)

    def _fires_on_membrane(self) -> bool:
        return True

    def step(self, x: Any, state: States, parameters: Parameters, fire: Fire) -> States:
        return self.function(x, state, parameters, fire)

    def advance(self, x: Inputs, state: States, parameters: Parameters, fire: Fire) -> States:
        return self.step(x, state, parameters, fire)

    @property
    def cuda_source(self) -> str | None:
        return self._source

    def _struct(self) -> str | None:
        if self.forward is None:
            return None
        saved = len(self.states) - self.spiking
        after = _locals("float&", self.states, "state")
        constants = _locals("const float", self.parameters, "parameter")
        gradients = _locals("float&", [f"d_{name}" for name in self.states], "grad")
        sums = _locals("float&", [f"d_{name}" for name in self.parameters], "grad_parameter")
        parameter = "[[maybe_unused]] const float* parameter"
        before = _locals("const float", [f"{name}_before" for name in self.states], "before")
        # One parameter at least, which nothing reads: no array of the kernels can be empty.
        text = f"""struct Neuron {{
  static constexpr int kStates = {len(self.states)};
  static constexpr int kSaved = {saved};
  static constexpr int kParameters = {max(1, len(self.parameters))};
  static constexpr bool kSpiking = {str(self.spiking).lower()};
  static constexpr int kMembrane = {self.membrane};
  POPSNN_DEVICE static void step(float (&state)[kStates], {parameter}, float x) {{
    {after}{constants}
    {self.forward}
  }}
  POPSNN_DEVICE static void restore(float (&state)[kStates], {parameter}) {{
    {after}{constants}
    {self.restore or ""}
  }}
  POPSNN_DEVICE static float potential(const float (&state)[kStates], {parameter}) {{
    return state[kMembrane];
  }}
  template <class Gradient>
  POPSNN_DEVICE static float adjoint(const float (&before)[kStates], float (&state)[kStates],
                                  {parameter}, [[maybe_unused]] const Gradient& h,
                                  float (&grad)[kStates],
                                  [[maybe_unused]] float* grad_parameter) {{
    {after}{before}{constants}{gradients}{sums}
    float d_x = 0.0f;
    {self.backward}
    return d_x;
  }}
}};
"""
        return " ".join(re.sub(r"//.*", "", text).split())


def _locals(kind: str, names: list[str] | tuple[str, ...], array: str) -> str:
    return "".join(
        f"[[maybe_unused]] {kind} {name} = {array}[{index}]; " for index, name in enumerate(names)
    )
