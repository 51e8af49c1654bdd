// Leaky integrate-and-fire whose spikes raise its threshold (Bellec et al., 2018), a neuron model
// of neuron_model.hpp.
//
//   a[t] = rho * a[t-1] + s[t-1]
//   v[t] = beta * r(v[t-1], s[t-1]) + current[t],  s[t] = v[t] >= threshold + kappa * a[t]
#pragma once

#include "neuron_model.hpp"

namespace popsnn {

struct Alif {
  enum State : unsigned { kMembrane, kAdaptation, kStates };
  enum Parameter : unsigned { kBeta, kThreshold, kRho, kKappa, kGradThreshold, kParameters };
  static constexpr unsigned kLearnable = 4;

  static inline void step(const NeuronOptions& options, const float* p, float current,
                          const float* before, bool spiked, float* after) {
    after[kMembrane] =
        p[kBeta] * after_reset(options, before[kMembrane], p[kThreshold], spiked) + current;
    after[kAdaptation] = p[kRho] * before[kAdaptation] + (spiked ? 1.0f : 0.0f);
  }

  static inline float threshold(const float* p, const float* state) {
    return p[kThreshold] + p[kKappa] * state[kAdaptation];
  }

  static inline bool fires(const float* p, const float* state) {
    return state[kMembrane] >= threshold(p, state);
  }

  // Not below, where a membrane that is no number has a gradient to be seen by.
  static inline bool near(const float* p, const float* state) {
    return !(state[kMembrane] < p[kGradThreshold]);
  }

  template <Surrogate kind>
  static inline void grad(const NeuronOptions& options, const float* p, const float* state,
                          bool spiked, bool active, float ds, float* d, float* dp) {
    const float v = state[kMembrane], a = state[kAdaptation], theta = p[kThreshold];
    const float carry = p[kBeta] * d[kMembrane];
    const float to_spike =
        ds + d[kAdaptation] - options.attached * carry * taken_by_spike(options, v, theta);
    const float slope =
        surrogate_derivative<kind>(v - threshold(p, state), options.surrogate_parameter);
    const float through_spike = active ? slope * to_spike : 0.0f;
    const float through_reset = spiked && options.reset == Reset::Zero ? 0.0f : carry;
    dp[kBeta] += d[kMembrane] * after_reset(options, v, theta, spiked);
    dp[kThreshold] -= through_spike + (spiked && options.reset == Reset::Subtract ? carry : 0.0f);
    dp[kRho] += d[kAdaptation] * a;
    dp[kKappa] -= through_spike * a;
    d[kMembrane] = through_reset + through_spike;
    d[kAdaptation] = p[kRho] * d[kAdaptation] - p[kKappa] * through_spike;
  }
};

}  // namespace popsnn
