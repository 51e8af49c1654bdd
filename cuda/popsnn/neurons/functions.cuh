// Functions that the text of a generated neuron calls, within a few ulp: a neuron's states, unlike a
// surrogate's derivative, must be what torch computes. See python/popsnn/tracing/source.py.
#pragma once

#include <popsnn/device/device.cuh>

namespace popsnn {
namespace precise {

POPSNN_DEVICE float exp(float x) { return expf(x); }
POPSNN_DEVICE float log(float x) { return logf(x); }
POPSNN_DEVICE float sqrt(float x) { return sqrtf(x); }
POPSNN_DEVICE float tanh(float x) { return tanhf(x); }
POPSNN_DEVICE float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }
POPSNN_DEVICE float softplus(float x) {
  return (x > 0.0f ? x : 0.0f) + log1pf(expf(-fabsf(x)));
}
POPSNN_DEVICE float sin(float x) { return sinf(x); }
POPSNN_DEVICE float cos(float x) { return cosf(x); }
POPSNN_DEVICE float abs(float x) { return fabsf(x); }
POPSNN_DEVICE float floor(float x) { return floorf(x); }
POPSNN_DEVICE float power(float x, float y) { return powf(x, y); }
POPSNN_DEVICE float sign(float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : 0.0f; }

// A NaN goes through, as in torch.
POPSNN_DEVICE float minimum(float a, float b) { return a < b || a != a ? a : b; }
POPSNN_DEVICE float maximum(float a, float b) { return a > b || a != a ? a : b; }

}  // namespace precise
}  // namespace popsnn
