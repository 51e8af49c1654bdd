// Forward: reads x once, writes spikes or membrane once, and a checkpoint every few steps.
#pragma once

#include <popsnn/scan/scan.cuh>

namespace popsnn {

template <int kVector, bool kWhole>
POPSNN_DEVICE void store_int8(unsigned char* to, const float (&spikes)[kVector], int count) {
  if constexpr (kWhole && kVector >= 4) {
    Raw<kVector> row;
#pragma unroll
    for (int w = 0; w < kVector / 4; ++w) {
      row.words[w] = 0;
#pragma unroll
      for (int j = 0; j < 4; ++j) row.words[w] |= (spikes[4 * w + j] != 0.0f) << (8 * j);
    }
    *reinterpret_cast<Raw<kVector>*>(to) = row;
  } else {
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      if (j < count) to[j] = spikes[j] != 0.0f;
    }
  }
}

// Writes the requested outputs of a step; `at` is the thread's first element of the row, `byte` its
// byte of a row of bits.
template <class Neuron, class T, int kVector, bool kWhole, SpikeForm kForm, bool kMembrane>
POPSNN_DEVICE void store_step(const ScanArguments& a, long long at, long long byte, int count,
                              const float (&state)[kVector][Neuron::kStates]) {
  float values[kVector];
#pragma unroll
  for (int j = 0; j < kVector; ++j) values[j] = state[j][Neuron::kStates - 1];
  if constexpr (kForm == SpikeForm::value) {
    store<T, kVector, kWhole>(static_cast<T*>(a.spikes) + at, values, count);
  } else if constexpr (kForm == SpikeForm::int8) {
    store_int8<kVector, kWhole>(static_cast<unsigned char*>(a.spikes) + at, values, count);
  } else if constexpr (kForm == SpikeForm::bits) {
    static_assert(kVector == 8, "a byte holds the spikes of 8 neurons");
    unsigned bits = 0;
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      // Behind the last neuron a thread steps uninitialised shared memory.
      if (kWhole || j < count) bits |= static_cast<unsigned>(values[j] != 0.0f) << j;
    }
    static_cast<unsigned char*>(a.spikes)[byte] = static_cast<unsigned char>(bits);
  }
  if constexpr (kMembrane) {
#pragma unroll
    for (int j = 0; j < kVector; ++j) values[j] = state[j][Neuron::kMembrane];
    store<T, kVector, kWhole>(static_cast<T*>(a.membrane) + at, values, count);
  }
}

template <class Neuron, class T, int kVector, bool kWhole, unsigned kTensors, SpikeForm kForm,
          bool kMembrane>
POPSNN_DEVICE void scan_forward(const ScanArguments& a) {
  const long long first = (block_index() * kThreads + thread_index()) * kVector;
  if (first >= a.neurons) return;
  const int count = a.neurons - first < kVector ? static_cast<int>(a.neurons - first) : kVector;

  float parameter[kVector][Neuron::kParameters];
  float state[kVector][Neuron::kStates];
  load_parameters<Neuron, kTensors>(a, first, count, parameter);
  load_states<Neuron::kStates, kVector, kWhole>(a.initial, first, count, state);

  constexpr bool kNarrow = static_cast<int>(sizeof(T)) * kVector <= kNarrowBytes;
  constexpr int kDepth = kNarrow ? kDeepGroups : kGroups;
  using Ring = RowRing<T, kVector, kWhole, kDepth>;
  Ring ring(shared_memory(), count);
  const T* x = static_cast<const T*>(a.x) + first;
  const long long group_stride = kGroupRows * a.neurons;
  int left = a.steps;  // rows to request
  const auto request = [&] {
    ring.request(x, a.neurons, left);
    x += group_stride;
    left -= kGroupRows;
  };
#pragma unroll
  for (int g = 0; g < kDepth - 1; ++g) request();

  const long long bytes = (a.neurons + 7) / 8;  // of a row of bits
  long long at = first;
  long long byte = first / 8;
  typename Ring::Slot rows[kGroupRows];
  const auto step = [&](int u) {
    float current[kVector];
    unpack<T, kVector>(rows[u], current);
#pragma unroll
    for (int j = 0; j < kVector; ++j) Neuron::step(state[j], parameter[j], current[j]);
    store_step<Neuron, T, kVector, kWhole, kForm, kMembrane>(a, at, byte, count, state);
    at += a.neurons;
    byte += bytes;
  };
  const auto whole_group = [&] {
#pragma unroll
    for (int u = 0; u < kGroupRows; ++u) step(u);
  };
  const auto end_group = [&](int done) {
    if (a.checkpoints == nullptr || done % kChunk<Neuron> != 0 || done >= a.steps) return;
    float* to[Neuron::kStates] = {};
#pragma unroll
    for (int k = 0; k < Neuron::kSaved; ++k) {
      to[k] = checkpoint<Neuron>(a, done / kChunk<Neuron> - 1, k);
    }
    store_states<Neuron::kStates, kVector, kWhole>(to, first, count, state);
  };
  int t = 0;
  if constexpr (kNarrow) {
    // With no test between them the copies, steps and stores of a group overlap: a quarter less
    // time where a multiprocessor has a single warp. With wider rows and many warps it takes
    // longer.
    for (; left >= kGroupRows; t += kGroupRows) {
      ring.take(rows);
      ring.request(x, a.neurons);
      x += group_stride;
      left -= kGroupRows;
      whole_group();
      end_group(t + kGroupRows);
    }
  }
  for (; t < a.steps; t += kGroupRows) {
    ring.take(rows);
    request();
    // Without a test per row the steps of a group overlap.
    if (t + kGroupRows <= a.steps) {
      whole_group();
    } else {
#pragma unroll
      for (int u = 0; u < kGroupRows - 1; ++u) {
        if (t + u < a.steps) step(u);
      }
    }
    end_group(t + kGroupRows);
  }
  store_states<Neuron::kStates, kVector, kWhole>(a.final, first, count, state);
}

}  // namespace popsnn
