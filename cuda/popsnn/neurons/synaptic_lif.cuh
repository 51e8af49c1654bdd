// i' = alpha i + x, v' = beta r(v, s) + i', s' = v' >= threshold
#pragma once

#include <popsnn/neurons/reset.cuh>

namespace popsnn {

template <Reset kReset, bool kDetach>
struct SynapticLif {
  enum State { kV, kI, kS, kStates };
  enum Parameter { kBeta, kThreshold, kAlpha, kParameters };
  static constexpr int kSaved = 2;
  static constexpr int kMembrane = kV;
  static constexpr bool kSpiking = true;

  POPSNN_DEVICE static void step(float (&state)[kStates], const float* p, float x) {
    const float r = after_reset<kReset>(state[kV], state[kS], p[kThreshold]);
    state[kI] = fma(p[kAlpha], state[kI], x);
    state[kV] = fma(p[kBeta], r, state[kI]);
    restore(state, p);
  }

  POPSNN_DEVICE static void restore(float (&state)[kStates], const float* p) {
    state[kS] = state[kV] >= p[kThreshold] ? 1.0f : 0.0f;
  }

  template <class Gradient>
  POPSNN_DEVICE static float adjoint(const float (&before)[kStates], const float (&state)[kStates],
                                     const float* p, const Gradient& h, float (&grad)[kStates],
                                     float* grad_p) {
    const float d_u = grad[kS] * h(state[kV], p[kThreshold]);
    const float d_v = grad[kV] + d_u;
    const float d_i = grad[kI] + d_v;
    grad_p[kThreshold] -= d_u;
    grad_p[kBeta] += d_v * after_reset<kReset>(before[kV], before[kS], p[kThreshold]);
    grad_p[kAlpha] += d_i * before[kI];
    grad[kI] = p[kAlpha] * d_i;
    reset_adjoint<kReset, kDetach>(before[kV], before[kS], p[kThreshold], p[kBeta] * d_v, grad[kV],
                                   grad[kS], grad_p[kThreshold]);
    return d_i;
  }
};

}  // namespace popsnn
