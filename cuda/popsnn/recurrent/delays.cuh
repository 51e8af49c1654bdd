// Delays of a layer's own spikes, common to all strategies that have them.
//
//   axonal     a source sends s[t - d], where without a delay it sends s[t]
//   dendritic  a target uses q[t - d], where without a delay it uses q[t], its sum of step t
//   synaptic   a weight has its own: streamed/taps.cuh
//
// The first two are of whole steps, and at the thread that steps the neuron. So messages, products
// and waits are those of a layer without delays. With u for s or q, and v[t] = u[t - d], backward
// has
//
//   grad u[t] = grad v[t + d]
//   grad d    = sum over t of u[t] (grad v[t + d + 1] - grad v[t + d - 1]) / 2
//
// where a delay below 0 or above D, the largest, adds nothing. The second line is of learnt delays,
// the derivative of linear interpolation taken centrally. Of an axonal delay, grad v[t] is the sum
// of a source. Of a dendritic one it is the gradient of a target's current, and grad u is sent.
#pragma once

#include <popsnn/recurrent/recurrent.cuh>

namespace popsnn {

enum class Delay { kNone, kAxonal, kDendritic, kSynaptic };

// Pointers may be null.
struct RecurrentDelays {
  const float* steps;    // [N]: d, to be rounded
  const float* history;  // [rows, B, N]: u before step 0, oldest first
  const float* first;    // [B, N]: spikes that act on step 0, of axonal delays
  float* sums;           // [T, B, N]: q, which backward of learnt dendritic delays reads
  float* grad_history;   // [rows, B, N]
  float* grad_steps;     // [clusters, N]
  void* line;   // [steps, B, N], from step 0 on; there are D steps before it forward, behind the
                // last backward. u forward, as T or, dendritic, as float; grad v backward, as float
  int rows;     // of the history: D + 1 of spikes, the last of which are the state's, D of sums
  int longest;  // D
  int whole;    // whether `steps` have to be whole

  // Where the steps are no delay, the neuron has this one, and its current is NaN.
  POPSNN_DEVICE int delay(int neuron) const {
    return valid(neuron) ? static_cast<int>(rintf(steps[neuron])) : 0;
  }

  POPSNN_DEVICE float fault(int neuron) const { return valid(neuron) ? 0.0f : quiet_nan(); }

  POPSNN_DEVICE bool valid(int neuron) const {
    const float rounded = rintf(steps[neuron]);
    const bool inside = rounded >= 0.0f && rounded <= static_cast<float>(longest);
    return inside && (!whole || rounded == steps[neuron]);
  }
};

// The elements of a line of steps forward: spikes, or sums.
template <class T, Delay kDelay>
struct DelayedType {
  using Type = T;
};

template <class T>
struct DelayedType<T, Delay::kDendritic> {
  using Type = float;
};

struct RecurrentDelayedArguments : RecurrentArguments {
  RecurrentDelays delays;
};

}  // namespace popsnn
