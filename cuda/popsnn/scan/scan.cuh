// The forward kernel over the whole time axis: reads x once, writes spikes or membrane once, and a
// checkpoint every few steps. Arguments, parameters and states are those of backward.cuh too.
//
// A thread runs all steps of kVector neighbouring neurons. States are float in registers, whatever
// the type T of the tensors.
#pragma once

#include <popsnn/device/row_ring.cuh>
#include <popsnn/neurons/neuron.cuh>
#include <popsnn/neurons/surrogates.cuh>

namespace popsnn {

constexpr int kMaxStates = 12;
constexpr int kMaxParameters = 16;
constexpr int kMaxInputs = 4;

// The checkpoint interval in steps. Checkpoints cost 4 bytes a saved state: 1/8 byte a neuron and
// step. From six saved states on it shrinks, so that the states of an interval fit the 99 KB of
// shared memory of compute capabilities 8.6, 8.9 and 12.0.
POPSNN_DEVICE constexpr int checkpoint_interval(int saved) {
  const int fit = 20 / saved;
  const int most = fit > 4 ? 4 : fit;
  return 32 * (saved < most ? saved : most);
}

template <class Neuron>
constexpr int kChunk = checkpoint_interval(Neuron::kSaved);

enum class SpikeForm { none, value, int8, bits };

// [T, N] is the layout of tensors over time: T steps, N neurons of all samples. Any pointer but x
// may be null: states at rest, an output that is not requested, no gradient.
struct ScanArguments {
  const void* x;                           // [T, N]
  void* spikes;                            // [T, N], or uint8 [T, ceil(N / 8)] as bits
  void* membrane;                          // [T, N]
  float* checkpoints;                      // [ceil(T / chunk) - 1, saved states, N]
  const float* initial[kMaxStates];        // [N] each
  float* final[kMaxStates];                // [N] each
  const void* grad_spikes;                 // [T, N], or [N] for every step
  const void* grad_membrane;               // [T, N], or [N] for every step
  const float* grad_final[kMaxStates];     // [N] each
  void* grad_x;                            // [T, N]
  float* grad_initial[kMaxStates];         // [N] each
  float* grad_parameter[kMaxParameters];   // [segments, N] each, summed over the steps of each
  const float* parameter[kMaxParameters];  // [period]: of neuron n at (n / inner) % period
  long long parameter_inner[kMaxParameters];
  long long parameter_period[kMaxParameters];
  long long neurons;             // N
  long long grad_stride;         // from step to step of the gradients: N, or 0
  float scalar[kMaxParameters];  // where the parameter is a scalar
  float* maps;                   // [segments - 1, carried * (carried + 1), N]: segments.cuh
  float surrogate;               // slope or width
  float grad_threshold;          // gradient threshold
  int steps;                     // T
  int segments;                  // time shards, which backward processes at once
  int segment_chunks;            // of each but the last, which may have fewer
};

// Of neurons of several inputs: x and grad_x are those of the first.
struct SeveralArguments : ScanArguments {
  const void* other_x[kMaxInputs - 1];  // [T, N] each
  void* grad_other_x[kMaxInputs - 1];   // [T, N] each
};

// The tensor of an input, and of its gradient.
template <class Neuron>
POPSNN_DEVICE const void* input_at(const ScanArguments& a, [[maybe_unused]] int input) {
  if constexpr (kInputs<Neuron> > 1) {
    if (input > 0) return static_cast<const SeveralArguments&>(a).other_x[input - 1];
  }
  return a.x;
}

template <class Neuron>
POPSNN_DEVICE void* grad_input_at(const ScanArguments& a, [[maybe_unused]] int input) {
  if constexpr (kInputs<Neuron> > 1) {
    if (input > 0) return static_cast<const SeveralArguments&>(a).grad_other_x[input - 1];
  }
  return a.grad_x;
}

// Where an input has what the first has at `x`.
template <class Neuron, class T>
POPSNN_DEVICE const T* row_of(const ScanArguments& a, [[maybe_unused]] int input, const T* x) {
  if constexpr (kInputs<Neuron> > 1) {
    const long long at = x - static_cast<const T*>(a.x);
    return static_cast<const T*>(input_at<Neuron>(a, input)) + at;
  }
  return x;
}

// Of an array for the inputs other than the first. An array with the first, too, would change the
// machine code of neurons of one input.
template <class Neuron>
constexpr int kOthers = kInputs<Neuron> > 1 ? kInputs<Neuron> - 1 : 1;

// Neuron::step of the first input and the others.
template <class Neuron>
POPSNN_DEVICE void step_neuron(float (&state)[Neuron::kStates], const float* p, float first,
                               [[maybe_unused]] const float (&others)[kOthers<Neuron>]) {
  if constexpr (kInputs<Neuron> == 1) {
    Neuron::step(state, p, first);
  } else {
    float x[kInputs<Neuron>];
    x[0] = first;
#pragma unroll
    for (int i = 1; i < kInputs<Neuron>; ++i) x[i] = others[i - 1];
    Neuron::step(state, p, x);
  }
}

// Neuron::adjoint: returns the gradient of the first input and writes those of the others.
template <class Neuron, class Gradient>
POPSNN_DEVICE float step_back(const float (&before)[Neuron::kStates],
                              float (&state)[Neuron::kStates], const float* p, const Gradient& h,
                              float (&grad)[Neuron::kStates], float* grad_p,
                              [[maybe_unused]] float (&grad_others)[kOthers<Neuron>]) {
  if constexpr (kInputs<Neuron> == 1) {
    return Neuron::adjoint(before, state, p, h, grad, grad_p);
  } else {
    float grad_x[kInputs<Neuron>];
    Neuron::adjoint(before, state, p, h, grad, grad_p, grad_x);
#pragma unroll
    for (int i = 1; i < kInputs<Neuron>; ++i) grad_others[i - 1] = grad_x[i];
    return grad_x[0];
  }
}

// Unpacks row `row` of the inputs other than the first.
template <class Neuron, class T, int kVector>
POPSNN_DEVICE void unpack_others(
    [[maybe_unused]] const Row<T, kVector> (&rows)[kInputs<Neuron>][kGroupRows],
    [[maybe_unused]] int row, [[maybe_unused]] float (&others)[kVector][kOthers<Neuron>]) {
  if constexpr (kInputs<Neuron> > 1) {
#pragma unroll
    for (int i = 1; i < kInputs<Neuron>; ++i) {
      float x[kVector];
      unpack<T, kVector>(rows[i][row], x);
#pragma unroll
      for (int j = 0; j < kVector; ++j) others[j][i - 1] = x[j];
    }
  }
}

// The parameters of a thread's neurons. Bit i of kTensors: parameter i is a tensor.
template <class Neuron, unsigned kTensors, int kVector>
POPSNN_DEVICE void load_parameters(const ScanArguments& a, long long first, int count,
                                   float (&parameter)[kVector][Neuron::kParameters]) {
#pragma unroll
  for (int i = 0; i < Neuron::kParameters; ++i) {
    if ((kTensors >> i & 1u) == 0) {
#pragma unroll
      for (int j = 0; j < kVector; ++j) parameter[j][i] = a.scalar[i];
      continue;
    }
    // A single division for all elements: in 64 bits it takes as long as several steps.
    const long long inner = a.parameter_inner[i];
    const long long period = a.parameter_period[i];
    long long at = first / inner;
    long long within = first - at * inner;
    at %= period;
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      parameter[j][i] = j < count ? a.parameter[i][at] : 0.0f;
      if (++within == inner) {
        within = 0;
        if (++at == period) at = 0;
      }
    }
  }
}

