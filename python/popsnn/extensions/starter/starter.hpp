// Starter: leaky integrate-and-fire with a synaptic current.
//
//   i[t] = alpha * i[t-1] + current[t]
//   v[t] = beta * r(v[t-1], s[t-1]) + i[t],  s[t] = v[t] >= threshold
#pragma once

#include "neuron_model.hpp"  // what each of these functions is

struct Starter {
  // In the order of the Python class. The current enters the first state.
  enum State : unsigned { kCurrent, kMembrane, kStates };
  enum Parameter : unsigned { kAlpha, kBeta, kThreshold, kGradThreshold, kParameters };
  static constexpr unsigned kLearnable = 3;  // all but kGradThreshold, which comes last

  static inline void step(const popsnn::NeuronOptions& options, const float* p, float current,
                          const float* before, bool spiked, float* after) {
    const float left = popsnn::after_reset(options, before[kMembrane], p[kThreshold], spiked);
    after[kCurrent] = p[kAlpha] * before[kCurrent] + current;
    after[kMembrane] = p[kBeta] * left + after[kCurrent];
  }

  static inline bool fires(const float* p, const float* state) {
    return state[kMembrane] >= p[kThreshold];
  }

  static inline bool near(const float* p, const float* state) {
    return !(state[kMembrane] < p[kGradThreshold]);
  }

  // From dL/d(states of the next step) to dL/d(states of this one), each by all that follows from
  // it: what the current does to the membrane in the same step is part of the current's.
  template <popsnn::Surrogate kind>
  static inline void grad(const popsnn::NeuronOptions& options, const float* p, const float* state,
                          bool spiked, bool active, float ds, float* d, float* dp) {
    using popsnn::Reset;
    const float v = state[kMembrane], theta = p[kThreshold];
    const float carry = p[kBeta] * d[kMembrane];
    const float to_spike =
        ds - options.attached * carry * popsnn::taken_by_spike(options, v, theta);
    const float slope = popsnn::surrogate_derivative<kind>(v - theta, options.surrogate_parameter);
    const float through_spike = active ? slope * to_spike : 0.0f;
    const float through_reset = spiked && options.reset == Reset::Zero ? 0.0f : carry;
    dp[kAlpha] += d[kCurrent] * state[kCurrent];
    dp[kBeta] += d[kMembrane] * popsnn::after_reset(options, v, theta, spiked);
    dp[kThreshold] -= through_spike + (spiked && options.reset == Reset::Subtract ? carry : 0.0f);
    d[kMembrane] = through_reset + through_spike;
    d[kCurrent] = p[kAlpha] * d[kCurrent] + d[kMembrane];
  }
};
