// v' = beta v + x
#pragma once

#include <popsnn/device/device.cuh>

namespace popsnn {

struct Li {
  enum State { kV, kStates };
  enum Parameter { kBeta, kParameters };
  static constexpr int kSaved = 1;
  static constexpr int kMembrane = kV;
  static constexpr bool kSpiking = false;

  POPSNN_DEVICE static void step(float (&state)[kStates], const float* p, float x) {
    state[kV] = fma(p[kBeta], state[kV], x);
  }

  POPSNN_DEVICE static void restore(float (&)[kStates], const float*) {}

  template <class Gradient>
  POPSNN_DEVICE static float adjoint(const float (&before)[kStates], const float (&)[kStates],
                                     const float* p, const Gradient&, float (&grad)[kStates],
                                     float* grad_p) {
    const float d_x = grad[kV];
    grad_p[kBeta] += d_x * before[kV];
    grad[kV] = p[kBeta] * d_x;
    return d_x;
  }
};

}  // namespace popsnn
