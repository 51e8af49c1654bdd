"""The vertex alone: a neuron whose adjoint shows all that it is called with."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    InOut,
    Output,
    RunVertex,
    assert_close,
    batches,
    floats,
    generators,
    history_row,
    in_window,
    on_grid,
    random_windows,
    scalar,
    sizes,
)
from tests.codelets.neurons.test_lif_step_grad import SURROGATES
from tests.emulator.popc_tool import locate_popc

CODELETS = Path(__file__).resolve().parents[3] / "codelets"
ROWS = 3
# s = v >= threshold, but w decides which neurons are subthreshold-active.
PROBE = """
#include "neurons/functions.hpp"
#include "neurons/neuron_adjoint.hpp"

namespace popsnn {

struct Probe {
  enum State { kV, kW, kS, kStates };
  enum Parameter { kScale, kThreshold, kParameters };
  static constexpr int kSaved = 2;
  static constexpr int kMembrane = kV;
  static constexpr bool kSpiking = true;

  POPSNN_DEVICE static void step(float (&)[kStates], const float*, float) {}
  POPSNN_DEVICE static void restore(float (&state)[kStates], const float* p) {
    state[kS] = state[kV] >= p[kThreshold] ? 1.0f : 0.0f;
  }
  POPSNN_DEVICE static float potential(const float (&state)[kStates], const float*) {
    return state[kW];
  }
  template <class Gradient>
  POPSNN_DEVICE static float adjoint(const float (&before)[kStates], const float (&state)[kStates],
                                     const float* p, const Gradient& h, float (&grad)[kStates],
                                     float* grad_p) {
    const float through_spike = grad[kS] * h(state[kV], p[kThreshold]);
    grad_p[kScale] += before[kS] + 2.0f * state[kS];
    grad_p[kThreshold] -= through_spike;
    grad[kV] += through_spike;
    grad[kW] = fma(p[kScale], grad[kW], before[kV]);
    grad[kS] = before[kW] + 4.0f * before[kS];
    return through_spike + state[kW];
  }
};

"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("probe")
    vertices = "".join(
        f"template class NeuronAdjoint<Probe, {index}>;\n" for index in range(len(SURROGATES))
    )
    (folder / "probe.cpp").write_text(f"{PROBE}{vertices}}}  // namespace popsnn\n")
    command = [locate_popc(folder), "-O1", f"-I{CODELETS}", "probe.cpp", "-o", "probe.gp"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "probe.gp"


@given(
    surrogate=st.sampled_from(tuple(SURROGATES)),
    batch=batches,
    neurons=sizes,
    others=st.tuples(st.integers(0, 40), st.integers(0, 40)),
    row=st.integers(-1, ROWS - 1),
    gain=st.sampled_from((1.0, 0.25)),
    learns=st.booleans(),
    rng=generators,
)
def test_step_back(
    run_vertex: RunVertex,
    library: Path,
    surrogate: str,
    batch: int,
    neurons: int,
    others: tuple[int, int],
    row: int,
    gain: float,
    learns: bool,
    rng: np.random.Generator,
) -> None:
    first, layer_size = others[0], others[0] + neurons + others[1]
    shape, derivative = SURROGATES[surrogate]
    window, window_before = (random_windows(rng, batch, layer_size) for _ in range(2))
    scale, threshold = rng.random(neurons).astype(np.float32), on_grid(rng, neurons)
    grad_threshold = threshold - on_grid(rng, neurons)
    if rng.random() < 0.3:
        grad_threshold[:] = -np.inf
    states = on_grid(rng, 1 + ROWS, batch, 2, neurons)
    learnt, state_grad = floats(rng, batch, 2, neurons), floats(rng, batch, 3, neurons)
    spike_grad = floats(rng, batch, neurons)
    after = run_vertex(
        f"NeuronAdjoint<popsnn::Probe,{list(SURROGATES).index(surrogate)}>",
        {
            "spike_grad": spike_grad,
            "window": window,
            "window_before": window_before,
            "row": scalar(row),
            "states": states,
            "parameters": np.stack([scale, threshold, grad_threshold]),
            "state_grad": InOut(state_grad),
            "current_grad": Output((batch, neurons), "float32"),
            "parameter_grad": [InOut(learnt)] if learns else [],
        },
        {
            "batch": batch,
            "neurons": neurons,
            "learnt": int(learns),
            "first_neuron": first,
            "layer_size": layer_size,
            "surrogate_parameter": shape,
            "gain": gain,
        },
        library=library,
    )
    if row < 0:  # the call for the states before time step 0
        assert np.array_equal(after["state_grad"], state_grad)
        assert all(np.array_equal(summed, learnt) for summed in after["parameter_grad"])
        return

    def kept(of: np.ndarray, section: int) -> np.ndarray:
        return in_window(first, neurons, layer_size, of[:, 0], of[:, section])

    v_before, w_before = states[row].astype(np.float64).swapaxes(0, 1)
    v, w = states[history_row(row)].astype(np.float64).swapaxes(0, 1)
    s_before = (v_before >= threshold) & kept(window_before, 1)
    s = (v >= threshold) & kept(window, 1)
    active = s | ((v < threshold) & (w >= grad_threshold) & kept(window, 2))
    dv, dw, ds = state_grad.astype(np.float64).swapaxes(0, 1)
    through_spike = np.where(active, derivative(v - threshold, shape), 0) * (ds + spike_grad)
    assert_close(after["state_grad"][:, 0], dv + through_spike, dv, through_spike)
    assert_close(after["state_grad"][:, 1], scale * dw + v_before, dw, v_before)
    assert_close(after["state_grad"][:, 2], w_before + 4 * s_before, w_before)
    assert_close(after["current_grad"], gain * (through_spike + w), through_spike, w)
    for summed in after["parameter_grad"]:
        assert_close(summed[:, 0], learnt[:, 0] + s_before + 2 * s, learnt)
        assert_close(summed[:, 1], learnt[:, 1] - through_spike, learnt, through_spike)
