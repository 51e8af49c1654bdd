// Forward: turns W x into membranes in place, writes the other saved states and spikes, and flags
// the active set.
//
// With a capacity a block has a whole sample and applies the limit at every step: a neuron whose
// spike is dropped did not fire and does not reset.
#pragma once

#include <popsnn/layer/neurons.cuh>

namespace popsnn {

// kDepth: steps in flight, a power of two.
template <class Neuron, class Spike, int kVector, int kDepth, bool kCapped, unsigned kTensors>
struct LayerForward {
  using Values = Row<float, kVector>;
  using Flags = Raw<kVector>;
  // The limit drops spikes before they act on their own step, which is then computed again.
  static constexpr bool kAgain = kCapped && kOwnSpike<Neuron>;

  const LayerArguments& a;
  const LayerRange<kVector> range;
  Values* membrane;  // of the step that is worked on
  float* others;
  Spike* spikes;
  Flags* flags;
  const Flags valid;  // all flags of neurons, none behind the last neuron
  float parameter[kVector][Neuron::kParameters];
  float state[kVector][Neuron::kStates];
  float offset[kVector];  // of the current: gain * bias

  POPSNN_DEVICE explicit LayerForward(const LayerArguments& arguments)
      : a(arguments),
        range(arguments),
        membrane(reinterpret_cast<Values*>(a.membrane + range.at)),
        others(a.others + range.at),
        spikes(static_cast<Spike*>(a.spikes) + range.at),
        flags(reinterpret_cast<Flags*>(a.flags + range.at)),
        valid(flags_of<kVector>({(1u << range.count) - 1u, 0})) {
    load_parameters<Neuron, kTensors>(a, range, parameter);
    if (a.carried != 0) {
      load_carried<Neuron>(a, range, state);
    } else {
      load_initial<Neuron>(a, range, state);
    }
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      const bool biased = a.bias != nullptr && j < range.count;
      offset[j] = biased ? a.gain * a.bias[range.first + j] : 0.0f;
    }
  }

