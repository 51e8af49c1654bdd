// v' = beta r(v, s) + x, s' = v' >= threshold
#pragma once

#include <popsnn/neurons/reset.cuh>

namespace popsnn {

template <Reset kReset, bool kDetach>
struct Lif {
  enum State { kV, kS, kStates };
  enum Parameter { kBeta, kThreshold, kParameters };
  static constexpr int kSaved = 1;  // states that backward needs; s follows from them
  static constexpr int kMembrane = kV;
  static constexpr bool kSpiking = true;

  POPSNN_DEVICE static void step(float (&state)[kStates], const float* p, float x) {
    const float r = after_reset<kReset>(state[kV], state[kS], p[kThreshold]);
    state[kV] = fma(p[kBeta], r, x);
    restore(state, p);
  }

  POPSNN_DEVICE static void restore(float (&state)[kStates], const float* p) {
    state[kS] = state[kV] >= p[kThreshold] ? 1.0f : 0.0f;
  }

  // Turns the gradient of the states after the step into that of the states before it, adds to
  // that of the parameters, and returns that of x.
  template <class Gradient>
  POPSNN_DEVICE static float adjoint(const float (&before)[kStates], const float (&state)[kStates],
                                     const float* p, const Gradient& h, float (&grad)[kStates],
                                     float* grad_p) {
    const float d_u = grad[kS] * h(state[kV], p[kThreshold]);
    const float d_v = grad[kV] + d_u;
    grad_p[kThreshold] -= d_u;
    grad_p[kBeta] += d_v * after_reset<kReset>(before[kV], before[kS], p[kThreshold]);
    reset_adjoint<kReset, kDetach>(before[kV], before[kS], p[kThreshold], p[kBeta] * d_v, grad[kV],
                                   grad[kS], grad_p[kThreshold]);
    return d_v;
  }
};

}  // namespace popsnn
