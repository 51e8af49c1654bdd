// Delays in a cluster: the last values of each thread's two neurons, in shared memory.
//
// A thread reads what it wrote, so there is no barrier. What the next step takes of them is read
// after the messages of a step have been sent.
#pragma once

#include <popsnn/recurrent/cluster/cells.cuh>
#include <popsnn/recurrent/delays.cuh>

namespace popsnn {

struct ClusterDelayedArguments : ClusterArguments {
  RecurrentDelays delays;
};

POPSNN_DEVICE const RecurrentDelays& delays_of(const ClusterArguments& a) {
  return static_cast<const ClusterDelayedArguments&>(a).delays;
}

template <class Shape, Delay kDelay>
class ClusterDelay {
 public:
  POPSNN_DEVICE ClusterDelay(const ClusterArguments& a, const ClusterIndices<Shape>& indices)
      : longest_(delays_of(a).longest),
        line_(Shape::start() + Shape::kLine + static_cast<unsigned>(4 * indices.place())) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      delay_[h] = indices.there(h) ? delays_of(a).delay(indices.neuron(h)) : 0;
      fault_[h] = indices.there(h) ? delays_of(a).fault(indices.neuron(h)) : 0.0f;
    }
    const float zeros[2] = {};
    for (int row = 0; row <= longest_; ++row) push(zeros);
  }

  // Returns u[t - d], of which u[t] is the next value to be pushed.
  POPSNN_DEVICE void next(const float (&now)[2], float (&delayed)[2]) const {
#pragma unroll
    for (int h = 0; h < 2; ++h) delayed[h] = delay_[h] == 0 ? now[h] : ahead_[h];
  }

  // The same of the value that was pushed last.
  POPSNN_DEVICE void last(float (&delayed)[2]) const {
#pragma unroll
    for (int h = 0; h < 2; ++h) delayed[h] = pushed(delay_[h], h);
  }

  // Makes the current NaN where the steps are no delay.
  POPSNN_DEVICE void add_faults(float (&x)[2]) const {
#pragma unroll
    for (int h = 0; h < 2; ++h) x[h] += fault_[h];
  }

  POPSNN_DEVICE void push(const float (&x)[2]) {
    latest_ = latest_ == 0 ? longest_ : latest_ - 1;
#pragma unroll
    for (int h = 0; h < 2; ++h) store_shared_word(at(latest_, h), float_to_bits(x[h]));
#pragma unroll
    for (int h = 0; h < 2; ++h) ahead_[h] = pushed(delay_[h] > 0 ? delay_[h] - 1 : 0, h);
  }

  // Adds the gradient of learnt delays by u[t], where grad v[t] was pushed last.
  POPSNN_DEVICE void learn(const float (&u)[2], float (&grad)[2]) const {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const float more = delay_[h] < longest_ ? pushed(delay_[h] + 1, h) : 0.0f;
      const float less = delay_[h] > 0 ? pushed(delay_[h] - 1, h) : 0.0f;
      grad[h] += 0.5f * u[h] * (more - less);
    }
  }

 private:
  POPSNN_DEVICE unsigned at(int row, int h) const {
    return line_ + static_cast<unsigned>(row * Shape::kLineRow + 128 * h);
  }

  // What was pushed so many values before the last.
  POPSNN_DEVICE float pushed(int before, int h) const {
    const int row = latest_ + before;
    return load_shared_float(at(row > longest_ ? row - longest_ - 1 : row, h));
  }

  int longest_;
  unsigned line_;
  int latest_ = 0;
  int delay_[2];
  float fault_[2];
  float ahead_[2];  // u[t - d] of the next step, unless d is 0
};

template <class Shape>
class ClusterDelay<Shape, Delay::kNone> {
 public:
  POPSNN_DEVICE ClusterDelay(const ClusterArguments&, const ClusterIndices<Shape>&) {}
};

}  // namespace popsnn
