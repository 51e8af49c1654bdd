// The gradient of the delays of a layer's inputs: of each input, the sum over neurons of its
// weights times the gradient that the weights would have if the inputs were their derivatives by
// the delays. A block has kDelayColumns inputs, so that its threads read many rows at once, and a
// thread four neighbours.
#pragma once

#include <popsnn/device/block.cuh>
#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kDelayGradientThreads = 256;
constexpr int kDelayColumns = 8;

struct DelayGradientArguments {
  const float* of_slopes;  // [rows, columns], that gradient; columns are a multiple of 4
  const void* weight;      // T [rows, columns]
  float* out;              // [columns]
  int rows;
  int columns;
};

template <class T>
POPSNN_DEVICE void delay_gradient(const DelayGradientArguments& a) {
  constexpr int kQuads = kDelayColumns / 4;
  constexpr int kGroups = kDelayGradientThreads / kQuads;
  const int quad = thread_index() % kQuads;
  const int group = thread_index() / kQuads;
  const int column = static_cast<int>(block_index()) * kDelayColumns + 4 * quad;
  auto* const sums = reinterpret_cast<float*>(shared_memory());  // [kGroups][kDelayColumns]
  float sum[4] = {};
  if (column < a.columns) {
    const auto* const weight = static_cast<const T*>(a.weight);
#pragma unroll 8
    for (int row = group; row < a.rows; row += kGroups) {
      const long long at = static_cast<long long>(row) * a.columns + column;
      float values[4];
      float weights[4];
      load<4, true>(a.of_slopes + at, values, 4);
      unpack<T, 4>(row_at<T, 4>(weight + at), weights);
#pragma unroll
      for (int j = 0; j < 4; ++j) sum[j] = fma(weights[j], values[j], sum[j]);
    }
  }
  store<float, 4, true>(sums + group * kDelayColumns + 4 * quad, sum, 4);
  sync_block();
  for (int groups = kGroups / 2; groups > 0; groups /= 2) {
    const int index = thread_index();
    if (group < groups) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        sum[j] += sums[(group + groups) * kDelayColumns + 4 * quad + j];
        sums[4 * index + j] = sum[j];
      }
    }
    sync_block();
  }
  if (group == 0 && column < a.columns) store<float, 4, true>(a.out + column, sum, 4);
}

}  // namespace popsnn
