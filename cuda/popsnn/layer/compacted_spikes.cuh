// Compacted spikes from a layer's flags.
#pragma once

#include <popsnn/layer/neurons.cuh>

namespace popsnn {

constexpr int kCompactedAtOnce = 8;  // neurons of a lane, whose flags are loaded together

struct CompactedSpikesArguments {
  const unsigned char* flags;  // [lists, padded]
  const int* counts;           // [lists, 2], fired, active
  int* ids;                    // [lists, capacity]
  float* values;               // [lists, capacity], 1 where a neuron fired
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
  const unsigned lanes_before = (1u << thread_index()) - 1u;
  for (int begin = 0; begin < a.neurons; begin += kCompactedAtOnce * kWarp) {
    int flag[kCompactedAtOnce];
#pragma unroll
    for (int i = 0; i < kCompactedAtOnce; ++i) {
      const int neuron = begin + i * kWarp + thread_index();
      flag[i] = neuron < a.neurons ? flags[neuron] : 0;
    }
#pragma unroll
    for (int i = 0; i < kCompactedAtOnce; ++i) {
      const bool fires = (flag[i] & kFiredFlag) != 0;
      const bool active = (flag[i] & kActiveFlag) != 0;
      const unsigned fired = ballot(fires);
      const unsigned subthreshold = ballot(active && !fires);
      if (active) {
        const int index = fires ? next_fired + popcount(fired & lanes_before)
                                : next_subthreshold + popcount(subthreshold & lanes_before);
        ids[index] = begin + i * kWarp + thread_index();
        values[index] = fires ? 1.0f : 0.0f;
      }
      next_fired += popcount(fired);
      next_subthreshold += popcount(subthreshold);
    }
  }
  for (int index = a.counts[2 * list + 1] + thread_index(); index < a.capacity; index += kWarp) {
    ids[index] = 0;
    values[index] = 0.0f;
  }
}

}  // namespace popsnn
