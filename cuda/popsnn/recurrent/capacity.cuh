// The capacity of a recurrent layer, common to all strategies that have it.
//
// A neuron whose spike is dropped did not fire: it sends nothing and does not reset. So spikes are
// decided on step by step, where blocks receive those of a step in any case. Neurons that did not
// fire compete for the rest of the capacity, which decides on gradients alone: the kernels leave a
// byte for each neuron with what it would be without a limit, and a kernel behind the loop,
// active_set.cuh, applies the limit to the bytes of all steps and counts.
#pragma once

#include <popsnn/layer/capacity.cuh>
#include <popsnn/neurons/neuron.cuh>

namespace popsnn {

struct RecurrentCapacity {
  unsigned char* flags;    // [T, B, P]: forward without a limit, backward the active set
  const long long* calls;  // of the network before this call, if the seed has them
  unsigned seed;
  unsigned layer;
  unsigned first_step;
  int padded;  // P, a multiple of 8
  int limit;   // the capacity

  POPSNN_DEVICE unsigned seed_of_call() const {
    return calls != nullptr ? call_seed(seed, static_cast<unsigned>(*calls)) : seed;
  }

  // Where the cyclic order of N neurons begins.
  POPSNN_DEVICE int begin(unsigned of_call, int step, int sample, int neurons) const {
    return static_cast<int>(begin_of(of_call, layer, first_step + static_cast<unsigned>(step),
                                     static_cast<unsigned>(sample),
                                     static_cast<unsigned>(neurons)));
  }

  // Of the first neuron of a sample.
  POPSNN_DEVICE unsigned char* row(int step, int batch, int sample) const {
    return flags + (static_cast<long long>(step) * batch + sample) * padded;
  }
};

// The flags of a neuron after a step, where nothing is dropped.
template <class Neuron>
POPSNN_DEVICE unsigned candidate_flags(const float (&state)[Neuron::kStates],
                                       const float (&parameter)[Neuron::kParameters],
                                       float grad_threshold) {
  if (state[Neuron::kStates - 1] != 0.0f) return kFiredFlag | kActiveFlag;
  return Neuron::potential(state, parameter) < grad_threshold ? 0u : kActiveFlag;
}

// The lowest `count` of the bits set.
POPSNN_DEVICE unsigned lowest_bits(unsigned set, int count) {
  if (count <= 0) return 0;
  if (count >= popcount(set)) return set;
  int last = 0;  // the position of the last bit that is kept
#pragma unroll
  for (int half = 16; half > 0; half /= 2) {
    const int below = popcount(set >> last & ((1u << half) - 1u));
    if (below < count) {
      count -= below;
      last += half;
    }
  }
  return set & ((2u << last) - 1u);
}

// Of `set`, those among the first `limit` of the sample in cyclic order, as `first_of` has them for
// vectors. `low` are the bits of neurons before the order's begin. Of the sample's `total`,
// `before` precede the word and `skipped` precede the begin.
POPSNN_DEVICE unsigned first_bits(unsigned set, unsigned low, int limit, int before, int skipped,
                                  int total) {
  const unsigned early = set & low;
  const int left = limit - before + skipped;
  return lowest_bits(early, left - total) | lowest_bits(set & ~low, left - popcount(early));
}

// The bits of neurons before `begin`, of a word that starts at neuron `first`.
POPSNN_DEVICE unsigned bits_before(int begin, int first) {
  const int count = begin - first;
  if (count <= 0) return 0;
  return count >= 32 ? 0xffffffffu : (1u << count) - 1u;
}

// The derivative of a spike where its neuron is in the active set, else 0.
template <class Gradient>
struct GradientOfActive {
  Gradient gradient;
  bool active;

  POPSNN_DEVICE float operator()(float v, float threshold) const {
    return active ? gradient(v, threshold) : 0.0f;
  }
};

}  // namespace popsnn
