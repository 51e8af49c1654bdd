// Backward: reads x, the residual and the spikes' gradient and writes the gradient of u, together
// with the sums that the gradients of scale, shift and statistics need.
//
// x is read twice, forward and backward through each chunk of steps; the second time it comes from
// the L2 cache, since the chunks in progress take less than a quarter of it.
#pragma once

#include <popsnn/batch_norm/lif.cuh>
#include <popsnn/scan/backward.cuh>

namespace popsnn {

// The order in which backward needs rows: for each chunk, last to first, the groups of x and of the
// residual upwards, and then those of the gradient and of x downwards.
template <class Neuron, class T, class Ring, bool kResidual>
class BatchNormLifRows {
 public:
  POPSNN_DEVICE BatchNormLifRows(const BatchNormLifArguments& a, long long first, Ring& ring)
      : ring_(ring),
        arguments_(a),
        first_(first),
        group_stride_(kGroupRows * a.scan.neurons),
        chunk_((a.scan.steps - 1) / kChunk<Neuron>) {
    start_chunk();
#pragma unroll
    for (int g = 0; g < kGroups - 1; ++g) request();
  }

  POPSNN_DEVICE void take(typename Ring::Slot (&rows)[kGroupRows]) {
    ring_.take(rows);
    request();
  }

 private:
  POPSNN_DEVICE const T* row(const void* tensor, int step) const {
    return static_cast<const T*>(tensor) + step * arguments_.scan.neurons + first_;
  }

  POPSNN_DEVICE void start_chunk() {
    const int step = chunk_ * kChunk<Neuron>;
    upwards_ = true;
    turn_ = false;
    rows_ = min(kChunk<Neuron>, arguments_.scan.steps - step);
    left_ = rows_;
    x_ = row(arguments_.scan.x, step);
    if constexpr (kResidual) other_ = row(arguments_.residual, step);
  }

  POPSNN_DEVICE void turn_back() {
    const int step = chunk_ * kChunk<Neuron> + (rows_ - 1) / kGroupRows * kGroupRows;
    upwards_ = false;
    turn_ = true;
    left_ = (rows_ + kGroupRows - 1) / kGroupRows * kGroupRows;
    last_ = rows_ - (left_ - kGroupRows);
    x_ = row(arguments_.scan.x, step);
    other_ = row(arguments_.scan.grad_spikes, step);
  }

  POPSNN_DEVICE void request() {
    if (chunk_ < 0) {
      ring_.skip();
    } else if (upwards_) {
      const bool more = kResidual && !turn_;
      step_over(left_, group_stride_);
      if (more) return;
      left_ -= kGroupRows;
      if (left_ <= 0) turn_back();
    } else {
      const bool more = !turn_;
      step_over(last_, -group_stride_);
      if (!more) return;
      last_ = kGroupRows;
      left_ -= kGroupRows;
      if (left_ == 0 && --chunk_ >= 0) start_chunk();
    }
  }

  // Requests the next group of x, or of the other tensor where it is its turn.
  POPSNN_DEVICE void step_over(int rows, long long stride) {
    ring_.request(turn_ ? other_ : x_, arguments_.scan.neurons, rows);
    // No reference to either: it would move both from registers to memory.
    if (turn_) {
      other_ += stride;
    } else {
      x_ += stride;
    }
    turn_ = (kResidual || !upwards_) && !turn_;
  }