// The states before the first step.
template <int kStates, int kVector, bool kWhole>
POPSNN_DEVICE void load_states(const float* const* from, long long first, int count,
                               float (&state)[kVector][kStates]) {
#pragma unroll
  for (int k = 0; k < kStates; ++k) {
    float values[kVector] = {};
    if (from[k] != nullptr) load_each<kVector, kWhole>(from[k] + first, values, count);
#pragma unroll
    for (int j = 0; j < kVector; ++j) state[j][k] = values[j];
  }
}

template <int kStates, int kVector, bool kWhole>
POPSNN_DEVICE void store_states(float* const* to, long long first, int count,
                                const float (&state)[kVector][kStates]) {
#pragma unroll
  for (int k = 0; k < kStates; ++k) {
    float values[kVector];
#pragma unroll
    for (int j = 0; j < kVector; ++j) values[j] = state[j][k];
    if (to[k] != nullptr) store<float, kVector, kWhole>(to[k] + first, values, count);
  }
}

// The checkpoint of saved state `state` after the last step of a chunk.
template <class Neuron>
POPSNN_DEVICE float* checkpoint(const ScanArguments& a, int chunk, int state) {
  return a.checkpoints + (static_cast<long long>(chunk) * Neuron::kSaved + state) * a.neurons;
}

