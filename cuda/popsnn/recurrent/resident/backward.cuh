// Backward: reads the gradients of spikes and membranes, writes that of x, which is also the
// gradient that the recurrent weights propagate:
//
//   grad s[t] = grad spikes[t] + weight^T grad x[t + 1] + the gradient by the reset of step t + 1
//
// and the neuron's adjoint turns it into grad x[t]. The weights' gradient, the sum over t of
// grad x[t] s[t - 1]^T, is a matrix product after this kernel.
#pragma once

#include <popsnn/neurons/surrogates.cuh>
#include <popsnn/recurrent/resident/delays.cuh>
#include <popsnn/recurrent/resident/pair_sums.cuh>
#include <popsnn/recurrent/scale.cuh>

namespace popsnn {

// kMembranes: the membranes have a gradient too. kLearn: the parameters have a gradient.
template <class Shape, class Neuron, class Gradient, class T, bool kEven, bool kMembranes,
          bool kLearn, Delay kDelay = Delay::kNone>
class BackwardCells : GradientScale<Sixteen> {
 public:
  static constexpr int kStates = Neuron::kStates;
  static constexpr int kSpike = kStates - 1;
  static constexpr int kMembrane = Neuron::kMembrane;
  static constexpr int kSaved = Neuron::kSaved;

  POPSNN_DEVICE BackwardCells(const RecurrentArguments& a, int block, int tile, int set, int begin)
      : GradientScale<Sixteen>(a),
        a_(a),
        now_(a, block, tile, set),
        ahead_(now_),
        publisher_(a, begin + set, block, tile),
        delay_(a, now_),
        h_{a.surrogate, a.grad_threshold},
        tile_(tile),
        t_(a.steps - 1),
        row_(t_ * a.row),
        row_ahead_(row_) {
    now_.load_parameters(a, parameter_);
    do {
#pragma unroll
      for (int k = 0; k < kSaved; ++k) {
        float x[4];
        now_.load(popsnn::saved<Neuron>(a, k) + row_).get(x);
        store_shared(saved(kStates + k), x);
      }
#pragma unroll
      for (int k = 0; k < kStates; ++k) {
        float grad[4] = {};
        if (a.grad_final[k] != nullptr) now_.load(a.grad_final[k]).get(grad);
        store_shared(saved(k), grad);
      }
    } while (!now_.advance());
    load_next();
  }

  POPSNN_DEVICE void prepare() {
#pragma unroll
    for (int k = 0; k < kSaved; ++k) load_shared(saved(kStates + k), after_[k]);
#pragma unroll
    for (int k = 0; k < kStates; ++k) load_shared(saved(k), grad_[k]);
  }

  POPSNN_DEVICE void step(const float (&sums)[4]) {
    float due[4];
    const float (&sum)[4] = delay_.template due<Delay::kAxonal>(sums, due);
    float from_spikes[4];
#pragma unroll
    for (int k = 0; k < kSaved; ++k) next_before_[k].get(before_[k]);
    next_spikes_.get(from_spikes);
    [[maybe_unused]] float from_membrane[4];
    if constexpr (kMembranes) next_membrane_.get(from_membrane);
    const bool first = row_ == 0;
    float s_before[4] = {};  // before step 0
    if (first) before_first(s_before);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const float (&p)[Neuron::kParameters] = parameter_[j % 2];
      float after[kStates];
      float before[kStates];
      float d[kStates];
#pragma unroll
      for (int k = 0; k < kSaved; ++k) {
        after[k] = after_[k][j];
        before[k] = before_[k][j];
      }
      Neuron::restore(after, p);
      Neuron::restore(before, p);
      if (first) before[kSpike] = s_before[j];
#pragma unroll
      for (int k = 0; k < kStates; ++k) d[k] = grad_[k][j];
      d[kSpike] += scaled(from_spikes[j]) + sum[j];
      if constexpr (kMembranes) d[kMembrane] += scaled(from_membrane[j]);
      // Gradients beyond the layer or the batch were read from another element.
#pragma unroll
      for (int k = 0; k < kStates; ++k) d[k] = j % 2 < now_.there(j / 2) ? d[k] : 0.0f;
      [[maybe_unused]] float unused[Neuron::kParameters] = {};
      grad_x_[j] =
          Neuron::adjoint(before, after, p, h_, d, kLearn ? grad_parameter_[j % 2] : unused);
#pragma unroll
      for (int k = 0; k < kStates; ++k) grad_[k][j] = d[k];
    }
    const float (&sent)[4] = delay_.template due<Delay::kDendritic>(grad_x_, sent_);
    if (!first) publisher_.publish(sent, now_.next());
    if constexpr (kDelay == Delay::kAxonal) now_.store(delay_.line(a_) + row_, sums);
    if constexpr (kDelay == Delay::kDendritic) now_.store(delay_.line(a_) + row_, grad_x_);
  }

