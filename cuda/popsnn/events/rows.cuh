// Compacted spikes to rows of 0 and 1 for the products. A block has a list.
#pragma once

#include <popsnn/device/block.cuh>
#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kEventThreads = 128;

struct EventRowsArguments {
  const int* ids;     // [lists, capacity]
  const int* counts;  // [lists, 2], fired first
  void* rows;         // [lists, padded], a multiple of 8
  int capacity;
  int padded;
};

template <class T>
POPSNN_DEVICE void event_rows(const EventRowsArguments& a) {
  constexpr int kVector = 16 / static_cast<int>(sizeof(T));
  const float zeros[kVector] = {};
  T* row = static_cast<T*>(a.rows) + block_index() * a.padded;
  for (int n = thread_index() * kVector; n < a.padded; n += kEventThreads * kVector) {
    store<T, kVector, true>(row + n, zeros, kVector);
  }
  sync_block();
  const int* ids = a.ids + block_index() * a.capacity;
  const int fired = a.counts[2 * block_index()];
  const float scalar[1] = {1.0f};
  for (int k = thread_index(); k < fired; k += kEventThreads) {
    store<T, 1, true>(row + ids[k], scalar, 1);
  }
}

}  // namespace popsnn
