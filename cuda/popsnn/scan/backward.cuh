// Backward: reads x and the outputs' gradients once and writes the gradient of x once. Several
// inputs take turns, a group of rows each.
//
// From the last chunk of steps to the first, a thread runs the chunk forward again from its
// checkpoint, saves the states in shared memory, and then runs backward through them. Where neurons
// are few a thread does so for the chunks of a time shard, and other threads for the other shards.
#pragma once

#include <popsnn/scan/segments.cuh>

namespace popsnn {

// The saved states after each step of a chunk, for each thread.
template <int kSaved, int kVector>
class History {
 public:
  using Slot = Raw<vector_alignment(4 * kVector)>;
  static constexpr int kTransfers = 4 * kVector / static_cast<int>(sizeof(Slot));

  POPSNN_DEVICE explicit History(unsigned char* shared)
      : slots_(reinterpret_cast<Slot*>(shared) + thread_index()) {}

  template <int kStates>
  POPSNN_DEVICE void put(int row, const float (&state)[kVector][kStates]) {
#pragma unroll
    for (int k = 0; k < kSaved; ++k) {
#pragma unroll
      for (int transfer = 0; transfer < kTransfers; ++transfer) {
        Slot slot;
#pragma unroll
        for (int w = 0; w < kWords; ++w) {
          slot.words[w] = float_to_bits(state[transfer * kWords + w][k]);
        }
        *at(row, k, transfer) = slot;
      }
    }
  }

  template <int kStates>
  POPSNN_DEVICE void get(int row, float (&state)[kVector][kStates]) const {
#pragma unroll
    for (int k = 0; k < kSaved; ++k) {
#pragma unroll
      for (int transfer = 0; transfer < kTransfers; ++transfer) {
        const Slot slot = *at(row, k, transfer);
#pragma unroll
        for (int w = 0; w < kWords; ++w) {
          state[transfer * kWords + w][k] = bits_to_float(slot.words[w]);
        }
      }
    }
  }

 private:
  static constexpr int kWords = static_cast<int>(sizeof(Slot)) / 4;

  POPSNN_DEVICE Slot* at(int row, int k, int transfer) const {
    return slots_ + ((row * kSaved + k) * kTransfers + transfer) * kThreads;
  }

  Slot* slots_;
};

// The order in which backward needs rows: for each chunk of a time shard, last to first, the groups
// of x upwards and then those of the gradients downwards. It is always kGroups - 1 groups ahead.
template <class Neuron, class T, class Ring, From kFrom>
class BackwardRows {
 public:
  POPSNN_DEVICE BackwardRows(const ScanArguments& a, const Segment& segment, Ring& ring)
      : ring_(ring),
        arguments_(a),
        first_(segment.first),
        group_stride_(kGroupRows * a.neurons),
        first_chunk_(segment.first_chunk),
        chunk_(segment.last_chunk) {
    start_chunk();
#pragma unroll
    for (int g = 0; g < kGroups - 1; ++g) request();
  }

  POPSNN_DEVICE void take(typename Ring::Slot (&rows)[kGroupRows]) {
    ring_.take(rows);
    request();
  }

 private:
  static constexpr int kGradients = kFrom == From::none ? 0 : kFrom == From::both ? 2 : 1;

  POPSNN_DEVICE const T* row(const void* tensor, int step, long long stride) const {
    return static_cast<const T*>(tensor) + step * stride + first_;
  }

  POPSNN_DEVICE void start_chunk() {
    upwards_ = true;
    rows_ = min(kChunk<Neuron>, arguments_.steps - chunk_ * kChunk<Neuron>);
    left_ = rows_;
    x_ = row(arguments_.x, chunk_ * kChunk<Neuron>, arguments_.neurons);
  }

  POPSNN_DEVICE void start_gradients() {
    upwards_ = false;
    const int step = chunk_ * kChunk<Neuron> + (rows_ - 1) / kGroupRows * kGroupRows;
    const long long stride = arguments_.grad_stride;
    if (kFrom != From::membrane) spikes_ = row(arguments_.grad_spikes, step, stride);
    if (kFrom != From::spikes) membrane_ = row(arguments_.grad_membrane, step, stride);
    left_ = (rows_ + kGroupRows - 1) / kGroupRows * kGroupRows;
    last_ = rows_ - (left_ - kGroupRows);
    turn_ = false;
  }

