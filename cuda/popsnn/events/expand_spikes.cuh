// Values of compacted spikes to dense rows, 0 elsewhere, and of dense rows those that lists name:
// each is the other's gradient. A block has a list. Ids out of range and counts beyond the
// capacity, which lists that are not checked may have, name nothing.
#pragma once

#include <popsnn/device/block.cuh>
#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kExpandSpikesThreads = 128;

struct ExpandSpikesArguments {
  const int* ids;     // [lists, capacity]
  const int* counts;  // [lists, 2], fired first
  void* values;       // Value [lists, capacity]; of expand_spikes also none: 1 where a neuron fired
  void* rows;         // T [lists, neurons]
  int capacity;
  int neurons;
};

// How many ids of a list count: `which` 0, those that fired; 1, those of the active set.
POPSNN_DEVICE int listed(const ExpandSpikesArguments& a, int which) {
  const int count = a.counts[2 * block_index() + which];
  return count < a.capacity ? count : a.capacity;
}

POPSNN_DEVICE bool in_row(const ExpandSpikesArguments& a, int id) {
  return static_cast<unsigned>(id) < static_cast<unsigned>(a.neurons);
}

// kVector: neurons that are cleared at once, to which rows are aligned.
template <class Value, class T, int kVector>
POPSNN_DEVICE void expand_spikes(const ExpandSpikesArguments& a) {
  const long long list = block_index();
  T* row = static_cast<T*>(a.rows) + list * a.neurons;
  const float zeros[kVector] = {};
  for (int n = thread_index() * kVector; n < a.neurons; n += kExpandSpikesThreads * kVector) {
    store<T, kVector, true>(row + n, zeros, kVector);
  }
  sync_block();
  const int* ids = a.ids + list * a.capacity;
  const auto* values = static_cast<const Row<Value, 1>*>(a.values);
  const int count = listed(a, values != nullptr ? 1 : 0);
  for (int k = thread_index(); k < count; k += kExpandSpikesThreads) {
    float value[1] = {1.0f};
    if (values != nullptr) unpack<Value, 1>(values[list * a.capacity + k], value);
    if (in_row(a, ids[k])) store<T, 1, true>(row + ids[k], value, 1);
  }
}

template <class T>
POPSNN_DEVICE void gather_spikes(const ExpandSpikesArguments& a) {
  const long long list = block_index();
  const auto* row = static_cast<const Row<T, 1>*>(a.rows) + list * a.neurons;
  const int* ids = a.ids + list * a.capacity;
  auto* values = static_cast<Row<T, 1>*>(a.values) + list * a.capacity;
  const float zero[1] = {0.0f};
  const int active = listed(a, 1);
  for (int k = thread_index(); k < a.capacity; k += kExpandSpikesThreads) {
    const bool named = k < active && in_row(a, ids[k]);
    values[k] = named ? row[ids[k]] : pack_row<T, 1>(zero);
  }
}

}  // namespace popsnn