POPSNN_DEVICE int min(int x, int limit) { return x < limit ? x : limit; }

template <int kVector, bool kWhole>
POPSNN_DEVICE void store_int8(unsigned char* to, const float (&spikes)[kVector], int count) {
  if constexpr (kWhole && kVector >= 4) {
    Raw<kVector> row;
#pragma unroll
    for (int w = 0; w < kVector / 4; ++w) {
      row.words[w] = 0;
#pragma unroll
      for (int j = 0; j < 4; ++j) row.words[w] |= (spikes[4 * w + j] != 0.0f) << (8 * j);
    }
    *reinterpret_cast<Raw<kVector>*>(to) = row;
  } else {
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      if (j < count) to[j] = spikes[j] != 0.0f;
    }
  }
}

// Writes the requested outputs of a step; `at` is the thread's first element of the row, `byte` its
// byte of a row of bits.
template <class Neuron, class T, int kVector, bool kWhole, SpikeForm kForm, bool kMembrane>
POPSNN_DEVICE void store_step(const ScanArguments& a, long long at, long long byte, int count,
                              const float (&state)[kVector][Neuron::kStates]) {
  float values[kVector];
#pragma unroll
  for (int j = 0; j < kVector; ++j) values[j] = state[j][Neuron::kStates - 1];
  if constexpr (kForm == SpikeForm::value) {
    store<T, kVector, kWhole>(static_cast<T*>(a.spikes) + at, values, count);
  } else if constexpr (kForm == SpikeForm::int8) {
    store_int8<kVector, kWhole>(static_cast<unsigned char*>(a.spikes) + at, values, count);
  } else if constexpr (kForm == SpikeForm::bits) {
    static_assert(kVector == 8, "a byte holds the spikes of 8 neurons");
    unsigned bits = 0;
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      // Behind the last neuron a thread steps uninitialised shared memory.
      if (kWhole || j < count) bits |= static_cast<unsigned>(values[j] != 0.0f) << j;
    }
    static_cast<unsigned char*>(a.spikes)[byte] = static_cast<unsigned char>(bits);
  }
  if constexpr (kMembrane) {
#pragma unroll
    for (int j = 0; j < kVector; ++j) values[j] = state[j][Neuron::kMembrane];
    store<T, kVector, kWhole>(static_cast<T*>(a.membrane) + at, values, count);
  }
}

template <class Neuron, class T, int kVector, bool kWhole, unsigned kTensors, SpikeForm kForm,
          bool kMembrane>
