// The gradient of the delays of a layer's inputs: of each input, the sum over neurons of its
// weights times the gradient that the weights would have if the inputs were their derivatives by
// the delays. A thread has four neighbouring inputs, and reads many rows at once.
#pragma once

#include <popsnn/device/cluster.cuh>
#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kDelayGradientThreads = 256;
constexpr int kDelayGradientRows = 8;  // that a thread reads at once

struct DelayGradientArguments {
  const float* of_slopes;  // [rows, columns], that gradient; columns are a multiple of 4
  const void* weight;      // T [rows, columns]
  float* out;              // [columns]
  int rows;
  int columns;
};

// Loads four columns of every `apart`-th row from `row` on; zeros from `end` on.
template <class E>
POPSNN_DEVICE void load_rows(Row<E, 4> (&values)[kDelayGradientRows], const E* from, int row,
                             int apart, int end, int columns) {
#pragma unroll
  for (int i = 0; i < kDelayGradientRows; ++i) {
    const int own = row + i * apart;
    values[i] =
        own < end ? row_at<E, 4>(from + static_cast<long long>(own) * columns) : Row<E, 4>{};
  }
}

// A block has kColumns. kSplits: blocks of a cluster, which have some of the rows each and send
// their sums to the first; 1 without clusters, where blocks of few columns are many enough. The
// weights may not be in the cache: of a kernel that is launched early their loads come before its
// wait, so they have to be written before the product began. Of 1,024 rows and columns behind the
// product that makes `of_slopes`, clusters of 8 and 64 columns take 3.6 us on an H200, by the
// profiler, 3.7 launched late; single blocks of 8 columns 5.3.
template <class T, int kColumns, int kSplits>
POPSNN_DEVICE void delay_gradient(const DelayGradientArguments& a) {
  constexpr int kQuads = kColumns / 4;
  constexpr int kGroups = kDelayGradientThreads / kQuads;
  const int quad = thread_index() % kQuads;
  const int group = thread_index() / kQuads;
  const int first_column = static_cast<int>(block_index()) / kSplits * kColumns;
  const int column = first_column + 4 * quad;
  auto* const sums = reinterpret_cast<float*>(shared_memory());  // [kGroups][kColumns]
  auto* const received = sums + kGroups * kColumns;              // [kSplits][kColumns]
  int split = 0;
  unsigned barrier = 0;
  if constexpr (kSplits > 1) {
    split = block_rank();
    barrier = shared_address(received + kSplits * kColumns);
    if (split == 0 && thread_index() == 0) {
      make_barrier(barrier, 1);
      publish_barriers();
      arrive_with(barrier, 4 * kSplits * kColumns);
    }
  }
  const int rows = (a.rows + kSplits - 1) / kSplits;
  const int begin = split * rows + group;
  const int last = (split + 1) * rows < a.rows ? (split + 1) * rows : a.rows;
  const int end = column < a.columns ? last : 0;
  const auto* const weight = static_cast<const T*>(a.weight) + column;
  const float* const gradient = a.of_slopes + column;
  Row<T, 4> of_weight[kDelayGradientRows];
  Row<float, 4> of_slopes[kDelayGradientRows];
  load_rows(of_weight, weight, begin, kGroups, end, a.columns);
  if constexpr (kSplits > 1) sync_cluster();  // the first block has made its barrier
  wait_for_earlier_kernel();
  float sum[4] = {};
  for (int row = begin; row < end; row += kDelayGradientRows * kGroups) {
    if (row > begin) load_rows(of_weight, weight, row, kGroups, end, a.columns);
    load_rows(of_slopes, gradient, row, kGroups, end, a.columns);
#pragma unroll
    for (int i = 0; i < kDelayGradientRows; ++i) {
      float weights[4];
      float values[4];
      unpack<T, 4>(of_weight[i], weights);
      unpack<float, 4>(of_slopes[i], values);
#pragma unroll
      for (int j = 0; j < 4; ++j) sum[j] = fma(weights[j], values[j], sum[j]);
    }
  }
  store<float, 4, true>(sums + group * kColumns + 4 * quad, sum, 4);
  sync_block();
  const int own = thread_index();
  if (own >= kColumns) return;
  float total = 0.0f;
#pragma unroll
  for (int g = 0; g < kGroups; ++g) total += sums[g * kColumns + own];
  if constexpr (kSplits > 1) {
    const unsigned to = shared_address(received + split * kColumns + own);
    send(address_in_block(to, 0), float_to_bits(total), address_in_block(barrier, 0));
    if (split > 0) return;
    while (!phase_ended(barrier, 0)) {
    }
    total = 0.0f;
#pragma unroll
    for (int from = 0; from < kSplits; ++from) total += received[from * kColumns + own];
  }
  if (first_column + own < a.columns) a.out[first_column + own] = total;
}

}  // namespace popsnn