  Ring& ring_;
  const BatchNormLifArguments& arguments_;
  const long long first_;
  const long long group_stride_;
  const T* x_ = nullptr;
  const T* other_ = nullptr;  // the residual upwards, the gradient downwards
  int chunk_;
  int rows_ = 0;  // of the chunk
  int left_ = 0;  // rows of this pass through the chunk
  int last_ = 0;  // rows of the group that comes next, downwards
  bool upwards_ = true;
  bool turn_ = false;  // the other tensor's
};

template <class Neuron, class Gradient, class T, int kVector, unsigned kTensors, bool kResidual>
POPSNN_DEVICE void batch_norm_lif_backward(const BatchNormLifArguments& arguments) {
  constexpr int kStates = Neuron::kStates;
  const ScanArguments& a = arguments.scan;
  const long long first = (block_index() * kThreads + thread_index()) * kVector;
  if (first >= a.neurons) return;

  const typename Gradient::template For<T> h{a.surrogate, a.grad_threshold};
  float parameter[kVector][Neuron::kParameters];
  float scale[kVector];
  float shift[kVector];
  float mean[kVector];
  float sum[kVector] = {};
  float sum_x[kVector] = {};
  float grad[kVector][kStates];  // of the states after the step
  load_parameters<Neuron, kTensors>(a, first, kVector, parameter);
  load_channels(arguments, arguments.scale, first, kVector, scale);
  load_channels(arguments, arguments.shift, first, kVector, shift);
  load_channels(arguments, arguments.mean, first, kVector, mean);
  load_states<kStates, kVector, true>(a.grad_final, first, kVector, grad);

  using Ring = RowRing<T, kVector, true>;
  using Rows = typename Ring::Slot[kGroupRows];
  Ring ring(shared_memory(), kVector);
  History<Neuron::kSaved, kVector> history(shared_memory() + Ring::kBytes);
  BatchNormLifRows<Neuron, T, Ring, kResidual> source(arguments, first, ring);

  T* grad_u = static_cast<T*>(a.grad_x) + (a.steps - 1) * a.neurons + first;
  for (int chunk = (a.steps - 1) / kChunk<Neuron>; chunk >= 0; --chunk) {
    const float* from[kStates] = {};
    if (chunk > 0) {
#pragma unroll
      for (int k = 0; k < Neuron::kSaved; ++k) from[k] = checkpoint<Neuron>(a, chunk - 1, k);
    } else {
#pragma unroll
      for (int k = 0; k < kStates; ++k) from[k] = a.initial[k];
    }
    float start[kVector][kStates];  // before the chunk
    float state[kVector][kStates];
    load_states<kStates, kVector, true>(from, first, kVector, start);
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      if (chunk > 0) Neuron::restore(start[j], parameter[j]);
#pragma unroll
      for (int k = 0; k < kStates; ++k) state[j][k] = start[j][k];
    }

    const int rows = min(kChunk<Neuron>, a.steps - chunk * kChunk<Neuron>);
    const int groups = (rows + kGroupRows - 1) / kGroupRows;
    for (int g = 0; g < groups; ++g) {
      Rows xs;
      [[maybe_unused]] Rows residuals;
      source.take(xs);
      if constexpr (kResidual) source.take(residuals);
      const auto step = [&](int u) {
        float current[kVector];
        normalise<T, kVector, kResidual>(xs[u], residuals[u], scale, shift, current);
#pragma unroll
        for (int j = 0; j < kVector; ++j) Neuron::step(state[j], parameter[j], current[j]);
        history.put(g * kGroupRows + u, state);
      };
      // Without a test per row the steps of a group overlap.
      if ((g + 1) * kGroupRows <= rows) {
#pragma unroll
        for (int u = 0; u < kGroupRows; ++u) step(u);
      } else {
#pragma unroll
        for (int u = 0; u < kGroupRows; ++u) {
          if (g * kGroupRows + u < rows) step(u);
        }
      }
    }

    for (int g = groups - 1; g >= 0; --g) {
      Rows gradients;
      Rows xs;
      source.take(gradients);
      source.take(xs);
      float before[kGroupRows][kVector][kStates];
#pragma unroll
      for (int u = 0; u < kGroupRows; ++u) {
        if (u == 0 && g == 0) {
#pragma unroll
          for (int j = 0; j < kVector; ++j) {
#pragma unroll
            for (int k = 0; k < kStates; ++k) before[u][j][k] = start[j][k];
          }
        } else {
          history.get(g * kGroupRows + u - 1, before[u]);
#pragma unroll
          for (int j = 0; j < kVector; ++j) Neuron::restore(before[u][j], parameter[j]);
        }
      }
      const auto step = [&](int u) {
        float values[kVector];
        float x[kVector];
        unpack<T, kVector>(gradients[u], values);
        unpack<T, kVector>(xs[u], x);
#pragma unroll
        for (int j = 0; j < kVector; ++j) {
          float unused[Neuron::kParameters] = {};
          grad[j][kStates - 1] += values[j];
          values[j] = Neuron::adjoint(before[u][j], state[j], parameter[j], h, grad[j], unused);
#pragma unroll
          for (int k = 0; k < kStates; ++k) state[j][k] = before[u][j][k];
        }
        // The sums are of the rounded values, which the gradient of x subtracts them from: what
        // cancels there is larger than its rounding.
        const Row<T, kVector> row = pack_row<T, kVector>(values);
        unpack<T, kVector>(row, values);
#pragma unroll
        for (int j = 0; j < kVector; ++j) {
          sum[j] += values[j];
          sum_x[j] = fma(values[j], x[j] - mean[j], sum_x[j]);
        }
        *reinterpret_cast<Row<T, kVector>*>(grad_u) = row;
        grad_u -= a.neurons;
      };
      if ((g + 1) * kGroupRows <= rows) {
#pragma unroll
        for (int u = kGroupRows - 1; u >= 0; --u) step(u);
      } else {
#pragma unroll
        for (int u = kGroupRows - 1; u >= 0; --u) {
          if (g * kGroupRows + u < rows) step(u);
        }
      }
    }
  }
  store_states<kStates, kVector, true>(a.grad_initial, first, kVector, grad);
  store<float, kVector, true>(arguments.sum + first, sum, kVector);
  store<float, kVector, true>(arguments.sum_x + first, sum_x, kVector);
}

}  // namespace popsnn
