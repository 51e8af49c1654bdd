// Forward: reads x and the residual once, writes spikes, their bits and a checkpoint every few
// steps.
#pragma once

#include <popsnn/batch_norm/lif.cuh>

namespace popsnn {

template <class Neuron, class T, int kVector, bool kWhole, unsigned kTensors, bool kResidual,
          bool kBits>
POPSNN_DEVICE void batch_norm_lif_forward(const BatchNormLifArguments& arguments) {
  const ScanArguments& a = arguments.scan;
  const long long first = (block_index() * kThreads + thread_index()) * kVector;
  if (first >= a.neurons) return;
  const int count = a.neurons - first < kVector ? static_cast<int>(a.neurons - first) : kVector;

  float parameter[kVector][Neuron::kParameters];
  float state[kVector][Neuron::kStates];
  float scale[kVector];
  float shift[kVector];
  load_parameters<Neuron, kTensors>(a, first, count, parameter);
  load_states<Neuron::kStates, kVector, kWhole>(a.initial, first, count, state);
  load_channels(arguments, arguments.scale, first, count, scale);
  load_channels(arguments, arguments.shift, first, count, shift);

  // In the ring a group of x is followed by that of the residual.
  using Ring = RowRing<T, kVector, kWhole>;
  Ring ring(shared_memory(), count);
  const T* x = static_cast<const T*>(a.x) + first;
  [[maybe_unused]] const T* residual = static_cast<const T*>(arguments.residual);
  if constexpr (kResidual) residual += first;
  const long long group_stride = kGroupRows * a.neurons;
  int left = a.steps;                  // rows to request
  [[maybe_unused]] bool turn = false;  // the residual's
  const auto request = [&] {
    if (kResidual && turn) {
      ring.request(residual, a.neurons, left);
      residual += group_stride;
    } else {
      ring.request(x, a.neurons, left);
      x += group_stride;
    }
    if (!kResidual || turn) left -= kGroupRows;
    turn = kResidual && !turn;
  };
#pragma unroll
  for (int g = 0; g < kGroups - 1; ++g) request();

  long long at = first;
  [[maybe_unused]] unsigned char* byte = arguments.bits;
  if constexpr (kBits) byte += first / 8;
  typename Ring::Slot xs[kGroupRows];
  [[maybe_unused]] typename Ring::Slot residuals[kGroupRows];
  const auto step = [&](int u) {
    float values[kVector];
    normalise<T, kVector, kResidual>(xs[u], residuals[u], scale, shift, values);
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      Neuron::step(state[j], parameter[j], values[j]);
      values[j] = state[j][Neuron::kStates - 1];
    }
    store<T, kVector, kWhole>(static_cast<T*>(a.spikes) + at, values, count);
    at += a.neurons;
    if constexpr (kBits) {
      static_assert(kVector == 8, "a byte holds the spikes of 8 neurons");
      unsigned bits = 0;
#pragma unroll
      for (int j = 0; j < kVector; ++j) {
        // Behind the last neuron a thread steps uninitialised shared memory.
        if (kWhole || j < count) bits |= static_cast<unsigned>(values[j] != 0.0f) << j;
      }
      *byte = static_cast<unsigned char>(bits);
      byte += (a.neurons + 7) / 8;
    }
  };
  for (int t = 0; t < a.steps; t += kGroupRows) {
    ring.take(xs);
    request();
    if constexpr (kResidual) {
      ring.take(residuals);
      request();
    }
    if (t + kGroupRows <= a.steps) {
#pragma unroll
      for (int u = 0; u < kGroupRows; ++u) step(u);
    } else {
#pragma unroll
      for (int u = 0; u < kGroupRows - 1; ++u) {
        if (t + u < a.steps) step(u);
      }
    }
    const int done = t + kGroupRows;
    if (a.checkpoints != nullptr && done % kChunk<Neuron> == 0 && done < a.steps) {
      float* to[Neuron::kStates] = {};
#pragma unroll
      for (int k = 0; k < Neuron::kSaved; ++k) {
        to[k] = checkpoint<Neuron>(a, done / kChunk<Neuron> - 1, k);
      }
      store_states<Neuron::kStates, kVector, kWhole>(to, first, count, state);
    }
  }
  store_states<Neuron::kStates, kVector, kWhole>(a.final, first, count, state);
}

}  // namespace popsnn
