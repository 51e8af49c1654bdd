// Backward: reads x and the outputs' gradients once and writes the gradient of x once.
//
// From the last chunk of steps to the first, a thread runs the chunk forward again from its
// checkpoint, keeps the states in shared memory, and then walks back through them.
#pragma once

#include <popsnn/temporal_scan.cuh>

namespace popsnn {

// The kept states after each step of one chunk, a thread's own.
template <int kKept, int kLanes>
class History {
 public:
  using Slot = Raw<vector_alignment(4 * kLanes)>;
  static constexpr int kPieces = 4 * kLanes / static_cast<int>(sizeof(Slot));

  POPSNN_DEVICE explicit History(unsigned char* shared)
      : slots_(reinterpret_cast<Slot*>(shared) + thread_index()) {}

  template <int kStates>
  POPSNN_DEVICE void put(int row, const float (&state)[kLanes][kStates]) {
#pragma unroll
    for (int k = 0; k < kKept; ++k) {
#pragma unroll
      for (int piece = 0; piece < kPieces; ++piece) {
        Slot slot;
#pragma unroll
        for (int w = 0; w < kWords; ++w) {
          slot.words[w] = float_to_bits(state[piece * kWords + w][k]);
        }
        *at(row, k, piece) = slot;
      }
    }
  }

  template <int kStates>
  POPSNN_DEVICE void get(int row, float (&state)[kLanes][kStates]) const {
#pragma unroll
    for (int k = 0; k < kKept; ++k) {
#pragma unroll
      for (int piece = 0; piece < kPieces; ++piece) {
        const Slot slot = *at(row, k, piece);
#pragma unroll
        for (int w = 0; w < kWords; ++w) {
          state[piece * kWords + w][k] = bits_to_float(slot.words[w]);
        }
      }
    }
  }

 private:
  static constexpr int kWords = static_cast<int>(sizeof(Slot)) / 4;

  POPSNN_DEVICE Slot* at(int row, int k, int piece) const {
    return slots_ + ((row * kKept + k) * kPieces + piece) * threads_per_block();
  }

  Slot* slots_;
};

// The order in which backward needs rows: for each chunk, last to first, the groups of x upwards
// and then those of the gradients downwards. `ask` is always kGroups - 1 groups ahead.
template <class Neuron, class T, class Ring>
class BackwardRows {
 public:
  POPSNN_DEVICE BackwardRows(const ScanArguments& a, long long first, Ring& ring)
      : ring_(ring),
        x_(static_cast<const T*>(a.x) + first),
        first_(first),
        arguments_(a),
        gradients_((a.grad_spikes != nullptr) + (a.grad_membrane != nullptr)),
        chunk_((a.steps - 1) / kChunk<Neuron>) {
    start_chunk();
#pragma unroll
    for (int g = 0; g < kGroups - 1; ++g) ask();
  }

  POPSNN_DEVICE void take(typename Ring::Slot (&rows)[kGroupRows]) {
    ring_.take(rows);
    ask();
  }

 private:
  POPSNN_DEVICE void start_chunk() {
    const int rows = at_most(kChunk<Neuron>, arguments_.steps - chunk_ * kChunk<Neuron>);
    groups_ = (rows + kGroupRows - 1) / kGroupRows;
    at_ = 0;
  }

  POPSNN_DEVICE void ask() {
    const T* from = x_;
    int group = at_;
    if (at_ >= groups_) {
      const int back = at_ - groups_;
      const bool both = gradients_ == 2;
      group = groups_ - 1 - (both ? back / 2 : back);
      const bool spikes = both ? back % 2 == 0 : arguments_.grad_spikes != nullptr;
      from = static_cast<const T*>(spikes ? arguments_.grad_spikes : arguments_.grad_membrane) +
             first_;
    }
    const int row = chunk_ * kChunk<Neuron> + group * kGroupRows;
    const int rows = chunk_ < 0 ? 0 : at_most(kGroupRows, arguments_.steps - row);
    ring_.ask(from + row * arguments_.neurons, arguments_.neurons, rows);
    if (++at_ == groups_ * (1 + gradients_)) {
      --chunk_;
      start_chunk();
    }
  }

