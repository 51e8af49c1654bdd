// How many neurons of a layer without a capacity fired at each step, and how many are active: those
// that fired, and those whose membrane is not below the gradient threshold.
#pragma once

#include <popsnn/device/block.cuh>
#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kActiveCountsThreads = 256;

struct ActiveCountsArguments {
  const void* spikes;     // T [T, B, N]; vectors of it and of the membrane are aligned
  const float* membrane;  // [T, B, N], or null: all neurons are active
  int* counts;            // [T, B, 2], fired, active
  long long rows;         // T B
  int neurons;            // N, a multiple of kVector
  float grad_threshold;
};

// A warp has a row, a lane kVector neighbours at a time.
template <class T, int kVector>
POPSNN_DEVICE void active_counts(const ActiveCountsArguments& a) {
  constexpr int kWarps = kActiveCountsThreads / kWarp;
  const int lane = thread_index() % kWarp;
  const long long row = static_cast<long long>(block_index()) * kWarps + thread_index() / kWarp;
  if (row >= a.rows) return;
  const T* spikes = static_cast<const T*>(a.spikes) + row * a.neurons;
  unsigned fired = 0, active = 0;
#pragma unroll 4
  for (int first = lane * kVector; first < a.neurons; first += kWarp * kVector) {
    float s[kVector];
    float v[kVector];
    unpack<T, kVector>(row_at<T, kVector>(spikes + first), s);
    if (a.membrane != nullptr) {
      load<kVector, true>(a.membrane + row * a.neurons + first, v, kVector);
    }
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      const bool fires = s[j] != 0.0f;
      fired += fires;
      // A membrane that is not a number is not below.
      active += fires || a.membrane == nullptr || !(v[j] < a.grad_threshold);
    }
  }
  fired = warp_sum(fired);
  active = warp_sum(active);
  if (lane != 0) return;
  a.counts[2 * row] = static_cast<int>(fired);
  a.counts[2 * row + 1] = static_cast<int>(active);
}

}  // namespace popsnn
