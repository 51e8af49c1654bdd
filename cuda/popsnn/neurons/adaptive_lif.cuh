// a' = rho a + s, v' = beta r(v, s) + x, s' = v' >= threshold + kappa a'
#pragma once

#include <popsnn/neurons/reset.cuh>

namespace popsnn {

template <Reset kReset, bool kDetach>
struct AdaptiveLif {
  enum State { kV, kA, kS, kStates };
  enum Parameter { kBeta, kThreshold, kRho, kKappa, kParameters };
  static constexpr int kSaved = 2;
  static constexpr int kMembrane = kV;
  static constexpr bool kSpiking = true;

  POPSNN_DEVICE static float raised(const float (&state)[kStates], const float* p) {
    return fma(p[kKappa], state[kA], p[kThreshold]);
  }

  POPSNN_DEVICE static void step(float (&state)[kStates], const float* p, float x) {
    const float r = after_reset<kReset>(state[kV], state[kS], p[kThreshold]);
    state[kA] = fma(p[kRho], state[kA], state[kS]);
    state[kV] = fma(p[kBeta], r, x);
    restore(state, p);
  }

  POPSNN_DEVICE static void restore(float (&state)[kStates], const float* p) {
    state[kS] = state[kV] >= raised(state, p) ? 1.0f : 0.0f;
  }

  template <class Gradient>
  POPSNN_DEVICE static float adjoint(const float (&before)[kStates], const float (&state)[kStates],
                                     const float* p, const Gradient& h, float (&grad)[kStates],
                                     float* grad_p) {
    const float d_u = grad[kS] * h(state[kV], raised(state, p));
    const float d_v = grad[kV] + d_u;
    const float d_a = fma(-p[kKappa], d_u, grad[kA]);
    grad_p[kThreshold] -= d_u;
    grad_p[kKappa] -= d_u * state[kA];
    grad_p[kRho] += d_a * before[kA];
    grad_p[kBeta] += d_v * after_reset<kReset>(before[kV], before[kS], p[kThreshold]);
    reset_adjoint<kReset, kDetach>(before[kV], before[kS], p[kThreshold], p[kBeta] * d_v, grad[kV],
                                   grad[kS], grad_p[kThreshold]);
    grad[kA] = p[kRho] * d_a;
    grad[kS] += d_a;  // a spike raises the adaptation, which no detachment cuts
    return d_v;
  }
};

}  // namespace popsnn