POPSNN_DEVICE void scan_forward(const ScanArguments& a) {
  const long long first = (block_index() * kThreads + thread_index()) * kVector;
  if (first >= a.neurons) return;
  const int count = a.neurons - first < kVector ? static_cast<int>(a.neurons - first) : kVector;

  float parameter[kVector][Neuron::kParameters];
  float state[kVector][Neuron::kStates];
  load_parameters<Neuron, kTensors>(a, first, count, parameter);
  load_states<Neuron::kStates, kVector, kWhole>(a.initial, first, count, state);

  constexpr bool kNarrow = static_cast<int>(sizeof(T)) * kVector <= kNarrowBytes;
  constexpr int kDepth = kNarrow ? kDeepGroups : kGroups;
  using Ring = RowRing<T, kVector, kWhole, kDepth>;
  Ring ring(shared_memory(), count);
  constexpr int kCount = kInputs<Neuron>;  // which take turns
  const T* x = static_cast<const T*>(a.x) + first;
  const long long group_stride = kGroupRows * a.neurons;
  int left = a.steps;  // rows to request
  const auto advance = [&](int input) {
    if (input + 1 < kCount) return;
    x += group_stride;
    left -= kGroupRows;
  };
  const auto request = [&](int input) {
    ring.request(row_of<Neuron>(a, input, x), a.neurons, left);
    advance(input);
  };
  const auto request_whole = [&](int input) {
    ring.request(row_of<Neuron>(a, input, x), a.neurons);
    advance(input);
  };
#pragma unroll
  for (int g = 0; g < kDepth - 1; ++g) request(g % kCount);

  const long long bytes = (a.neurons + 7) / 8;  // of a row of bits
  long long at = first;
  long long byte = first / 8;
  typename Ring::Slot rows[kCount][kGroupRows];
  const auto step = [&](int u) {
    float current[kVector];
    [[maybe_unused]] float others[kVector][kOthers<Neuron>];
    unpack<T, kVector>(rows[0][u], current);
    unpack_others<Neuron, T, kVector>(rows, u, others);
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      step_neuron<Neuron>(state[j], parameter[j], current[j], others[j]);
    }
    store_step<Neuron, T, kVector, kWhole, kForm, kMembrane>(a, at, byte, count, state);
    at += a.neurons;
    byte += bytes;
  };
  const auto whole_group = [&] {
#pragma unroll
    for (int u = 0; u < kGroupRows; ++u) step(u);
  };
  const auto end_group = [&](int done) {
    if (a.checkpoints == nullptr || done % kChunk<Neuron> != 0 || done >= a.steps) return;
    float* to[Neuron::kStates] = {};
#pragma unroll
    for (int k = 0; k < Neuron::kSaved; ++k) {
      to[k] = checkpoint<Neuron>(a, done / kChunk<Neuron> - 1, k);
    }
    store_states<Neuron::kStates, kVector, kWhole>(to, first, count, state);
  };
  int t = 0;
  if constexpr (kNarrow) {
    // With no test between them the copies, steps and stores of a group overlap: a quarter less
    // time where a multiprocessor has a single warp. With wider rows and many warps it takes
    // longer.
    constexpr int kLeast = (kDepth - 1) % kCount == 0 ? kGroupRows : 2 * kGroupRows;
    for (; left >= kLeast; t += kGroupRows) {
      ring.take(rows[0]);
      request_whole((kDepth - 1) % kCount);
      if constexpr (kCount > 1) {
#pragma unroll
        for (int i = 1; i < kCount; ++i) {
          ring.take(rows[i]);
          request_whole((i + kDepth - 1) % kCount);
        }
      }
      whole_group();
      end_group(t + kGroupRows);
    }
  }
  for (; t < a.steps; t += kGroupRows) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      ring.take(rows[i]);
      request((i + kDepth - 1) % kCount);
    }
    // Without a test per row the steps of a group overlap.
    if (t + kGroupRows <= a.steps) {
      whole_group();
    } else {
#pragma unroll
      for (int u = 0; u < kGroupRows - 1; ++u) {
        if (t + u < a.steps) step(u);
      }
    }
    end_group(t + kGroupRows);
  }
  store_states<Neuron::kStates, kVector, kWhole>(a.final, first, count, state);
}

}  // namespace popsnn
