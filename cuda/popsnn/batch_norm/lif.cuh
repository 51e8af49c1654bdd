// Common code of the two kernels of batch normalisation with LIF: u = x * scale + shift + residual
// is the input of the neurons' step and is never written to memory.
#pragma once

#include <popsnn/scan/scan.cuh>

namespace popsnn {

// [C] is per channel: of neuron n at (n / inner) % channels. `scan` has x, spikes, states and the
// gradients; its grad_x receives the gradient of u, which is that of the residual too.
struct BatchNormLifArguments {
  ScanArguments scan;
  const void* residual;  // [T, N], or null
  unsigned char* bits;   // [T, ceil(N / 8)], or null: the spikes once more
  const float* scale;    // [C]
  const float* shift;    // [C]
  const float* mean;     // [C]
  float* sum;            // [N], over T: of the gradient of u
  float* sum_x;          // [N], over T: of the gradient of u times (x - mean)
  long long inner;
  long long channels;
};

// Values [C] of a thread's neurons.
template <int kVector>
POPSNN_DEVICE void load_channels(const BatchNormLifArguments& a, const float* from, long long first,
                                 int count, float (&values)[kVector]) {
  const long long outer = first / a.inner;
  long long within = first - outer * a.inner;
  long long channel = outer % a.channels;
#pragma unroll
  for (int j = 0; j < kVector; ++j) {
    values[j] = j < count ? from[channel] : 0.0f;
    if (++within == a.inner) {
      within = 0;
      if (++channel == a.channels) channel = 0;
    }
  }
}

// The input of the neurons at one step. The same operations, forward and backward.
template <class T, int kVector, bool kResidual>
POPSNN_DEVICE void normalise(const Row<T, kVector>& x, const Row<T, kVector>& residual,
                             const float (&scale)[kVector], const float (&shift)[kVector],
                             float (&u)[kVector]) {
  unpack<T, kVector>(x, u);
#pragma unroll
  for (int j = 0; j < kVector; ++j) u[j] = fma(u[j], scale[j], shift[j]);
  if constexpr (kResidual) {
    float addend[kVector];
    unpack<T, kVector>(residual, addend);
#pragma unroll
    for (int j = 0; j < kVector; ++j) u[j] += addend[j];
  }
}

}  // namespace popsnn
