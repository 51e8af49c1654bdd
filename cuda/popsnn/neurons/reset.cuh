// The membrane after the reset by a spike, one step later.
#pragma once

#include <popsnn/device/device.cuh>

namespace popsnn {

enum class Reset { zero, subtract, none };

template <Reset kReset>
POPSNN_DEVICE float after_reset(float v, float s, float threshold) {
  if constexpr (kReset == Reset::zero) return fma(-v, s, v);
  if constexpr (kReset == Reset::subtract) return fma(-threshold, s, v);
  return v;
}

// Carries the gradient `d_r` of r = after_reset(v, s, threshold) on to v, s and the threshold.
template <Reset kReset, bool kDetach>
POPSNN_DEVICE void reset_adjoint(float v, float s, float threshold, float d_r, float& d_v,
                                 float& d_s, float& d_threshold) {
  d_v = kReset == Reset::zero ? fma(-d_r, s, d_r) : d_r;
  d_s = -0.0f;  // x + -0 is x for every x: the addition of the output's gradient is optimised away
  if constexpr (!kDetach && kReset == Reset::zero) d_s = -d_r * v;
  if constexpr (!kDetach && kReset == Reset::subtract) d_s = -d_r * threshold;
  if constexpr (kReset == Reset::subtract) d_threshold -= d_r * s;
}

}  // namespace popsnn
