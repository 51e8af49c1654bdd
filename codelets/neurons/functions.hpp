// The names that the text of a neuron with an adjoint (forward_model.hpp) uses, as CUDA's kernels
// have them: the same text is compiled for both.
#pragma once
#include <cmath>

#define POPSNN_DEVICE inline

namespace popsnn {

// Rounds twice: x86-64 without extensions has no instruction for it, and std::fma would call a
// function for every neuron.
inline float fma(float a, float b, float c) { return a * b + c; }

inline float bits_to_float(unsigned bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

namespace precise {

inline float exp(float x) { return std::exp(x); }
inline float log(float x) { return std::log(x); }
inline float sqrt(float x) { return std::sqrt(x); }
inline float tanh(float x) { return std::tanh(x); }
inline float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }
inline float softplus(float x) {
  return (x > 0.0f ? x : 0.0f) + std::log1p(std::exp(-std::fabs(x)));
}
inline float log1p(float x) { return std::log1p(x); }
inline float expm1(float x) { return std::expm1(x); }
inline float atan(float x) { return std::atan(x); }
inline float erf(float x) { return std::erf(x); }
inline float sin(float x) { return std::sin(x); }
inline float cos(float x) { return std::cos(x); }
inline float abs(float x) { return std::fabs(x); }
inline float floor(float x) { return std::floor(x); }
inline float power(float x, float y) { return std::pow(x, y); }
inline float sign(float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : 0.0f; }

// A NaN goes through, as in torch.
inline float minimum(float a, float b) { return a < b || a != a ? a : b; }
inline float maximum(float a, float b) { return a > b || a != a ? a : b; }

}  // namespace precise
}  // namespace popsnn
