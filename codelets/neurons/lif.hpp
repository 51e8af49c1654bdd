// Leaky integrate-and-fire, a neuron model of neuron_model.hpp.
//
//   v[t] = beta * r(v[t-1], s[t-1]) + current[t],  s[t] = v[t] >= threshold
//
// By hand, unlike other neurons, whose text is made from their step in torch: of nmnist-h2 on a Bow
// IPU a time step, forward and backward, is modelled at 23,648 cycles with this text and at 34,428
// with the generated one, where 5 % of the neurons fire; where 1 % fire, at 14,474 and 22,988
// (tests/python/profiling/test_generated.py). On an IPU it takes two neurons at once (lif_ipu.hpp).
#pragma once

#include "neuron_model.hpp"

namespace popsnn {

struct Lif {
  enum Parameter : unsigned { kBeta, kThreshold, kGradThreshold, kParameters };
  static constexpr unsigned kStates = 1;
  static constexpr unsigned kLearnable = 2;

  static inline void step(const NeuronOptions& options, const float* p, float current,
                          const float* before, bool spiked, float* after) {
    after[0] = p[kBeta] * after_reset(options, before[0], p[kThreshold], spiked) + current;
  }

  static inline bool fires(const float* p, const float* state) { return state[0] >= p[kThreshold]; }

  // Written as "not below", so that the gradient of a NaN membrane shows.
  static inline bool near(const float* p, const float* state) {
    return !(state[0] < p[kGradThreshold]);
  }

  template <Surrogate kind>
  static inline void grad(const NeuronOptions& options, const float* p, const float* state,
                          bool spiked, bool active, float ds, float* d, float* dp) {
    const float v = state[0], theta = p[kThreshold];
    const float carry = p[kBeta] * d[0];
    const float to_spike = ds - options.attached * carry * taken_by_spike(options, v, theta);
    const float slope = surrogate_derivative<kind>(v - theta, options.surrogate_parameter);
    const float through_spike = active ? slope * to_spike : 0.0f;
    const float through_reset = spiked && options.reset == Reset::Zero ? 0.0f : carry;
    dp[kBeta] += d[0] * after_reset(options, v, theta, spiked);
    dp[kThreshold] -= through_spike + (spiked && options.reset == Reset::Subtract ? carry : 0.0f);
    d[0] = through_reset + through_spike;
  }
};

}  // namespace popsnn

#ifdef __IPU__
#include "lif_ipu.hpp"
#endif
