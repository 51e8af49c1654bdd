// Statistics of each channel for batch normalisation, [C] each, from partial sums. A thread has a
// channel. In torch each of these lines would be a separate launch.
#pragma once

#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kStatisticsThreads = 64;

struct ChannelStatisticsArguments {
  const float* sums;    // [partials, 2, C]: of x - x[0] and of its square, as `channel_sums` has it
  const void* x;        // its first row is [C, inner]
  const float* weight;  // [C], or null: 1
  const float* bias;    // [C], or null: 0
  float* running_mean;  // [C], or null; moved towards the mean
  float* running_var;   // [C], or null; moved towards the unbiased variance
  float* results;       // [4, C]: mean, 1 / deviation, and x * scale + shift is normalised
  float count;          // values of a channel
  float eps;
  float momentum;
  int partials;
  int channels;  // C
  int inner;
};

POPSNN_DEVICE void sum_partials(const float* sums, int partials, int channels, int channel,
                                float& first, float& second) {
  first = second = 0.0f;
  for (int partial = 0; partial < partials; ++partial) {
    first += sums[2 * partial * channels + channel];
    second += sums[(2 * partial + 1) * channels + channel];
  }
}

template <class T>
POPSNN_DEVICE void channel_statistics(const ChannelStatisticsArguments& a) {
  const int c = static_cast<int>(block_index()) * kStatisticsThreads + thread_index();
  if (c >= a.channels) return;
  float first[1];
  unpack<T, 1>(reinterpret_cast<const Row<T, 1>*>(a.x)[c * a.inner], first);
  float total;
  float square;
  sum_partials(a.sums, a.partials, a.channels, c, total, square);
  const float away = total / a.count;
  const float mean = first[0] + away;
  const float squared_deviations = square - total * away;
  const float var = squared_deviations > 0.0f ? squared_deviations / a.count : 0.0f;
  const float invstd = rsqrt(var + a.eps);
  const float scale = a.weight == nullptr ? invstd : invstd * a.weight[c];
  a.results[c] = mean;
  a.results[a.channels + c] = invstd;
  a.results[2 * a.channels + c] = scale;
  a.results[3 * a.channels + c] = (a.bias == nullptr ? 0.0f : a.bias[c]) - mean * scale;
  if (a.running_mean != nullptr) {
    const float others = a.count > 2.0f ? a.count - 1.0f : 1.0f;
    const float unbiased = var * (a.count / others);
    a.running_mean[c] += a.momentum * (mean - a.running_mean[c]);
    a.running_var[c] += a.momentum * (unbiased - a.running_var[c]);
  }
}

struct ChannelGradientsArguments {
  const float*
      sums;  // [partials, 2, C]: of the gradient of what was normalised, and times x - mean
  const float* mean;    // [C]
  const float* invstd;  // [C]
  const float* scale;   // [C]
  float* results;       // [4, C]: grad of bias, of weight; slope, offset of `ChannelLineArguments`
  float count;
  int partials;
  int channels;  // C
};

POPSNN_DEVICE void channel_gradients(const ChannelGradientsArguments& a) {
  const int c = static_cast<int>(block_index()) * kStatisticsThreads + thread_index();
  if (c >= a.channels) return;
  float total;
  float total_x;
  sum_partials(a.sums, a.partials, a.channels, c, total, total_x);
  const float slope = -a.scale[c] * a.invstd[c] * a.invstd[c] * total_x / a.count;
  a.results[c] = total;
  a.results[a.channels + c] = total_x * a.invstd[c];
  a.results[2 * a.channels + c] = slope;
  a.results[3 * a.channels + c] = -a.scale[c] * total / a.count - slope * a.mean[c];
}

}  // namespace popsnn