  POPSNN_DEVICE void request() {
    if (chunk_ < first_chunk_) {
      ring_.skip();
    } else if (upwards_) {
      ring_.request(row_of<Neuron>(arguments_, input_, x_), arguments_.neurons, left_);
      if (++input_ < kInputs<Neuron>) return;
      input_ = 0;
      x_ += group_stride_;
      left_ -= kGroupRows;
      if (left_ <= 0) end_of_x();
    } else {
      const bool from_membrane = kFrom == From::membrane || (kFrom == From::both && turn_);
      const T*& from = from_membrane ? membrane_ : spikes_;
      ring_.request(from, arguments_.grad_stride, last_);
      from -= kGroupRows * arguments_.grad_stride;
      turn_ = !turn_;
      if (kFrom == From::both && turn_) return;
      last_ = kGroupRows;
      left_ -= kGroupRows;
      if (left_ == 0) end_of_chunk();
    }
  }

  POPSNN_DEVICE void end_of_x() {
    if (kGradients > 0) {
      start_gradients();
    } else {
      end_of_chunk();
    }
  }

  POPSNN_DEVICE void end_of_chunk() {
    if (--chunk_ >= first_chunk_) start_chunk();
  }

  Ring& ring_;
  const ScanArguments& arguments_;
  const long long first_;
  const long long group_stride_;
  const T* x_ = nullptr;  // of the first input
  const T* spikes_ = nullptr;
  const T* membrane_ = nullptr;
  const int first_chunk_;
  int chunk_;
  int input_ = 0;  // whose turn it is
  int rows_ = 0;   // of the chunk
  int left_ = 0;   // rows of this pass through the chunk
  int last_ = 0;   // rows of the group that comes next, downwards
  bool upwards_ = true;
  bool turn_ = false;  // the membrane's, where both have a gradient
};

template <class Neuron, class Gradient, class T, int kVector, unsigned kTensors, bool kLearn,
          From kFrom, unsigned kCarried>
POPSNN_DEVICE void scan_backward(const ScanArguments& a) {
  constexpr int kStates = Neuron::kStates;
  constexpr int kSaved = Neuron::kSaved;
  constexpr bool kFromSpikes = kFrom == From::spikes || kFrom == From::both;
  constexpr bool kFromMembrane = kFrom == From::membrane || kFrom == From::both;
  Segment segment = segment_of<Neuron, kVector>(a, block_index());
  const long long first = segment.first;
  if (first >= a.neurons) return;

  const typename Gradient::template For<T> h{a.surrogate, a.grad_threshold};
  float parameter[kVector][Neuron::kParameters];
  float grad_parameter[kVector][Neuron::kParameters] = {};
  float grad[kVector][kStates];  // of the states after the step
  load_parameters<Neuron, kTensors>(a, first, kVector, parameter);
  load_gradient<kStates, kVector, kCarried>(a, segment, grad);
  const int last_chunk = segment.last_chunk;  // whose gradients this thread stores
  // One decision a warp keeps the loops uniform, without which 16-bit types took 3 to 6 % longer on
  // an H200. A thread whose own gradient is finite begins anew with it at its own last chunk.
  const bool from_the_end = segment.index + 1 < a.segments && !finite(grad);
  const bool extended = any_of_warp(from_the_end);
  if (extended) segment.last_chunk = (a.steps - 1) / kChunk<Neuron>;
  if (from_the_end) load_states<kStates, kVector, true>(a.grad_final, first, kVector, grad);

  using Ring = RowRing<T, kVector, true>;
  Ring ring(shared_memory(), kVector);
  History<kSaved, kVector> history(shared_memory() + Ring::kBytes);
  BackwardRows<Neuron, T, Ring, kFrom> source(a, segment, ring);

  float start[kVector][kStates];  // before the chunk
  float next[kVector][kStates];   // before the next chunk, which is earlier in time
  const auto load_start = [&](int chunk) {
    const float* from[kStates] = {};
    if (chunk > 0) {
#pragma unroll
      for (int k = 0; k < kSaved; ++k) from[k] = checkpoint<Neuron>(a, chunk - 1, k);
    } else {
#pragma unroll
      for (int k = 0; k < kStates; ++k) from[k] = a.initial[k];
    }
    load_states<kStates, kVector, true>(from, first, kVector, next);
  };
  int chunk = segment.last_chunk;
  load_start(chunk);
  const int last_step = min((last_chunk + 1) * kChunk<Neuron>, a.steps) - 1;
  constexpr int kCount = kInputs<Neuron>;
  T* grad_x[kCount];

  for (; chunk >= segment.first_chunk; --chunk) {
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
#pragma unroll
      for (int k = 0; k < kStates; ++k) start[j][k] = next[j][k];
      if (chunk > 0) Neuron::restore(start[j], parameter[j]);
    }
    if (chunk > segment.first_chunk) load_start(chunk - 1);  // a whole chunk ahead of its use

    // Chunks after those of this shard store where its last chunk overwrites them, so that no row
    // has a condition on its store.
    if (chunk >= last_chunk) {
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        grad_x[i] = static_cast<T*>(grad_input_at<Neuron>(a, i)) + last_step * a.neurons + first;
      }
      if constexpr (kLearn) {
#pragma unroll
        for (int j = 0; j < kVector; ++j) {
#pragma unroll
          for (int i = 0; i < Neuron::kParameters; ++i) grad_parameter[j][i] = 0.0f;
        }
      }
      if (extended && chunk == last_chunk && !from_the_end) {
        load_gradient<kStates, kVector, kCarried>(a, segment, grad);
      }
    }

