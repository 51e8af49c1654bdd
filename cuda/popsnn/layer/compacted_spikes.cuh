// Compacted spikes from a layer's flags, and the gradients of their values expanded to rows.
#pragma once

#include <popsnn/layer/neurons.cuh>

namespace popsnn {

constexpr int kExpandThreads = 128;

struct CompactedSpikesArguments {
  const unsigned char* flags;  // [lists, padded]
  const int* counts;           // [lists, 2], fired, active
  int* ids;                    // [lists, capacity]
  float* values;               // [lists, capacity], 1 where a neuron fired
  const float* grad_values;    // [lists, capacity]
  void* grad_spikes;           // [lists, padded]
  int neurons;
  int padded;  // a multiple of 8
  int capacity;
};

// A warp has a list: fired neurons first, then subthreshold-active ones, ids ascending.
POPSNN_DEVICE void compact_spikes(const CompactedSpikesArguments& a) {
  const long long list = block_index();
  const unsigned char* flags = a.flags + list * a.padded;
  int* ids = a.ids + list * a.capacity;
  float* values = a.values + list * a.capacity;
  int next_fired = 0;
  int next_subthreshold = a.counts[2 * list];
  for (int first = 0; first < a.neurons; first += kWarp) {
    const int neuron = first + thread_index();
    const int flag = neuron < a.neurons ? flags[neuron] : 0;
    const bool fired = (flag & kFiredFlag) != 0;
    const bool active = (flag & kActiveFlag) != 0;
    const unsigned both = both_counts({fired ? 1u : 0u, active && !fired ? 1u : 0u});
    const unsigned before = warp_sum_so_far(both) - both;
    const unsigned all = warp_sum(both);
    if (active) {
      const int index =
          fired ? next_fired + fired_of(before) : next_subthreshold + subthreshold_of(before);
      ids[index] = neuron;
      values[index] = fired ? 1.0f : 0.0f;
    }
    next_fired += fired_of(all);
    next_subthreshold += subthreshold_of(all);
  }
  for (int index = a.counts[2 * list + 1] + thread_index(); index < a.capacity; index += kWarp) {
    ids[index] = 0;
    values[index] = 0.0f;
  }
}

// A block has a list; what is not active has no gradient.
template <class T>
POPSNN_DEVICE void expand_gradients(const CompactedSpikesArguments& a) {
  constexpr int kVector = 16 / static_cast<int>(sizeof(T));
  const long long list = block_index();
  T* row = static_cast<T*>(a.grad_spikes) + list * a.padded;
  const float zeros[kVector] = {};
  for (int n = thread_index() * kVector; n < a.padded; n += kExpandThreads * kVector) {
    store<T, kVector, true>(row + n, zeros, kVector);
  }
  sync_block();
  const int active = a.counts[2 * list + 1];
  for (int index = thread_index(); index < active; index += kExpandThreads) {
    const float value[1] = {a.grad_values[list * a.capacity + index]};
    store<T, 1, true>(row + a.ids[list * a.capacity + index], value, 1);
  }
}

}  // namespace popsnn
