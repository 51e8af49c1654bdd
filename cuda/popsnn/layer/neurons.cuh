// The neurons of a layer, behind the product of its weights: common code of the two kernels over
// the whole time axis. A thread runs all steps of kVector neighbouring neurons of a sample.
#pragma once

#include <popsnn/device/step_ring.cuh>
#include <popsnn/layer/capacity.cuh>
#include <popsnn/neurons/neuron.cuh>
#include <popsnn/neurons/surrogates.cuh>

namespace popsnn {

constexpr int kLayerStates = 12;
constexpr int kLayerParameters = 16;

// [T, B, P] is the layout over time: T steps, B samples, N neurons padded to P, a multiple of 8 and
// of kVector; behind the last neuron spikes, flags and gradients are 0. Pointers may be null: at
// rest, not there, no gradient.
struct LayerArguments {
  float* membrane;       // [T, B, P], forward: W x on the way in
  float* others;         // [T, kSaved - 1, B, P], the other saved states
  void* spikes;          // [T, B, P], 0 or 1
  unsigned char* flags;  // [T, B, P]
  int* counts;           // [T, B, 2], fired, active; zeros at first where there is no capacity
  int* dropped;          // [T, B, 2], fired, subthreshold-active
  const float* bias;     // [N]
  const float* initial[kLayerStates];        // [B, initial_row] each
  const void* grad_spikes;                   // [T, B, P]
  const float* grad_membrane;                // [T, B, P], or of all steps [B, P]
  const float* grad_final[kLayerStates];     // [B, P] each, of `others` after the last step
  void* grad_x;                              // [T, B, P], of W x
  float* grad_initial[kLayerStates];         // [B, initial_row] each
  float* grad_bias;                          // [B, N], summed over T
  float* grad_parameter[kLayerParameters];   // [B, N] each, summed over T
  const float* parameter[kLayerParameters];  // [N] each
  const long long* calls;          // of the network before this call, if the seed has them
  long long grad_step;             // of grad_membrane, from step to step
  long long others_step;           // of others; 0 where all steps have the same memory
  float scalar[kLayerParameters];  // where the parameter is a scalar
  float gain;
  float surrogate;       // slope or width
  float grad_threshold;  // gradient threshold
  unsigned seed;
  unsigned layer;
  unsigned first_step;
  int steps;    // T
  int batch;    // B
  int neurons;  // N
  int padded;   // P
  int capacity;
  int threads;      // of a block
  int initial_row;  // N, or more
  int absent;       // steps at the beginning whose W x is 0, and not in memory
  int carried;      // forward: the states of the step before the first precede it in memory
};

// A thread's neurons: `first` of `sample`, `count` of them; fewer than kVector where a row ends.
template <int kVector>
struct LayerRange {
  int sample;
  int first;
  int count;
  long long at;      // of the first element at step 0
  long long stride;  // from step to step

  POPSNN_DEVICE explicit LayerRange(const LayerArguments& a) {
    const int chunks = (a.padded + a.threads * kVector - 1) / (a.threads * kVector);
    const int block = static_cast<int>(block_index());
    sample = block / chunks;
    first = ((block - sample * chunks) * a.threads + thread_index()) * kVector;
    const int left = a.neurons - first;
    count = left < 0 ? 0 : left < kVector ? left : kVector;
    at = static_cast<long long>(sample) * a.padded + first;
    stride = static_cast<long long>(a.batch) * a.padded;
  }
};

// Which state has the number k among `others`.
template <class Neuron>
POPSNN_DEVICE constexpr int other_state(int k) {
  return k + static_cast<int>(k >= Neuron::kMembrane);
}

// Bit i of kTensors: parameter i is a tensor.
template <class Neuron, unsigned kTensors, int kVector>
POPSNN_DEVICE void load_parameters(const LayerArguments& a, const LayerRange<kVector>& range,
                                   float (&parameter)[kVector][Neuron::kParameters]) {
#pragma unroll
  for (int i = 0; i < Neuron::kParameters; ++i) {
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      parameter[j][i] = a.scalar[i];
      if ((kTensors >> i & 1u) != 0 && j < range.count) {
        parameter[j][i] = a.parameter[i][range.first + j];
      }
    }
  }
}

// The states before the first step.
template <class Neuron, int kVector>
POPSNN_DEVICE void load_initial(const LayerArguments& a, const LayerRange<kVector>& range,
                                float (&state)[kVector][Neuron::kStates]) {
#pragma unroll
  for (int k = 0; k < Neuron::kStates; ++k) {
    const float* from = a.initial[k];
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      const long long element =
          static_cast<long long>(range.sample) * a.initial_row + range.first + j;
      state[j][k] = from != nullptr && j < range.count ? from[element] : 0.0f;
    }
  }
}

// The states that the forward kernel saved at the step before the first.
template <class Neuron, int kVector>
POPSNN_DEVICE void load_carried(const LayerArguments& a, const LayerRange<kVector>& range,
                                float (&state)[kVector][Neuron::kStates]) {
  const long long before = range.at - range.stride;
#pragma unroll
  for (int j = 0; j < kVector; ++j) {
    const bool there = j < range.count;
    if constexpr (Neuron::kSpiking) {
      const bool fired = there && (a.flags[before + j] & kFiredFlag) != 0;
      state[j][Neuron::kStates - 1] = fired ? 1.0f : 0.0f;
    }
    state[j][Neuron::kMembrane] = there ? a.membrane[before + j] : 0.0f;
#pragma unroll
    for (int k = 0; k < Neuron::kSaved - 1; ++k) {
      const float* others = a.others - a.others_step + k * range.stride + range.at;
      state[j][other_state<Neuron>(k)] = there ? others[j] : 0.0f;
    }
  }
}

// Writes a number of each neuron, [B, row].
template <int kVector>
POPSNN_DEVICE void store_each(const LayerRange<kVector>& range, float* to, int row,
                              const float (&values)[kVector]) {
  if (to == nullptr) return;
#pragma unroll
  for (int j = 0; j < kVector; ++j) {
    if (j < range.count) {
      to[static_cast<long long>(range.sample) * row + range.first + j] = values[j];
    }
  }
}

}  // namespace popsnn
