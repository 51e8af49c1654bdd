// Delays of a layer in registers: a line of all steps in memory, of which each lane reads what it
// wrote. So there is no barrier.
#pragma once

#include <popsnn/recurrent/resident/cells.cuh>

namespace popsnn {

POPSNN_DEVICE const RecurrentDelays& delays_of(const RecurrentArguments& a) {
  return static_cast<const RecurrentDelayedArguments&>(a).delays;
}

// Of a lane's elements, U. kDirection: forward they read the line 1 * d steps before, backward
// -1 * d steps before, which is behind.
template <class U, int kDirection, Delay kDelay>
class CellDelay {
 public:
  template <class Indices>
  POPSNN_DEVICE CellDelay(const RecurrentArguments& a, const Indices& indices) {
#pragma unroll
    for (int h = 0; h < 2; ++h) delay_[h] = delays_of(a).delay(indices.neuron(h));
  }

  POPSNN_DEVICE static U* line(const RecurrentArguments& a) {
    return static_cast<U*>(delays_of(a).line);
  }

  // Begins to load what is due at the step whose first element is `row`.
  template <class Indices>
  POPSNN_DEVICE void load(const RecurrentArguments& a, const Indices& indices, long long row) {
    const long long rows[2] = {row - kDirection * delay_[0] * a.row,
                               row - kDirection * delay_[1] * a.row};
    // Padding neurons read memory that has been written, as rows outside of this pass always are:
    // they send what they read, and a weight of 0 does not cancel a NaN.
    const long long known = kDirection > 0 ? -delays_of(a).longest * a.row : a.steps * a.row;
    late_ = indices.load_from(line(a), rows, known);
  }

  // What is due of values that are `now` those of the step, in `x`, where they are delayed: sent
  // spikes and the sums of gradients by axonal delays, sums and sent gradients by dendritic ones.
  template <Delay kBy>
  POPSNN_DEVICE const float (&due(const float (&now)[4], float (&x)[4]) const)[4] {
    if constexpr (kDelay == kBy) {
      late_.get(x);
#pragma unroll
      for (int j = 0; j < 4; ++j) x[j] = delay_[j % 2] == 0 ? now[j] : x[j];
      return x;
    } else {
      return now;
    }
  }

 private:
  int delay_[2];
  CellRows<U, false> late_;
};

template <class U, int kDirection>
class CellDelay<U, kDirection, Delay::kNone> {
 public:
  template <class Indices>
  POPSNN_DEVICE CellDelay(const RecurrentArguments&, const Indices&) {}

  template <Delay>
  POPSNN_DEVICE const float (&due(const float (&now)[4], float (&)[4]) const)[4] {
    return now;
  }
};

}  // namespace popsnn