  // The active set: neurons that fire, and neurons above the gradient threshold.
  POPSNN_DEVICE Flags step(const Values& row, float (&x)[kVector]) {
    unpack<float, kVector>(row, x);
    Flags m{};
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      x[j] = fma(a.gain, x[j], offset[j]);
      float after[Neuron::kStates];
#pragma unroll
      for (int k = 0; k < Neuron::kStates; ++k) after[k] = state[j][k];
      Neuron::step(after, parameter[j], x[j]);
      if constexpr (Neuron::kSpiking) {
        const bool fired = after[Neuron::kStates - 1] != 0.0f;
        const bool far = Neuron::potential(after, parameter[j]) < a.grad_threshold;
        const unsigned subthreshold = far ? 0u : kActiveFlag << 8 * (j % 4);
        m.words[j / 4] |= fired ? (kFiredFlag | kActiveFlag) << 8 * (j % 4) : subthreshold;
      }
      if constexpr (!kAgain) {
#pragma unroll
        for (int k = 0; k < Neuron::kStates; ++k) state[j][k] = after[k];
      }
    }
#pragma unroll
    for (int w = 0; w < kVector / 4; ++w) m.words[w] &= valid.words[w];
    return m;
  }

  POPSNN_DEVICE static float spike_of(const Flags& m, int j) {
    return (m.words[j / 4] & kFiredFlag << 8 * (j % 4)) != 0 ? 1.0f : 0.0f;
  }

  POPSNN_DEVICE Values row_of(int k) const {
    float values[kVector];
#pragma unroll
    for (int j = 0; j < kVector; ++j) values[j] = state[j][k];
    return pack_row<float, kVector>(values);
  }

  // Writes the states; only the neurons in `m` fired. Advances to the next step.
  POPSNN_DEVICE void store_step(const Flags& m, const float (&x)[kVector]) {
    if constexpr (kAgain) {
#pragma unroll
      for (int j = 0; j < kVector; ++j) {
        Neuron::step_with(state[j], parameter[j], x[j], spike_of(m, j));
      }
    }
    const Values row = row_of(Neuron::kMembrane);
    float values[kVector];
    if constexpr (Neuron::kSpiking) {
#pragma unroll
      for (int j = 0; j < kVector; ++j) {
        values[j] = spike_of(m, j);
        state[j][Neuron::kStates - 1] = values[j];
      }
    }
    if (range.first < a.padded) {
      *membrane = row;
#pragma unroll
      for (int k = 0; k < Neuron::kSaved - 1; ++k) {
        *reinterpret_cast<Values*>(others + k * range.stride) = row_of(other_state<Neuron>(k));
      }
      if constexpr (Neuron::kSpiking) {
        store<Spike, kVector, true>(spikes, values, kVector);
        *flags = m;
      }
    }
    membrane += range.stride / kVector;
    others += a.others_step;
    spikes += range.stride;
    flags += range.stride / kVector;
  }

  POPSNN_DEVICE void count_list(int t, unsigned all) const {
    const long long at = static_cast<long long>(t) * a.batch + range.sample;
    store_counts(a.counts, a.dropped, at, all, a.capacity);
  }

  POPSNN_DEVICE void count_all(int t, const Flags& m) const {
    const unsigned all = warp_sum(flag_counts<kVector>(m));
    if (thread_index() % kWarp != 0) return;
    const long long at = 2 * (static_cast<long long>(t) * a.batch + range.sample);
    atomic_add(a.counts + at, fired_of(all));
    atomic_add(a.counts + at + 1, active_of(all));
  }

  // The neuron at which the order of spikes kept begins, of each step.
  POPSNN_DEVICE void order_begins(unsigned* begins) const {
    const auto calls = a.calls != nullptr ? static_cast<unsigned>(*a.calls) : 0u;
    const unsigned seed = a.calls != nullptr ? call_seed(a.seed, calls) : a.seed;
    for (int t = thread_index(); t < a.steps; t += a.threads) {
      const unsigned step = a.first_step + static_cast<unsigned>(t);
      begins[t] = begin_of(seed, a.layer, step, range.sample, a.neurons);
    }
  }

  POPSNN_DEVICE void run() {
    unsigned char* shared = shared_memory();
    StepRing<sizeof(Values), kDepth> ring(shared, a.threads);
    shared += sizeof(Values) * kDepth * a.threads;
    auto* sums = reinterpret_cast<ListSums*>(shared);
    // [T]: where the order begins, and after the step the counts of the sample.
    auto* begins = reinterpret_cast<unsigned*>(shared + sizeof(ListSums));
    const CapacityLimit<kVector> limit{range.first, a.capacity, *sums};

    const int requested = range.first < a.padded ? a.steps : 0;
    const Values* from = membrane;
    const auto request = [&](int t) {
      if (t < requested && t >= a.absent) ring.request(from, t);
      commit_copies();
      from += range.stride / kVector;
    };
#pragma unroll
    for (int t = 0; t < kDepth; ++t) request(t);
    if constexpr (kCapped) {
      order_begins(begins);
      sums->clear();
      sync_block();
    }
    wait_for_copies<kDepth - 1>();
    Values row = a.absent > 0 ? Values{} : ring.at(0);
    for (int t = 0; t < a.steps; ++t) {
      float x[kVector];
      Flags m = step(row, x);
      request(t + kDepth);
      wait_for_copies<kDepth - 1>();
      row = ring.at(t + 1);
      if constexpr (kCapped) {
        const unsigned all = limit.apply(m, begins + t, t & 1);
        if (thread_index() == 0) begins[t] = all;
      } else if constexpr (Neuron::kSpiking) {
        count_all(t, m);
      }
      store_step(m, x);
    }
    if constexpr (kCapped) {
      sync_block();
      for (int t = thread_index(); t < a.steps; t += a.threads) count_list(t, begins[t]);
    }
  }
};

template <class Neuron, class Spike, int kVector, int kDepth, bool kCapped, unsigned kTensors>
POPSNN_DEVICE void layer_forward(const LayerArguments& a) {
  LayerForward<Neuron, Spike, kVector, kDepth, kCapped, kTensors>(a).run();
}

}  // namespace popsnn
