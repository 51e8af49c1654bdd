// A step of Adam (Kingma and Ba, 2015, algorithm 1) for many tensors in one launch, or of AdamW
// (Loshchilov and Hutter, 2019, algorithm 2). A block has kAdamElements elements of a tensor: a
// small network's weights use all multiprocessors.
#pragma once

#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kAdamThreads = 256;
constexpr int kAdamElements = 4 * kAdamThreads;  // elements of a block
constexpr int kAdamTensors = 48;                 // of a launch

struct AdamTensor {
  float* value;  // [size], as the others
  const float* grad;
  float* mean;        // of the gradients
  float* square;      // mean of their squares
  const float* step;  // [1], counted from 1
  long long size;
  int end;    // blocks of this tensor and of those before
  int whole;  // all four start at 16 bytes
};

struct AdamArguments {
  AdamTensor tensor[kAdamTensors];
  const float* rates;  // [1]; null where `rate` has it
  float rate;
  float beta[2];      // the means' decays
  float log_beta[2];  // their logarithms
  float rest[2];      // 1 minus the decays
  float epsilon;
  float weight_decay;
  int decoupled;  // whether the decay is apart from the gradient: AdamW
};

// The mean after x, as torch.lerp has it: nearer to the end that weighs more, so that of a large
// mean that weighs little no rounding stays.
POPSNN_DEVICE float mean_after(float mean, float x, float beta, float rest) {
  return rest < 0.5f ? fma(rest, x - mean, mean) : fma(-beta, x - mean, x);
}

POPSNN_DEVICE void adam(const AdamArguments& a) {
  const int block = static_cast<int>(block_index());
  int index = 0;
  while (block >= a.tensor[index].end) ++index;
  const AdamTensor& tensor = a.tensor[index];
  const int first_block = index > 0 ? a.tensor[index - 1].end : 0;
  const long long first =
      static_cast<long long>(block - first_block) * kAdamElements + 4 * thread_index();
  const long long left = tensor.size - first;
  if (left <= 0) return;
  const int count = left < 4 ? static_cast<int>(left) : 4;
  float value[4];
  float grad[4];
  float mean[4];
  float square[4];
  if (tensor.whole != 0 && count == 4) {
    load<4, true>(tensor.value + first, value, 4);
    load<4, true>(tensor.grad + first, grad, 4);
    load<4, true>(tensor.mean + first, mean, 4);
    load<4, true>(tensor.square + first, square, 4);
  } else {
    load<4, false>(tensor.value + first, value, count);
    load<4, false>(tensor.grad + first, grad, count);
    load<4, false>(tensor.mean + first, mean, count);
    load<4, false>(tensor.square + first, square, count);
  }
  const float step = *tensor.step;
  const float rate = a.rates != nullptr ? *a.rates : a.rate;
  const float size = rate / -expm1(step * a.log_beta[0]);
  const float root = sqrt(-expm1(step * a.log_beta[1]));
  const float of_gradient = a.decoupled != 0 ? 0.0f : a.weight_decay;
  const float of_value = a.decoupled != 0 ? rate * a.weight_decay : 0.0f;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const float g = fma(of_gradient, value[j], grad[j]);
    mean[j] = mean_after(mean[j], g, a.beta[0], a.rest[0]);
    square[j] = fma(a.beta[1], square[j], a.rest[1] * g * g);  // infinity stays
    value[j] = fma(-of_value, value[j], value[j]);
    value[j] -= size * mean[j] / (sqrt(square[j]) / root + a.epsilon);
  }
  if (tensor.whole != 0 && count == 4) {
    store<float, 4, true>(tensor.value + first, value, 4);
    store<float, 4, true>(tensor.mean + first, mean, 4);
    store<float, 4, true>(tensor.square + first, square, 4);
  } else {
    store<float, 4, false>(tensor.value + first, value, count);
    store<float, 4, false>(tensor.mean + first, mean, count);
    store<float, 4, false>(tensor.square + first, square, count);
  }
}

}  // namespace popsnn
