// Forward: reads x once, writes spikes or membrane once, and a checkpoint every few steps.
#pragma once

#include <popsnn/scan/scan.cuh>

namespace popsnn {

template <int kLanes, bool kWhole>
POPSNN_DEVICE void store_int8(unsigned char* to, const float (&spikes)[kLanes], int count) {
  if constexpr (kWhole && kLanes >= 4) {
    Raw<kLanes> row;
#pragma unroll
    for (int w = 0; w < kLanes / 4; ++w) {
      row.words[w] = 0;
#pragma unroll
      for (int j = 0; j < 4; ++j) row.words[w] |= (spikes[4 * w + j] != 0.0f) << (8 * j);
    }
    *reinterpret_cast<Raw<kLanes>*>(to) = row;
  } else {
#pragma unroll
    for (int j = 0; j < kLanes; ++j) {
      if (j < count) to[j] = spikes[j] != 0.0f;
    }
  }
}

// Writes what was asked for of one step; `at` is the thread's first element of the row, `byte` its
// byte of a row of bits.
template <class Neuron, class T, int kLanes, bool kWhole, SpikeForm kForm, bool kMembrane>
POPSNN_DEVICE void store_step(const ScanArguments& a, long long at, long long byte, int count,
                              const float (&state)[kLanes][Neuron::kStates]) {
  float lanes[kLanes];
#pragma unroll
  for (int j = 0; j < kLanes; ++j) lanes[j] = state[j][Neuron::kStates - 1];
  if constexpr (kForm == SpikeForm::value) {
    store<T, kLanes, kWhole>(static_cast<T*>(a.spikes) + at, lanes, count);
  } else if constexpr (kForm == SpikeForm::int8) {
    store_int8<kLanes, kWhole>(static_cast<unsigned char*>(a.spikes) + at, lanes, count);
  } else if constexpr (kForm == SpikeForm::bits) {
    static_assert(kLanes == 8, "a byte holds the spikes of 8 neurons");
    unsigned bits = 0;
#pragma unroll
    for (int j = 0; j < kLanes; ++j) {
      // Behind the last neuron a lane steps over whatever lies in shared memory.
      if (kWhole || j < count) bits |= static_cast<unsigned>(lanes[j] != 0.0f) << j;
    }
    static_cast<unsigned char*>(a.spikes)[byte] = static_cast<unsigned char>(bits);
  }
  if constexpr (kMembrane) {
#pragma unroll
    for (int j = 0; j < kLanes; ++j) lanes[j] = state[j][Neuron::kMembrane];
    store<T, kLanes, kWhole>(static_cast<T*>(a.membrane) + at, lanes, count);
  }
}

template <class Neuron, class T, int kLanes, bool kWhole, unsigned kTensors, SpikeForm kForm,
          bool kMembrane>
POPSNN_DEVICE void scan_forward(const ScanArguments& a) {
  const long long first = (block_index() * kThreads + thread_index()) * kLanes;
  if (first >= a.neurons) return;
  const int count = a.neurons - first < kLanes ? static_cast<int>(a.neurons - first) : kLanes;

  float parameter[kLanes][Neuron::kParameters];
  float state[kLanes][Neuron::kStates];
  load_parameters<Neuron, kTensors>(a, first, count, parameter);
  load_states<Neuron::kStates, kLanes, kWhole>(a.initial, first, count, state);

  constexpr bool kNarrow = static_cast<int>(sizeof(T)) * kLanes <= kNarrowBytes;
  constexpr int kDepth = kNarrow ? kDeepGroups : kGroups;
  using Ring = RowRing<T, kLanes, kWhole, kDepth>;
  Ring ring(shared_memory(), count);
  const T* x = static_cast<const T*>(a.x) + first;
  const long long group_stride = kGroupRows * a.neurons;
  int left = a.steps;  // rows to ask for
  const auto ask = [&] {
    ring.ask(x, a.neurons, left);
    x += group_stride;
    left -= kGroupRows;
  };
#pragma unroll
  for (int g = 0; g < kDepth - 1; ++g) ask();

  const long long bytes = (a.neurons + 7) / 8;  // of a row of bits
  long long at = first;
  long long byte = first / 8;
  typename Ring::Slot rows[kGroupRows];
  const auto step = [&](int u) {
    float current[kLanes];
    unpack<T, kLanes>(rows[u], current);
#pragma unroll
    for (int j = 0; j < kLanes; ++j) Neuron::step(state[j], parameter[j], current[j]);
    store_step<Neuron, T, kLanes, kWhole, kForm, kMembrane>(a, at, byte, count, state);
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
    for (int k = 0; k < Neuron::kKept; ++k) {
      to[k] = checkpoint<Neuron>(a, done / kChunk<Neuron> - 1, k);
    }
    store_states<Neuron::kStates, kLanes, kWhole>(to, first, count, state);
  };
  int t = 0;
  if constexpr (kNarrow) {
    // With no test between them the copies, steps and stores of a group overlap: a quarter less
    // time where a multiprocessor has one warp. With wider rows and many warps it takes longer.
    for (; left >= kGroupRows; t += kGroupRows) {
      ring.take(rows);
      ring.ask(x, a.neurons);
      x += group_stride;
      left -= kGroupRows;
      whole_group();
      end_group(t + kGroupRows);
    }
  }
  for (; t < a.steps; t += kGroupRows) {
    ring.take(rows);
    ask();
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
  store_states<Neuron::kStates, kLanes, kWhole>(a.final, first, count, state);
}

}  // namespace popsnn
