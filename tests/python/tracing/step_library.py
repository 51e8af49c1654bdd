"""Generated neurons compiled for a CPU, without a kernel around them: many in one library."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from typing import List, Sequence

import torch
from torch import Tensor

from popsnn.cuda.device import sources
from popsnn.functional import Neuron

SLOPE = 4.0  # of SuperSpike

DEVICE = """
#pragma once
#include <cmath>
#include <cstring>
#define POPSNN_DEVICE inline
namespace popsnn {
inline float fma(float a, float b, float c) { return std::fma(a, b, c); }
inline float bits_to_float(unsigned bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
}  // namespace popsnn
"""

# Forward over T steps of N neurons, each with parameters of its own; then backward, with the states
# that are not saved restored, as kernels do. x and its gradient are [inputs, T, N].
RUN = """
struct Slope {
  float operator()(float v, float threshold) const {
    const float r = 1.0f / (SLOPE * std::fabs(v - threshold) + 1.0f);
    return r * r;
  }
};

template <class Neuron>
void run(int steps, int neurons, const float* x, const float* parameter, const float* grad_spikes,
         const float* grad_membrane, float* spikes, float* membrane, float* grad_x,
         float* grad_parameter) {
  constexpr int kStates = Neuron::kStates;
  constexpr int kInputs = popsnn::kInputs<Neuron>;
  std::vector<float> history((steps + 1) * kStates);
  for (int n = 0; n < neurons; ++n) {
    float p[Neuron::kParameters], grad_p[Neuron::kParameters] = {};
    for (int i = 0; i < Neuron::kParameters; ++i) p[i] = parameter[i * neurons + n];
    std::fill(history.begin(), history.end(), 0.0f);
    for (int t = 0; t < steps; ++t) {
      float state[kStates];
      std::memcpy(state, &history[t * kStates], sizeof state);
      float current[kInputs];
      for (int i = 0; i < kInputs; ++i) current[i] = x[(i * steps + t) * neurons + n];
      if constexpr (kInputs == 1) {
        Neuron::step(state, p, current[0]);
      } else {
        Neuron::step(state, p, current);
      }
      std::memcpy(&history[(t + 1) * kStates], state, sizeof state);
      spikes[t * neurons + n] = Neuron::kSpiking ? state[kStates - 1] : 0.0f;
      membrane[t * neurons + n] = state[Neuron::kMembrane];
    }
    float grad[kStates] = {};
    for (int t = steps; t-- > 0;) {
      float before[kStates] = {}, state[kStates] = {};
      std::memcpy(before, &history[t * kStates], sizeof(float) * Neuron::kSaved);
      std::memcpy(state, &history[(t + 1) * kStates], sizeof(float) * Neuron::kSaved);
      if (t > 0) Neuron::restore(before, p);
      Neuron::restore(state, p);
      if (Neuron::kSpiking) grad[kStates - 1] += grad_spikes[t * neurons + n];
      grad[Neuron::kMembrane] += grad_membrane[t * neurons + n];
      float of_inputs[kInputs];
      if constexpr (kInputs == 1) {
        of_inputs[0] = Neuron::adjoint(before, state, p, Slope(), grad, grad_p);
      } else {
        Neuron::adjoint(before, state, p, Slope(), grad, grad_p, of_inputs);
      }
      for (int i = 0; i < kInputs; ++i) grad_x[(i * steps + t) * neurons + n] = of_inputs[i];
    }
    for (int i = 0; i < Neuron::kParameters; ++i) grad_parameter[i * neurons + n] = grad_p[i];
  }
}
"""


class StepLibrary:
    """Neurons compiled into one library.

    Parameters
    ----------
    neurons : sequence of Neuron
    folder : Path
        For the sources and the library.
    """

    def __init__(self, neurons: Sequence[Neuron], folder: Path) -> None:
        device = folder / "popsnn" / "device"
        device.mkdir(parents=True)
        (device / "device.cuh").write_text(DEVICE)
        pointers = "const float* b, const float* c, const float* d, const float* e, float* f, "
        pointers += "float* g, float* h, float* i"
        text = ["#include <vector>", "#include <popsnn/neurons/neuron.cuh>"]
        text.append(RUN.replace("SLOPE", f"{SLOPE}f"))
        for k, neuron in enumerate(neurons):
            text.append(str(neuron.cuda_source).replace("struct Neuron", f"struct Neuron{k}"))
            text.append(
                f'extern "C" void run{k}(int T, int N, {pointers}) '
                f"{{ run<Neuron{k}>(T, N, b, c, d, e, f, g, h, i); }}"
            )
        source, library = folder / "neurons.cpp", folder / "neurons.so"
        source.write_text("\n".join(text))
        command = ["c++", "-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
        command += ["-shared", "-fPIC", f"-I{folder}", f"-I{sources.include_path()}"]
        done = subprocess.run(
            [*command, str(source), "-o", str(library)], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        self._library = ctypes.CDLL(str(library))

    def run(
        self,
        number: int,
        x: Tensor,  # [T, N], or contiguous [inputs, T, N]
        parameters: Sequence[Tensor],  # of [N]
        grad_spikes: Tensor,  # [T, N]
        grad_membrane: Tensor,  # [T, N]
    ) -> List[Tensor]:
        """Return spikes, membranes [T, N], the gradient of x, then those of the parameters [N]."""
        steps, neurons = x.shape[-2:]
        outputs = [*torch.empty(2, steps, neurons), torch.empty_like(x)]
        learnt = torch.empty(len(parameters), neurons)
        every = torch.stack(list(parameters))
        tensors = (x, every, grad_spikes, grad_membrane, *outputs, learnt)
        pointers = (ctypes.c_void_p(tensor.data_ptr()) for tensor in tensors)
        getattr(self._library, f"run{number}")(steps, neurons, *pointers)
        return [*outputs, *learnt]
