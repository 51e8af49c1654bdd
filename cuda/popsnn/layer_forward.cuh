// Forward: turns W x into membranes in place, writes spikes, and marks who has a place in the list.
//
// With a capacity a block has a whole sample, whose neurons compete for places at every step: a
// neuron that lost its place did not fire and does not reset.
#pragma once

#include <popsnn/layer_neurons.cuh>

namespace popsnn {

template <class Neuron, class Spike, int kLanes, bool kCapped, unsigned kTensors>
struct LayerForward {
  // Rows that a thread asks for before it works on as many: a step is shorter than a load is late.
  static constexpr int kRows = kLanes >= 16 ? 1 : 16 / kLanes;
  using Values = Row<float, kLanes>;

  const LayerArguments& a;
  const LayerPlace<kLanes> place;
  const bool in_row;
  float parameter[kLanes][Neuron::kParameters];
  float state[kLanes][Neuron::kStates];
  float offset[kLanes];  // of the current: gain * bias

  POPSNN_DEVICE explicit LayerForward(const LayerArguments& arguments)
      : a(arguments), place(arguments), in_row(place.in_row(arguments)) {
    load_parameters<Neuron, kTensors>(a, place, parameter);
    load_initial<Neuron>(a, place, state);
#pragma unroll
    for (int j = 0; j < kLanes; ++j) {
      const bool biased = a.bias != nullptr && j < place.count;
      offset[j] = biased ? a.gain * a.bias[place.first + j] : 0.0f;
    }
  }

  POPSNN_DEVICE void load_rows(int t, Values (&rows)[kRows]) const {
    const float* from = a.membrane + place.at + t * place.stride;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      if (in_row && t + r < a.steps) {
        rows[r] = *reinterpret_cast<const Values*>(from + r * place.stride);
      }
    }
  }

  POPSNN_DEVICE Members step(const Values& row) {
    float x[kLanes];
    unpack<float, kLanes>(row, x);
    Members m{0, 0};
#pragma unroll
    for (int j = 0; j < kLanes; ++j) {
      Neuron::step(state[j], parameter[j], multiply_add(a.gain, x[j], offset[j]));
      if constexpr (Neuron::kSpiking) {
        if (j >= place.count) continue;
        const bool fired = state[j][Neuron::kStates - 1] != 0.0f;
        const bool below_both = fired || state[j][Neuron::kMembrane] < a.gate;
        m.fired |= static_cast<unsigned>(fired) << j;
        m.above |= static_cast<unsigned>(!below_both) << j;
      }
    }
    return m;
  }

  // Writes what the neurons came to at step t; with a capacity, those in `m` alone fired.
  POPSNN_DEVICE void store_step(int t, Members m) {
    const long long at = place.at + t * place.stride;
    float lanes[kLanes];
#pragma unroll
    for (int j = 0; j < kLanes; ++j) {
      lanes[j] = j < place.count ? state[j][Neuron::kMembrane] : 0.0f;
    }
    if (in_row) store<float, kLanes, true>(a.membrane + at, lanes, kLanes);
    if constexpr (Neuron::kSpiking) {
#pragma unroll
      for (int j = 0; j < kLanes; ++j) {
        lanes[j] = (m.fired >> j & 1u) != 0 ? 1.0f : 0.0f;
        state[j][Neuron::kStates - 1] = lanes[j];
      }
      if (!in_row) return;
      store<Spike, kLanes, true>(static_cast<Spike*>(a.spikes) + at, lanes, kLanes);
      Raw<kLanes> marks;
#pragma unroll
      for (int w = 0; w < kLanes / 4; ++w) {
        const unsigned fired = m.fired >> 4 * w;
        marks.words[w] =
            spread(fired) * kFiredMark | spread(fired | m.above >> 4 * w) * kListedMark;
      }
      *reinterpret_cast<Raw<kLanes>*>(a.marks + at) = marks;
    }
  }

  POPSNN_DEVICE void count_list(int t, const ListCounts& counts) const {
    const long long at = 2 * (static_cast<long long>(t) * a.batch + place.sample);
    a.counts[at] = counts.kept_fired;
    a.counts[at + 1] = counts.kept_fired + counts.kept_above;
    a.dropped[at] = counts.fired - counts.kept_fired;
    a.dropped[at + 1] = counts.above - counts.kept_above;
  }

  POPSNN_DEVICE void count_all(int t, Members m) const {
    const unsigned both = warp_sum(both_counts(m));
    if (thread_index() % kWarp != 0) return;
    const long long at = 2 * (static_cast<long long>(t) * a.batch + place.sample);
    add_to(a.counts + at, fired_of(both));
    add_to(a.counts + at + 1, fired_of(both) + above_of(both));
  }

  POPSNN_DEVICE void run() {
    WarpSums* sums = nullptr;
    int* begins = nullptr;  // [T]
    if constexpr (kCapped) {
      sums = reinterpret_cast<WarpSums*>(shared_memory());
      begins = reinterpret_cast<int*>(shared_memory() + sizeof(WarpSums));
      const auto calls = a.calls != nullptr ? static_cast<unsigned>(*a.calls) : 0u;
      const unsigned seed = a.calls != nullptr ? call_seed(a.seed, calls) : a.seed;
      for (int t = thread_index(); t < a.steps; t += a.threads) {
        const unsigned step = a.first_step + static_cast<unsigned>(t);
        begins[t] = static_cast<int>(begin_of(seed, a.layer, step, place.sample, a.neurons));
      }
      block_wait();
    }
    Values ahead[kRows] = {};
    load_rows(0, ahead);
    for (int t = 0; t < a.steps; t += kRows) {
      Values rows[kRows];
#pragma unroll
      for (int r = 0; r < kRows; ++r) rows[r] = ahead[r];
      load_rows(t + kRows, ahead);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        if (t + r >= a.steps) break;
        Members m = step(rows[r]);
        if constexpr (kCapped) {
          const ListCounts counts = keep<kLanes>(m, place.first, begins[t + r], a.capacity,
                                                 a.threads / kWarp, (t + r) & 1, *sums);
          if (thread_index() == 0) count_list(t + r, counts);
        } else if constexpr (Neuron::kSpiking) {
          count_all(t + r, m);
        }
        store_step(t + r, m);
      }
    }
  }
};

template <class Neuron, class Spike, int kLanes, bool kCapped, unsigned kTensors>
POPSNN_DEVICE void layer_forward(const LayerArguments& a) {
  LayerForward<Neuron, Spike, kLanes, kCapped, kTensors>(a).run();
}

}  // namespace popsnn
