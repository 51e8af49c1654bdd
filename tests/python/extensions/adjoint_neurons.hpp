// Neurons with an adjoint, as a tracer would print them.
#pragma once

#include "functions.hpp"

namespace popsnn {

// v' = beta (v - threshold s) + x,  s' = v' >= threshold; the gradient passes s.
struct AttachedLif {
  static constexpr int kStates = 2;
  static constexpr int kSaved = 1;
  static constexpr int kParameters = 2;
  static constexpr int kMembrane = 0;
  static constexpr bool kSpiking = true;

  POPSNN_DEVICE static void step(float (&state)[kStates], const float* p, float x) {
    state[0] = fma(p[0], state[0] - p[1] * state[1], x);
    restore(state, p);
  }

  POPSNN_DEVICE static void restore(float (&state)[kStates], const float* p) {
    state[1] = state[0] >= p[1] ? 1.0f : 0.0f;
  }

  POPSNN_DEVICE static float potential(const float (&state)[kStates], const float*) {
    return state[0];
  }

  template <class Gradient>
  POPSNN_DEVICE static float adjoint(const float (&before)[kStates], const float (&state)[kStates],
                                     const float* p, const Gradient& h, float (&grad)[kStates],
                                     float* grad_p) {
    const float d_u = grad[1] * h(state[0], p[1]);
    const float d_v = grad[0] + d_u;
    grad_p[0] += d_v * (before[0] - p[1] * before[1]);
    grad_p[1] -= d_u + p[0] * d_v * before[1];
    grad[0] = p[0] * d_v;
    grad[1] = -p[0] * p[1] * d_v;
    return d_v;
  }
};

// i' = alpha i + x (1 - s),  v' = beta v (1 - s) + kappa v^2 + i'^2,
// s' = v' >= threshold + i' / 4. dL/ds needs x, which is a state for it alone.
struct Quadratic {
  enum State { kI, kV, kX, kS, kStates };
  enum Parameter { kAlpha, kBeta, kKappa, kThreshold, kParameters };
  static constexpr int kSaved = 3;
  static constexpr int kMembrane = kV;
  static constexpr bool kSpiking = true;

  POPSNN_DEVICE static void step(float (&state)[kStates], const float* p, float x) {
    const float silent = 1.0f - state[kS];
    const float v = state[kV];
    state[kI] = fma(p[kAlpha], state[kI], x * silent);
    state[kV] = fma(p[kBeta] * v, silent, fma(p[kKappa] * v, v, state[kI] * state[kI]));
    state[kX] = x;
    restore(state, p);
  }

  POPSNN_DEVICE static void restore(float (&state)[kStates], const float* p) {
    state[kS] = state[kV] >= fma(0.25f, state[kI], p[kThreshold]) ? 1.0f : 0.0f;
  }

  POPSNN_DEVICE static float potential(const float (&state)[kStates], const float*) {
    return state[kV];
  }

  template <class Gradient>
  POPSNN_DEVICE static float adjoint(const float (&before)[kStates], const float (&state)[kStates],
                                     const float* p, const Gradient& h, float (&grad)[kStates],
                                     float* grad_p) {
    const float silent = 1.0f - before[kS], v = before[kV];
    const float d_u = grad[kS] * h(state[kV], fma(0.25f, state[kI], p[kThreshold]));
    const float d_v = grad[kV] + d_u;
    const float d_i = grad[kI] - 0.25f * d_u + 2.0f * state[kI] * d_v;
    grad_p[kAlpha] += d_i * before[kI];
    grad_p[kBeta] += d_v * v * silent;
    grad_p[kKappa] += d_v * v * v;
    grad_p[kThreshold] -= d_u;
    grad[kI] = p[kAlpha] * d_i;
    grad[kV] = d_v * fma(2.0f * p[kKappa], v, p[kBeta] * silent);
    grad[kX] = 0.0f;
    grad[kS] = -d_v * p[kBeta] * v - d_i * state[kX];
    return d_i * silent;
  }
};

}  // namespace popsnn