    const int begin = chunk * kChunk<Neuron>;
    const int rows = min(kChunk<Neuron>, a.steps - begin);
    const int groups = (rows + kGroupRows - 1) / kGroupRows;
    float state[kVector][kStates];
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
#pragma unroll
      for (int k = 0; k < kStates; ++k) state[j][k] = start[j][k];
    }

    for (int g = 0; g < groups; ++g) {
      typename Ring::Slot xs[kCount][kGroupRows];
#pragma unroll
      for (int i = 0; i < kCount; ++i) source.take(xs[i]);
      const auto step = [&](int u) {
        float current[kVector];
        [[maybe_unused]] float others[kVector][kOthers<Neuron>];
        unpack<T, kVector>(xs[0][u], current);
        unpack_others<Neuron, T, kVector>(xs, u, others);
#pragma unroll
        for (int j = 0; j < kVector; ++j) {
          step_neuron<Neuron>(state[j], parameter[j], current[j], others[j]);
        }
        history.put(g * kGroupRows + u, state);
      };
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
      [[maybe_unused]] typename Ring::Slot from_spikes[kGroupRows];
      [[maybe_unused]] typename Ring::Slot from_membrane[kGroupRows];
      if constexpr (kFromSpikes) source.take(from_spikes);
      if constexpr (kFromMembrane) source.take(from_membrane);
      float before[kGroupRows][kVector][kStates];
#pragma unroll
      for (int u = 0; u < kGroupRows; ++u) {
        const int row = g * kGroupRows + u;
        if (u == 0 && g == 0) {
#pragma unroll
          for (int j = 0; j < kVector; ++j) {
#pragma unroll
            for (int k = 0; k < kStates; ++k) before[u][j][k] = start[j][k];
          }
        } else {
          history.get(row - 1, before[u]);
#pragma unroll
          for (int j = 0; j < kVector; ++j) Neuron::restore(before[u][j], parameter[j]);
        }
      }
      const auto step = [&](int u) {
        float values[kVector];
        [[maybe_unused]] float grad_others[kVector][kOthers<Neuron>];
        if constexpr (kFromSpikes) {
          unpack<T, kVector>(from_spikes[u], values);
#pragma unroll
          for (int j = 0; j < kVector; ++j) grad[j][kStates - 1] += values[j];
        }
        if constexpr (kFromMembrane) {
          unpack<T, kVector>(from_membrane[u], values);
#pragma unroll
          for (int j = 0; j < kVector; ++j) grad[j][Neuron::kMembrane] += values[j];
        }
#pragma unroll
        for (int j = 0; j < kVector; ++j) {
          values[j] = step_back<Neuron>(before[u][j], state[j], parameter[j], h, grad[j],
                                        grad_parameter[j], grad_others[j]);
#pragma unroll
          for (int k = 0; k < kStates; ++k) state[j][k] = before[u][j][k];
        }
        store<T, kVector, true>(grad_x[0], values, kVector);
        grad_x[0] -= a.neurons;
        if constexpr (kCount > 1) {
#pragma unroll
          for (int i = 1; i < kCount; ++i) {
#pragma unroll
            for (int j = 0; j < kVector; ++j) values[j] = grad_others[j][i - 1];
            store<T, kVector, true>(grad_x[i], values, kVector);
            grad_x[i] -= a.neurons;
          }
        }
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
  if (segment.first_chunk == 0) {
    store_states<kStates, kVector, true>(a.grad_initial, first, kVector, grad);
  }
  if constexpr (kLearn) {
    store_states<Neuron::kParameters, kVector, true>(
        a.grad_parameter, segment.index * a.neurons + first, kVector, grad_parameter);
  }
}

}  // namespace popsnn
