// Values of compacted spikes to dense rows, and of dense rows those that lists name: each is the
// other's gradient. A block has a list.
#pragma once

#include <popsnn/device/block.cuh>
#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kExpandSpikesThreads = 128;

struct ExpandSpikesArguments {
  const int* ids;     // [lists, capacity]
  const int* counts;  // [lists, 2], fired first
  void* values;       // T [lists, capacity]; of expand_spikes also none: 1 where a neuron fired
  void* rows;         // T [lists, neurons]
  int capacity;
  int neurons;
};

// Ids out of range, which a list that is not checked may have, name nothing.
POPSNN_DEVICE bool in_row(const ExpandSpikesArguments& a, int id) {
  return static_cast<unsigned>(id) < static_cast<unsigned>(a.neurons);
}

// kVector: neurons that are cleared at once, to which rows are aligned.
template <class T, int kVector>
POPSNN_DEVICE void expand_spikes(const ExpandSpikesArguments& a) {
  const long long list = block_index();
  T* row = static_cast<T*>(a.rows) + list * a.neurons;
  const float zeros[kVector] = {};
  for (int n = thread_index() * kVector; n < a.neurons; n += kExpandSpikesThreads * kVector) {
    store<T, kVector, true>(row + n, zeros, kVector);
  }
  sync_block();
  const int* ids = a.ids + list * a.capacity;
  const auto* values = static_cast<const Row<T, 1>*>(a.values) + list * a.capacity;
  const float one[1] = {1.0f};
  const int count = a.counts[2 * list + (a.values != nullptr ? 1 : 0)];
  for (int k = thread_index(); k < count; k += kExpandSpikesThreads) {
    if (!in_row(a, ids[k])) continue;
    const Row<T, 1> value = a.values != nullptr ? values[k] : pack_row<T, 1>(one);
    reinterpret_cast<Row<T, 1>*>(row)[ids[k]] = value;
  }
}

template <class T>
POPSNN_DEVICE void gather_spikes(const ExpandSpikesArguments& a) {
  const long long list = block_index();
  const auto* row = static_cast<const Row<T, 1>*>(a.rows) + list * a.neurons;
  const int* ids = a.ids + list * a.capacity;
  auto* values = static_cast<Row<T, 1>*>(a.values) + list * a.capacity;
  const float zero[1] = {0.0f};
  const int active = a.counts[2 * list + 1];
  for (int k = thread_index(); k < a.capacity; k += kExpandSpikesThreads) {
    const bool named = k < active && in_row(a, ids[k]);
    values[k] = named ? row[ids[k]] : pack_row<T, 1>(zero);
  }
}

}  // namespace popsnn