  // Begins to load the inputs of the next item.
  POPSNN_DEVICE void request() {
    if (ahead_.advance()) {
      --t_;
      row_ahead_ -= a_.row;
    }
    if (t_ >= 0) load_next();
  }

  POPSNN_DEVICE void store_step() {
    const float (&sent)[4] = kept_sent();
    float out[4];
    const float (&grad_x)[4] = unscaled(grad_x_, out);
#pragma unroll
    for (int k = 0; k < kSaved; ++k) store_shared(saved(kStates + k), before_[k]);
#pragma unroll
    for (int k = 0; k < kStates; ++k) store_shared(saved(k), grad_[k]);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (now_.there(half) == 0) continue;
      now_.store(static_cast<SpikeRow<T>*>(a_.grad_x) + row_, half, grad_x);
      if (a_.grad_x16 != nullptr) now_.store(static_cast<Sixteen*>(a_.grad_x16) + row_, half, sent);
    }
    if (now_.advance()) row_ -= a_.row;
  }

  POPSNN_DEVICE void finish() {
    do {
#pragma unroll
      for (int k = 0; k < kStates; ++k) {
        if (a_.grad_initial[k] == nullptr) continue;
        float grad[4];
        load_shared(saved(k), grad);
        now_.store(a_.grad_initial[k], grad);
      }
    } while (!now_.advance());
    if constexpr (kLearn) {
#pragma unroll
      for (int i = 0; i < Neuron::kParameters; ++i) {
        if (a_.grad_parameter[i] == nullptr) continue;
        now_.store_sums(a_.grad_parameter[i], Neuron::kParameters, grad_parameter_[0][i],
                        grad_parameter_[1][i]);
      }
    }
  }

 private:
  // What the last step sent. What is due at the next has been loaded since.
  POPSNN_DEVICE const float (&kept_sent() const)[4] {
    if constexpr (kDelay == Delay::kDendritic) {
      return sent_;
    } else {
      return grad_x_;
    }
  }

  POPSNN_DEVICE unsigned saved(int k) const {
    return shared_.state(kStates + kSaved, k, now_.group(), tile_);
  }

  // The states before the step, the gradients of its outputs. Before step 0 any will do.
  POPSNN_DEVICE void load_next() {
#pragma unroll
    for (int k = 0; k < kSaved; ++k) {
      next_before_[k] =
          ahead_.load(popsnn::saved<Neuron>(a_, k) + (t_ > 0 ? row_ahead_ - a_.row : 0));
    }
    next_spikes_ = ahead_.load(static_cast<const SpikeRow<T>*>(a_.grad_spikes) + row_ahead_);
    if constexpr (kMembranes) {
      next_membrane_ = ahead_.load(static_cast<const T*>(a_.grad_membrane) + row_ahead_);
    }
    if constexpr (kDelay != Delay::kNone) delay_.load(a_, ahead_, row_ahead_);
  }

  POPSNN_DEVICE void before_first(float (&s)[4]) {
#pragma unroll
    for (int k = 0; k < kSaved; ++k) {
#pragma unroll
      for (int j = 0; j < 4; ++j) before_[k][j] = 0.0f;
      if (a_.initial[k] != nullptr) now_.load(a_.initial[k]).get(before_[k]);
    }
    if (a_.initial[kSpike] != nullptr) now_.load(a_.initial[kSpike]).get(s);
  }

  const RecurrentArguments& a_;
  const RecurrentShared<Shape> shared_;
  CellIndices<Shape, kEven> now_;
  CellIndices<Shape, kEven> ahead_;  // of what comes next
  typename GradientMessages<Shape>::Publisher publisher_;
  CellDelay<float, -1, kDelay> delay_;
  Gradient h_;
  int tile_;
  float parameter_[2][Neuron::kParameters];
  float grad_parameter_[2][Neuron::kParameters] = {};
  float after_[kSaved][4];   // states after the step
  float before_[kSaved][4];  // before it
  float grad_x_[4];
  [[maybe_unused]] float sent_[4];
  float grad_[kStates][4];
  CellRows<float, kEven> next_before_[kSaved];
  CellRows<SpikeRow<T>, kEven> next_spikes_;
  [[maybe_unused]] CellRows<T, kEven> next_membrane_;
  int t_;          // of what comes next
  long long row_;  // elements before the step
  long long row_ahead_;
};

// The arguments are `RecurrentArguments` or `RecurrentParts`.
template <class Shape, class Neuron, class Gradient, class T, bool kEven, bool kMembranes,
          bool kLearn, Delay kDelay = Delay::kNone, class Arguments>
POPSNN_DEVICE void recurrent_backward(const Arguments& arguments) {
  const auto part = part_of_block(arguments);
  run_pair<Shape, BackwardCells<Shape, Neuron, Gradient, T, kEven, kMembranes, kLearn, kDelay>>(
      part.arguments, part.block);
}

}  // namespace popsnn