  Ring& ring_;
  const T* x_;
  const long long first_;
  const ScanArguments& arguments_;
  const int gradients_;
  int chunk_;
  int groups_ = 0;
  int at_ = 0;
};

template <class Neuron, class Gradient, class T, int kLanes, unsigned kTensors, bool kLearn>
POPSNN_DEVICE void scan_backward(const ScanArguments& a) {
  constexpr int kStates = Neuron::kStates;
  constexpr int kKept = Neuron::kKept;
  const long long first = (block_index() * threads_per_block() + thread_index()) * kLanes;
  if (first >= a.neurons) return;

  const Gradient h{a.surrogate, a.gate};
  float parameter[kLanes][Neuron::kParameters];
  float grad_parameter[kLanes][Neuron::kParameters] = {};
  float grad[kLanes][kStates];  // of the states after the step
  load_parameters<Neuron, kTensors>(a, first, kLanes, parameter);
  load_states<kStates, kLanes, true>(a.grad_final, first, kLanes, grad);

  using Ring = RowRing<T, kLanes, true>;
  Ring ring(shared_memory(), kLanes);
  History<kKept, kLanes> history(shared_memory() + Ring::kBytesPerThread * threads_per_block());
  BackwardRows<Neuron, T, Ring> source(a, first, ring);

  float start[kLanes][kStates];  // before the chunk
  float next[kLanes][kStates];   // before the chunk that comes next, that is, the earlier one
  const auto load_start = [&](int chunk) {
    const float* from[kStates] = {};
    if (chunk > 0) {
#pragma unroll
      for (int k = 0; k < kKept; ++k) from[k] = checkpoint<Neuron>(a, chunk - 1, k);
    } else {
#pragma unroll
      for (int k = 0; k < kStates; ++k) from[k] = a.initial[k];
    }
    load_states<kStates, kLanes, true>(from, first, kLanes, next);
  };
  int chunk = (a.steps - 1) / kChunk<Neuron>;
  load_start(chunk);

  for (; chunk >= 0; --chunk) {
#pragma unroll
    for (int j = 0; j < kLanes; ++j) {
#pragma unroll
      for (int k = 0; k < kStates; ++k) start[j][k] = next[j][k];
      if (chunk > 0) Neuron::restore(start[j], parameter[j]);
    }
    if (chunk > 0) load_start(chunk - 1);  // a whole chunk ahead of its use

    const int begin = chunk * kChunk<Neuron>;
    const int rows = at_most(kChunk<Neuron>, a.steps - begin);
    const int groups = (rows + kGroupRows - 1) / kGroupRows;
    float state[kLanes][kStates];
#pragma unroll
    for (int j = 0; j < kLanes; ++j) {
#pragma unroll
      for (int k = 0; k < kStates; ++k) state[j][k] = start[j][k];
    }

    for (int g = 0; g < groups; ++g) {
      typename Ring::Slot xs[kGroupRows];
      source.take(xs);
      const auto step = [&](int u) {
        float current[kLanes];
        unpack<T, kLanes>(xs[u], current);
#pragma unroll
        for (int j = 0; j < kLanes; ++j) Neuron::step(state[j], parameter[j], current[j]);
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
      typename Ring::Slot from_spikes[kGroupRows];
      typename Ring::Slot from_membrane[kGroupRows];
      if (Neuron::kSpiking && a.grad_spikes != nullptr) source.take(from_spikes);
      if (a.grad_membrane != nullptr) source.take(from_membrane);
      float before[kGroupRows][kLanes][kStates];
#pragma unroll
      for (int u = 0; u < kGroupRows; ++u) {
        const int row = g * kGroupRows + u;
        if (u == 0 && g == 0) {
#pragma unroll
          for (int j = 0; j < kLanes; ++j) {
#pragma unroll
            for (int k = 0; k < kStates; ++k) before[u][j][k] = start[j][k];
          }
        } else {
          history.get(at_most(row, rows) - 1, before[u]);
#pragma unroll
          for (int j = 0; j < kLanes; ++j) Neuron::restore(before[u][j], parameter[j]);
        }
      }
      const auto step = [&](int u) {
        float lanes[kLanes];
        if (Neuron::kSpiking && a.grad_spikes != nullptr) {
          unpack<T, kLanes>(from_spikes[u], lanes);
#pragma unroll
          for (int j = 0; j < kLanes; ++j) grad[j][kStates - 1] += lanes[j];
        }
        if (a.grad_membrane != nullptr) {
          unpack<T, kLanes>(from_membrane[u], lanes);
#pragma unroll
          for (int j = 0; j < kLanes; ++j) grad[j][Neuron::kMembrane] += lanes[j];
        }
#pragma unroll
        for (int j = 0; j < kLanes; ++j) {
          lanes[j] = Neuron::adjoint(before[u][j], state[j], parameter[j], h, grad[j],
                                     grad_parameter[j]);
#pragma unroll
          for (int k = 0; k < kStates; ++k) state[j][k] = before[u][j][k];
        }
        const long long at = (begin + g * kGroupRows + u) * a.neurons + first;
        store<T, kLanes, true>(static_cast<T*>(a.grad_x) + at, lanes, kLanes);
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
  store_states<kStates, kLanes, true>(a.grad_initial, first, kLanes, grad);
  if constexpr (kLearn) {
    store_states<Neuron::kParameters, kLanes, true>(a.grad_parameter, first, kLanes,
                                                    grad_parameter);
  }
}

}  // namespace popsnn
