// Dense spikes to rows of 0 and 1 for the products.
#pragma once

#include <popsnn/device/block.cuh>
#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kSpikeRowThreads = 256;

struct SpikeRowsArguments {
  const float* spikes;  // [rows, columns], what is not 0 fired
  void* to;             // T [rows, padded], a multiple of kVector
  long long rows;
  int columns;
  int padded;
};

// A warp has a row, a lane kVector neighbours at a time. kVector: 4 where rows of spikes are
// aligned to 16 bytes, else 1.
template <class T, int kVector>
POPSNN_DEVICE void spike_rows(const SpikeRowsArguments& a) {
  constexpr int kWarps = kSpikeRowThreads / kWarp;
  const int lane = thread_index() % kWarp;
  const long long row = block_index() * kWarps + thread_index() / kWarp;
  if (row >= a.rows) return;
  const float* spikes = a.spikes + row * a.columns;
  T* to = static_cast<T*>(a.to) + row * a.padded;
#pragma unroll 8
  for (int first = lane * kVector; first < a.padded; first += kWarp * kVector) {
    float values[kVector] = {};
    if (first < a.columns) load<kVector, true>(spikes + first, values, kVector);
#pragma unroll
    for (int j = 0; j < kVector; ++j) values[j] = values[j] != 0.0f ? 1.0f : 0.0f;
    store<T, kVector, true>(to + first, values, kVector);
  }
}

}  // namespace popsnn
