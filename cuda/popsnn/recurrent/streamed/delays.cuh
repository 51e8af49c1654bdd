// Delays of a streamed layer: a line of all steps in memory, of which each thread reads what it
// wrote. So there is no barrier.
#pragma once

#include <popsnn/recurrent/delays.cuh>
#include <popsnn/recurrent/streamed/cells.cuh>

namespace popsnn {

struct StreamedDelayedArguments : StreamedArguments {
  RecurrentDelays delays;
};

// The kernels' argument of a layer with delays.
struct StreamedDelayedLaunch {
  StreamedMaps maps;
  StreamedDelayedArguments rest;
};

POPSNN_DEVICE const RecurrentDelays& delays_of(const StreamedArguments& a) {
  return static_cast<const StreamedDelayedArguments&>(a).delays;
}

// What a thread takes of the line, as loaded from memory.
template <class U, int kVector, Delay kDelay>
struct StreamedDelayed {
  Row<U, 1> row[kVector];
};

template <class U, int kVector>
struct StreamedDelayed<U, kVector, Delay::kNone> {};

// Of a thread's kVector neighbours, elements U. kDirection: forward they read the line 1 * d steps
// before, backward -1 * d steps before, which is behind.
template <class U, int kVector, int kDirection, Delay kDelay>
class StreamedDelay {
 public:
  POPSNN_DEVICE void begin(const StreamedArguments& a, int neuron) {
    neuron_ = neuron;
    late_ = 0;
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      late_ |= static_cast<int>(delays_of(a).delay(neuron + j) > 0) << j;
      fault_[j] = delays_of(a).fault(neuron + j);
    }
  }

  // Makes the current NaN where the steps are no delay.
  POPSNN_DEVICE void add_faults(float (&x)[kVector]) const {
#pragma unroll
    for (int j = 0; j < kVector; ++j) x[j] += fault_[j];
  }

  // `now`: of the first neighbour at this step.
  POPSNN_DEVICE void load(const StreamedArguments& a, long long now,
                          StreamedDelayed<U, kVector, kDelay>& in) const {
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      if (!late(j)) continue;
      // Read again, since registers that hold it until here are spilt.
      const int delay = delays_of(a).delay(neuron_ + j);
      in.row[j] = load_row<U, 1>(delays_of(a).line, now + j - kDirection * delay * a.row);
    }
  }

  // What is due at this step of neighbour j, whose value of this step is `now`.
  POPSNN_DEVICE float due(const StreamedDelayed<U, kVector, kDelay>& in, int j, float now) const {
    float due[1];
    if (!late(j)) return now;
    unpack<U, 1>(in.row[j], due);
    return due[0];
  }

 private:
  POPSNN_DEVICE bool late(int j) const { return (late_ >> j & 1) != 0; }

  int neuron_;
  int late_;  // by bits: neighbours with a delay above 0
  float fault_[kVector];
};

template <class U, int kVector, int kDirection>
class StreamedDelay<U, kVector, kDirection, Delay::kNone> {
 public:
  POPSNN_DEVICE float due(const StreamedDelayed<U, kVector, Delay::kNone>&, int, float now) const {
    return now;
  }
};

}  // namespace popsnn
