// Forward: turns W x into membranes in place, writes spikes, and marks who has a place in the list.
//
// With a capacity a block has a whole sample, whose neurons compete for places at every step: a
// neuron that lost its place did not fire and does not reset.
#pragma once

#include <popsnn/layer_neurons.cuh>

namespace popsnn {

// kDepth: steps on their way.
template <class Neuron, class Spike, int kLanes, int kDepth, bool kCapped, unsigned kTensors>
struct LayerForward {
  using Values = Row<float, kLanes>;
  using Marks = Raw<kLanes>;

  const LayerArguments& a;
  const LayerPlace<kLanes> place;
  const unsigned valid;  // bit j: a neuron, and not behind the last one
  float parameter[kLanes][Neuron::kParameters];
  float state[kLanes][Neuron::kStates];
  float offset[kLanes];  // of the current: gain * bias
  Values* membrane;      // of the step that is worked on
  Spike* spikes;
  unsigned char* marks;

  POPSNN_DEVICE explicit LayerForward(const LayerArguments& arguments)
      : a(arguments),
        place(arguments),
        valid((1u << place.count) - 1u),
        membrane(reinterpret_cast<Values*>(a.membrane + place.at)),
        spikes(static_cast<Spike*>(a.spikes) + place.at),
        marks(a.marks + place.at) {
    load_parameters<Neuron, kTensors>(a, place, parameter);
    if (a.carried != 0) {
      load_carried<Neuron>(a, place, state);
    } else {
      load_initial<Neuron>(a, place, state);
    }
#pragma unroll
    for (int j = 0; j < kLanes; ++j) {
      const bool biased = a.bias != nullptr && j < place.count;
      offset[j] = biased ? a.gain * a.bias[place.first + j] : 0.0f;
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
        const bool fired = state[j][Neuron::kStates - 1] != 0.0f;
        const bool far = state[j][Neuron::kMembrane] < a.gate;
        m.fired |= static_cast<unsigned>(fired) << j;
        m.above |= static_cast<unsigned>(!far) << j;
      }
    }
    m.fired &= valid;
    m.above &= valid & ~m.fired;
    return m;
  }

  // Writes what the neurons came to; those in `m` alone fired. Goes on to the next step.
  POPSNN_DEVICE void store_step(Members m) {
    float lanes[kLanes];
#pragma unroll
    for (int j = 0; j < kLanes; ++j) lanes[j] = state[j][Neuron::kMembrane];
    const Values row = pack_row<float, kLanes>(lanes);
    Marks marked;
    if constexpr (Neuron::kSpiking) {
#pragma unroll
      for (int j = 0; j < kLanes; ++j) {
        lanes[j] = (m.fired >> j & 1u) != 0 ? 1.0f : 0.0f;
        state[j][Neuron::kStates - 1] = lanes[j];
      }
#pragma unroll
      for (int w = 0; w < kLanes / 4; ++w) {
        const unsigned fired = m.fired >> 4 * w;
        marked.words[w] =
            spread(fired) * kFiredMark | spread(fired | m.above >> 4 * w) * kListedMark;
      }
    }
    if (place.first < a.padded) {
      *membrane = row;
      if constexpr (Neuron::kSpiking) {
        store<Spike, kLanes, true>(spikes, lanes, kLanes);
        *reinterpret_cast<Marks*>(marks) = marked;
      }
    }
    membrane += place.stride / kLanes;
    spikes += place.stride;
    marks += place.stride;
  }

  POPSNN_DEVICE void count_list(int t, unsigned all) const {
    const int fired = fired_of(all);
    const int above = above_of(all);
    const int kept = smaller(fired, a.capacity);
    const int listed = kept + smaller(above, a.capacity - kept);
    const long long at = 2 * (static_cast<long long>(t) * a.batch + place.sample);
    a.counts[at] = kept;
    a.counts[at + 1] = listed;
    a.dropped[at] = fired - kept;
    a.dropped[at + 1] = above + kept - listed;
  }

  POPSNN_DEVICE void count_all(int t, Members m) const {
    const unsigned both = warp_sum(both_counts(m));
    if (thread_index() % kWarp != 0) return;
    const long long at = 2 * (static_cast<long long>(t) * a.batch + place.sample);
    add_to(a.counts + at, fired_of(both));
    add_to(a.counts + at + 1, fired_of(both) + above_of(both));
  }

  // Where the order of places begins at each step.
  POPSNN_DEVICE void draw(unsigned* begins) const {
    const auto calls = a.calls != nullptr ? static_cast<unsigned>(*a.calls) : 0u;
    const unsigned seed = a.calls != nullptr ? call_seed(a.seed, calls) : a.seed;
    for (int t = thread_index(); t < a.steps; t += a.threads) {
      const unsigned step = a.first_step + static_cast<unsigned>(t);
      begins[t] = begin_of(seed, a.layer, step, place.sample, a.neurons);
    }
  }

  POPSNN_DEVICE void run() {
    unsigned char* shared = shared_memory();
    StepRing<sizeof(Values), kDepth> ring(shared, a.threads);
    shared += sizeof(Values) * kDepth * a.threads;
    auto* sums = reinterpret_cast<ListSums*>(shared);
    // [T]: where the order begins, and after the step both counts of the sample.
    auto* begins = reinterpret_cast<unsigned*>(shared + sizeof(ListSums));

    const float* from = a.membrane + place.at;
    int left = place.first < a.padded ? a.steps : 0;  // to ask for
    const auto ask = [&](bool absent) {
      if (left > 0 && !absent) ring.ask(from);
      ring.asked();
      commit_copies();
      from += place.stride;
      --left;
    };
#pragma unroll
    for (int t = 0; t < kDepth; ++t) ask(t < a.absent);
    if constexpr (kCapped) {
      draw(begins);
      sums->clear();
      wait_for_block();
    }
    wait_for_copies<kDepth - 1>();
    Values row = a.absent > 0 ? Values{} : ring.oldest();
    for (int t = 0; t < a.steps; ++t) {
      Members m = step(row);
      ask(false);
      ring.pass();
      wait_for_copies<kDepth - 1>();
      row = ring.oldest();  // of the next step
      if constexpr (kCapped) {
        const unsigned all =
            keep<kLanes>(m, place.first, static_cast<int>(begins[t]), a.capacity, t & 1, *sums);
        if (thread_index() == 0) begins[t] = all;
      } else if constexpr (Neuron::kSpiking) {
        count_all(t, m);
      }
      store_step(m);
    }
    if constexpr (kCapped) {
      wait_for_block();
      for (int t = thread_index(); t < a.steps; t += a.threads) count_list(t, begins[t]);
    }
  }
};

template <class Neuron, class Spike, int kLanes, int kDepth, bool kCapped, unsigned kTensors>
POPSNN_DEVICE void layer_forward(const LayerArguments& a) {
  LayerForward<Neuron, Spike, kLanes, kDepth, kCapped, kTensors>(a).run();
}

}  // namespace popsnn
