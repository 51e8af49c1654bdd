// Forward: reads x once, writes spikes or membrane once, and a checkpoint every few steps.
#pragma once

#include <popsnn/temporal_scan.cuh>

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

template <class Neuron, class T, int kLanes, bool kWhole>
POPSNN_DEVICE void store_step(const ScanArguments& a, long long first, int count, int t,
                              const float (&state)[kLanes][Neuron::kStates]) {
  float lanes[kLanes];
  const long long at = t * a.neurons + first;
  if constexpr (Neuron::kSpiking) {
#pragma unroll
    for (int j = 0; j < kLanes; ++j) lanes[j] = state[j][Neuron::kStates - 1];
    const auto form = static_cast<SpikeForm>(a.spike_form);
    if constexpr (kLanes == 8) {
      if (form == SpikeForm::bits) {
        unsigned byte = 0;
#pragma unroll
        for (int j = 0; j < kLanes; ++j) byte |= static_cast<unsigned>(lanes[j] != 0.0f) << j;
        const long long row = (a.neurons + 7) / 8;
        static_cast<unsigned char*>(a.spikes)[t * row + first / 8] = byte;
      }
    }
    if (form == SpikeForm::value) {
      store<T, kLanes, kWhole>(static_cast<T*>(a.spikes) + at, lanes, count);
    } else if (form == SpikeForm::int8) {
      store_int8<kLanes, kWhole>(static_cast<unsigned char*>(a.spikes) + at, lanes, count);
    }
  }
  if (a.membrane != nullptr) {
#pragma unroll
    for (int j = 0; j < kLanes; ++j) lanes[j] = state[j][Neuron::kMembrane];
    store<T, kLanes, kWhole>(static_cast<T*>(a.membrane) + at, lanes, count);
  }
}

template <class Neuron, class T, int kLanes, bool kWhole, unsigned kTensors>
POPSNN_DEVICE void scan_forward(const ScanArguments& a) {
  const long long first = (block_index() * threads_per_block() + thread_index()) * kLanes;
  if (first >= a.neurons) return;
  const int count = a.neurons - first < kLanes ? static_cast<int>(a.neurons - first) : kLanes;

  float parameter[kLanes][Neuron::kParameters];
  float state[kLanes][Neuron::kStates];
  load_parameters<Neuron, kTensors>(a, first, count, parameter);
  load_states<Neuron::kStates, kLanes, kWhole>(a.initial, first, count, state);

  using Ring = RowRing<T, kLanes, kWhole>;
  Ring ring(shared_memory(), count);
  const T* x = static_cast<const T*>(a.x) + first;
  int asked = 0;  // rows
  const auto ask = [&] {
    const int rows = asked < a.steps ? at_most(kGroupRows, a.steps - asked) : 0;
    ring.ask(x + asked * a.neurons, a.neurons, rows);
    asked += kGroupRows;
  };
#pragma unroll
  for (int g = 0; g < kGroups - 1; ++g) ask();

  typename Ring::Slot rows[kGroupRows];
  const auto step = [&](int u, int t) {
    float current[kLanes];
    unpack<T, kLanes>(rows[u], current);
#pragma unroll
    for (int j = 0; j < kLanes; ++j) Neuron::step(state[j], parameter[j], current[j]);
    store_step<Neuron, T, kLanes, kWhole>(a, first, count, t, state);
  };
  for (int t = 0; t < a.steps; t += kGroupRows) {
    ring.take(rows);
    ask();
    // Without a test per row the steps of a group overlap.
    if (t + kGroupRows <= a.steps) {
#pragma unroll
      for (int u = 0; u < kGroupRows; ++u) step(u, t + u);
    } else {
#pragma unroll
      for (int u = 0; u < kGroupRows; ++u) {
        if (t + u < a.steps) step(u, t + u);
      }
    }
    const int done = t + kGroupRows;
    if (a.checkpoints != nullptr && done % kChunk<Neuron> == 0 && done < a.steps) {
      float* to[Neuron::kStates] = {};
#pragma unroll
      for (int k = 0; k < Neuron::kKept; ++k) {
        to[k] = checkpoint<Neuron>(a, done / kChunk<Neuron> - 1, k);
      }
      store_states<Neuron::kStates, kLanes, kWhole>(to, first, count, state);
    }
  }
  store_states<Neuron::kStates, kLanes, kWhole>(a.final, first, count, state);
}

}  // namespace popsnn
