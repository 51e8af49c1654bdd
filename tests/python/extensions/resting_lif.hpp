// Leaky integrate-and-fire whose membrane decays to a resting potential.
//
//   v[t] = rest + beta * (r(v[t-1], s[t-1]) - rest) + current[t],  s[t] = v[t] >= threshold
#pragma once

#include "neuron_model.hpp"

struct RestingLif {
  enum Parameter : unsigned { kBeta, kRest, kThreshold, kGradThreshold, kParameters };
  static constexpr unsigned kStates = 1;
  static constexpr unsigned kLearnable = 3;

  static inline void step(const popsnn::NeuronOptions& options, const float* p, float current,
                          const float* before, bool spiked, float* after) {
    const float left = popsnn::after_reset(options, before[0], p[kThreshold], spiked);
    after[0] = p[kRest] + p[kBeta] * (left - p[kRest]) + current;
  }

  static inline bool fires(const float* p, const float* state) { return state[0] >= p[kThreshold]; }

  static inline bool near(const float* p, const float* state) {
    return !(state[0] < p[kGradThreshold]);
  }

  template <popsnn::Surrogate kind>
  static inline void grad(const popsnn::NeuronOptions& options, const float* p, const float* state,
                          bool spiked, bool active, float ds, float* d, float* dp) {
    using popsnn::Reset;
    const float v = state[0], theta = p[kThreshold];
    const float carry = p[kBeta] * d[0];
    const float to_spike =
        ds - options.attached * carry * popsnn::taken_by_spike(options, v, theta);
    const float slope = popsnn::surrogate_derivative<kind>(v - theta, options.surrogate_parameter);
    const float through_spike = active ? slope * to_spike : 0.0f;
    dp[kBeta] += d[0] * (popsnn::after_reset(options, v, theta, spiked) - p[kRest]);
    dp[kRest] += d[0] * (1.0f - p[kBeta]);
    dp[kThreshold] -= through_spike + (spiked && options.reset == Reset::Subtract ? carry : 0.0f);
    d[0] = (spiked && options.reset == Reset::Zero ? 0.0f : carry) + through_spike;
  }
};
