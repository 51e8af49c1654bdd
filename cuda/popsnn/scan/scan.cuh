// Common code of the two kernels over the whole time axis: arguments, parameters and states.
//
// A thread runs all steps of kVector neighbouring neurons. States are float in registers, whatever
// the type T of the tensors.
#pragma once

#include <popsnn/device/row_ring.cuh>
#include <popsnn/neurons/neuron.cuh>
#include <popsnn/neurons/surrogates.cuh>

namespace popsnn {

constexpr int kMaxStates = 12;
constexpr int kMaxParameters = 16;

// The checkpoint interval in steps. Checkpoints cost 4 bytes a saved state: 1/8 byte a neuron and
// step. It grows no further where shared memory would not hold the states of an interval.
template <class Neuron>
constexpr int kChunk = 32 * (Neuron::kSaved < 4 ? Neuron::kSaved : 4);

enum class SpikeForm { none, value, int8, bits };

// [T, N] is the layout of tensors over time: T steps, N neurons of all samples. Any pointer but x
// may be null: states at rest, an output that is not requested, no gradient.
struct ScanArguments {
  const void* x;                           // [T, N]
  void* spikes;                            // [T, N], or uint8 [T, ceil(N / 8)] as bits
  void* membrane;                          // [T, N]
  float* checkpoints;                      // [ceil(T / chunk) - 1, saved states, N]
  const float* initial[kMaxStates];        // [N] each
  float* final[kMaxStates];                // [N] each
  const void* grad_spikes;                 // [T, N], or [N] for every step
  const void* grad_membrane;               // [T, N], or [N] for every step
  const float* grad_final[kMaxStates];     // [N] each
  void* grad_x;                            // [T, N]
  float* grad_initial[kMaxStates];         // [N] each
  float* grad_parameter[kMaxParameters];   // [segments, N] each, summed over the steps of each
  const float* parameter[kMaxParameters];  // [period]: of neuron n at (n / inner) % period
  long long parameter_inner[kMaxParameters];
  long long parameter_period[kMaxParameters];
  long long neurons;             // N
  long long grad_stride;         // from step to step of the gradients: N, or 0
  float scalar[kMaxParameters];  // where the parameter is a scalar
  float* maps;                   // [segments - 1, carried * (carried + 1), N]: segments.cuh
  float surrogate;               // slope or width
  float grad_threshold;          // gradient threshold
  int steps;                     // T
  int segments;                  // time shards, which backward processes at once
  int segment_chunks;            // of each but the last, which may have fewer
};

// The parameters of a thread's neurons. Bit i of kTensors: parameter i is a tensor.
template <class Neuron, unsigned kTensors, int kVector>
POPSNN_DEVICE void load_parameters(const ScanArguments& a, long long first, int count,
                                   float (&parameter)[kVector][Neuron::kParameters]) {
#pragma unroll
  for (int i = 0; i < Neuron::kParameters; ++i) {
    if ((kTensors >> i & 1u) == 0) {
#pragma unroll
      for (int j = 0; j < kVector; ++j) parameter[j][i] = a.scalar[i];
      continue;
    }
    // A single division for all elements: in 64 bits it takes as long as several steps.
    const long long inner = a.parameter_inner[i];
    const long long period = a.parameter_period[i];
    long long at = first / inner;
    long long within = first - at * inner;
    at %= period;
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      parameter[j][i] = j < count ? a.parameter[i][at] : 0.0f;
      if (++within == inner) {
        within = 0;
        if (++at == period) at = 0;
      }
    }
  }
}

// The states before the first step.
template <int kStates, int kVector, bool kWhole>
POPSNN_DEVICE void load_states(const float* const* from, long long first, int count,
                               float (&state)[kVector][kStates]) {
#pragma unroll
  for (int k = 0; k < kStates; ++k) {
    float values[kVector] = {};
    if (from[k] != nullptr) load<kVector, kWhole>(from[k] + first, values, count);
#pragma unroll
    for (int j = 0; j < kVector; ++j) state[j][k] = values[j];
  }
}

template <int kStates, int kVector, bool kWhole>
POPSNN_DEVICE void store_states(float* const* to, long long first, int count,
                                const float (&state)[kVector][kStates]) {
#pragma unroll
  for (int k = 0; k < kStates; ++k) {
    float values[kVector];
#pragma unroll
    for (int j = 0; j < kVector; ++j) values[j] = state[j][k];
    if (to[k] != nullptr) store<float, kVector, kWhole>(to[k] + first, values, count);
  }
}

// The checkpoint of saved state `state` after the last step of a chunk.
template <class Neuron>
POPSNN_DEVICE float* checkpoint(const ScanArguments& a, int chunk, int state) {
  return a.checkpoints + (static_cast<long long>(chunk) * Neuron::kSaved + state) * a.neurons;
}

POPSNN_DEVICE int min(int x, int limit) { return x < limit ? x : limit; }

}  // namespace popsnn
