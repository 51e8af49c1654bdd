// The cross entropy of scores, which are sums or means over the steps of a readout's membranes, and
// its gradient, which is the same at every step.
#pragma once

#include <popsnn/device/block.cuh>

namespace popsnn {

constexpr int kReadoutThreads = 512;

struct ReadoutLossArguments {
  const float* membrane;    // [T, B, C], at (t, b, c) element t * step + b * row + c
  const long long* labels;  // [B]
  float* scores;            // [B, C]
  float* losses;            // [B]
  float* loss;              // [], their mean
  float* grad;              // [B, padded], of the loss by the membranes of any step
  long long step;
  long long row;
  int steps;    // T
  int batch;    // B
  int classes;  // C
  int padded;
  float scale;      // 1, or 1 / T
  float smoothing;  // fraction of the target that is uniform over all classes
};

// A block has a sample. Shared memory holds scores, their exponentials, and a sum a thread.
POPSNN_DEVICE void readout_scores(const ReadoutLossArguments& a) {
  auto* scores = reinterpret_cast<float*>(shared_memory());  // [C]
  float* powers = scores + a.classes;                        // [C]
  float* sums = powers + a.classes;                          // [warps][kWarp]
  const long long sample = block_index();
  const int thread = thread_index();
  const int lane = thread % kWarp;
  for (int first = 0; first < a.classes; first += kWarp) {
    const int c = first + lane;
    float sum = 0.0f;
    if (c < a.classes) {
      const float* from = a.membrane + sample * a.row + c;
#pragma unroll 8
      for (int t = thread / kWarp; t < a.steps; t += kReadoutThreads / kWarp) {
        sum += from[t * a.step];
      }
    }
    sums[thread] = sum;
    sync_block();
    if (thread < kWarp && c < a.classes) {
      float all = 0.0f;
      for (int i = lane; i < kReadoutThreads; i += kWarp) all += sums[i];
      scores[c] = a.scale * all;
      a.scores[sample * a.classes + c] = scores[c];
    }
    sync_block();
  }
  float largest = scores[0];
  for (int c = 1; c < a.classes; ++c) largest = scores[c] > largest ? scores[c] : largest;
  for (int c = thread; c < a.classes; c += kReadoutThreads) {
    powers[c] = exp(scores[c] - largest);
  }
  sync_block();
  float sum = 0.0f;
  float below = 0.0f;  // of the largest, all scores together
  for (int c = 0; c < a.classes; ++c) {
    sum += powers[c];
    below += scores[c] - largest;
  }
  const auto label = static_cast<int>(a.labels[sample]);
  const float known = label >= 0 && label < a.classes ? 0.0f : bits_to_float(0x7fc00000u);
  const float uniform = a.smoothing / static_cast<float>(a.classes);
  const float scale = a.scale / static_cast<float>(a.batch);
  for (int c = thread; c < a.padded; c += kReadoutThreads) {
    float grad = 0.0f;
    if (c < a.classes) {
      grad = powers[c] / sum - uniform - (c == label ? 1.0f - a.smoothing : 0.0f) + known;
    }
    a.grad[sample * a.padded + c] = scale * grad;
  }
  if (thread == 0) {
    const float log_sum = log(sum);
    const float of_label = known == 0.0f ? scores[label] - largest - log_sum : known;
    const float of_all = below - static_cast<float>(a.classes) * log_sum;
    a.losses[sample] = -(1.0f - a.smoothing) * of_label - uniform * of_all;
  }
}

// A single warp, which adds in the same order in every run.
POPSNN_DEVICE void readout_loss(const ReadoutLossArguments& a) {
  auto* sums = reinterpret_cast<float*>(shared_memory());  // [kWarp]
  float sum = 0.0f;
  for (int i = thread_index(); i < a.batch; i += kWarp) sum += a.losses[i];
  sums[thread_index()] = sum;
  sync_block();
  if (thread_index() != 0) return;
  float all = 0.0f;
  for (int i = 0; i < kWarp; ++i) all += sums[i];
  *a.loss = all / static_cast<float>(a.batch);
}

}  // namespace popsnn
