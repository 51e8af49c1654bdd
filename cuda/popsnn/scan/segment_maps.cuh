// The affine maps of segments: the A and b of `segments.cuh`.
//
// They are computed forward in time: step t appends its map, A <- A A_t and b <- b + A c_t, so that
// no state is saved, and x and the gradients are read once, upwards.
#pragma once

#include <popsnn/scan/segments.cuh>

namespace popsnn {

// The rows of a segment upwards, a group of each input and then those of the gradients, kGroups - 1
// ahead.
template <class Neuron, class T, class Ring, From kFrom>
class SegmentRows {
 public:
  static constexpr int kGradients = kFrom == From::none ? 0 : kFrom == From::both ? 2 : 1;
  static constexpr int kStreams = kInputs<Neuron> + kGradients;

  POPSNN_DEVICE SegmentRows(const ScanArguments& a, long long first, int begin, int rows,
                            Ring& ring)
      : ring_(ring) {
    start(0, a.x, a.neurons, first, begin, rows);
    if constexpr (kInputs<Neuron> > 1) {
#pragma unroll
      for (int i = 1; i < kInputs<Neuron>; ++i) {
        start(i, input_at<Neuron>(a, i), a.neurons, first, begin, rows);
      }
    }
    if constexpr (kFrom != From::none) {
      const void* from = kFrom == From::membrane ? a.grad_membrane : a.grad_spikes;
      start(kInputs<Neuron>, from, a.grad_stride, first, begin, rows);
    }
    if constexpr (kFrom == From::both) {
      start(kStreams - 1, a.grad_membrane, a.grad_stride, first, begin, rows);
    }
    request<0>();
    request<1 % kStreams>();
    request<2 % kStreams>();
    static_assert(kGroups == 4, "as many are requested ahead as are taken before");
  }

  // The next group of a stream; they take turns.
  template <int kStream>
  POPSNN_DEVICE void take(typename Ring::Slot (&rows)[kGroupRows]) {
    ring_.take(rows);
    request<(kStream + kGroups - 1) % kStreams>();
  }

 private:
  POPSNN_DEVICE void start(int stream, const void* tensor, long long stride, long long first,
                           int begin, int rows) {
    from_[stream] = static_cast<const T*>(tensor) + begin * stride + first;
    stride_[stream] = stride;
    left_[stream] = rows;
  }

  template <int kStream>
  POPSNN_DEVICE void request() {
    ring_.request(from_[kStream], stride_[kStream], left_[kStream]);
    from_[kStream] += kGroupRows * stride_[kStream];
    left_[kStream] -= kGroupRows;
  }

  Ring& ring_;
  const T* from_[kStreams];
  long long stride_[kStreams];
  int left_[kStreams];
};

// The map of the steps so far, of a neuron; only states in kCarried are used.
template <class Neuron, unsigned kCarried>
struct SegmentMap {
  static constexpr int kStates = Neuron::kStates;
  float across[kStates][kStates];
  float own[kStates];

  POPSNN_DEVICE void start() {
#pragma unroll
    for (int i = 0; i < kStates; ++i) {
      own[i] = 0.0f;
#pragma unroll
      for (int k = 0; k < kStates; ++k) across[i][k] = i == k ? 1.0f : 0.0f;
    }
  }

  // Appends a step. `outputs` is the gradient that its states have from outputs alone.
  template <class Gradient>
  POPSNN_DEVICE void append(const float (&before)[kStates], const float (&state)[kStates],
                            const float* parameter, const Gradient& h,
                            const float (&outputs)[kStates]) {
    const auto back = [&](float (&grad)[kStates]) {
      float after[kStates];  // a custom neuron may change it
#pragma unroll
      for (int k = 0; k < kStates; ++k) after[k] = state[k];
      float unused[Neuron::kParameters] = {};
      [[maybe_unused]] float grad_others[kOthers<Neuron>];
      step_back<Neuron>(before, after, parameter, h, grad, unused, grad_others);
    };
    float grad[kStates];
#pragma unroll
    for (int k = 0; k < kStates; ++k) grad[k] = outputs[k];
    back(grad);
#pragma unroll
    for (int i = 0; i < kStates; ++i) own[i] = row_times(i, grad, own[i]);
    float product[kStates][kStates];
#pragma unroll
    for (int k = 0; k < kStates; ++k) {
      if (!has(kCarried, k)) continue;
#pragma unroll
      for (int i = 0; i < kStates; ++i) grad[i] = i == k ? 1.0f : 0.0f;
      back(grad);
#pragma unroll
      for (int i = 0; i < kStates; ++i) product[i][k] = row_times(i, grad, -0.0f);
    }
#pragma unroll
    for (int i = 0; i < kStates; ++i) {
#pragma unroll
      for (int k = 0; k < kStates; ++k) {
        if (has(kCarried, i) && has(kCarried, k)) across[i][k] = product[i][k];
      }
    }
  }

 private:
  // Row i of A times a gradient, added to `sum`; x + -0 is x, and the addition is optimised away.
  POPSNN_DEVICE float row_times(int i, const float (&grad)[kStates], float sum) const {
#pragma unroll
    for (int k = 0; k < kStates; ++k) {
      if (has(kCarried, k)) sum = fma(across[i][k], grad[k], sum);
    }
    return sum;
  }
};

// The maps of all segments but the first, whose map nothing needs. The b of the last segment
// includes the gradient of the final states.
template <class Neuron, class Gradient, class T, int kVector, unsigned kTensors, From kFrom,
          unsigned kCarried>
POPSNN_DEVICE void segment_maps(const ScanArguments& a) {
  constexpr int kStates = Neuron::kStates;
  constexpr int kCount = kInputs<Neuron>;
  static_assert(kCount <= kMaxInputs && kMaxInputs == 4, "each has a line below");
  constexpr bool kFromSpikes = kFrom == From::spikes || kFrom == From::both;
  constexpr bool kFromMembrane = kFrom == From::membrane || kFrom == From::both;
  const long long row = (a.neurons + kThreads * kVector - 1) / (kThreads * kVector);
  const Segment segment = segment_of<Neuron, kVector>(a, block_index() + row);
  const long long first = segment.first;
  if (first >= a.neurons) return;
  const int begin = segment.first_chunk * kChunk<Neuron>;
  const int rows = min((segment.last_chunk + 1) * kChunk<Neuron>, a.steps) - begin;
  const bool last_segment = segment.index == a.segments - 1;

  using Ring = RowRing<T, kVector, true>;
  Ring ring(shared_memory(), kVector);
  using Rows = SegmentRows<Neuron, T, Ring, kFrom>;
  Rows source(a, first, begin, rows, ring);

  const typename Gradient::template For<T> h{a.surrogate, a.grad_threshold};
  float parameter[kVector][Neuron::kParameters];
  load_parameters<Neuron, kTensors>(a, first, kVector, parameter);
  float state[kVector][kStates];
  const float* from[kStates] = {};
#pragma unroll
  for (int k = 0; k < Neuron::kSaved; ++k) {
    from[k] = checkpoint<Neuron>(a, segment.first_chunk - 1, k);
  }
  load_states<kStates, kVector, true>(from, first, kVector, state);
  SegmentMap<Neuron, kCarried> map[kVector];
#pragma unroll
  for (int j = 0; j < kVector; ++j) {
    Neuron::restore(state[j], parameter[j]);
    map[j].start();
  }

  for (int at = 0; at < rows; at += kGroupRows) {
    typename Ring::Slot xs[kCount][kGroupRows];
    [[maybe_unused]] typename Ring::Slot from_spikes[kGroupRows];
    [[maybe_unused]] typename Ring::Slot from_membrane[kGroupRows];
    source.template take<0>(xs[0]);
    if constexpr (kCount > 1) source.template take<1>(xs[1]);
    if constexpr (kCount > 2) source.template take<2>(xs[2]);
    if constexpr (kCount > 3) source.template take<3>(xs[3]);
    if constexpr (kFromSpikes) source.template take<kCount>(from_spikes);
    if constexpr (kFromMembrane) source.template take<Rows::kStreams - 1>(from_membrane);
    const auto step = [&](int u, const float (&final)[kVector][kStates]) {
      float current[kVector];
      [[maybe_unused]] float others[kVector][kOthers<Neuron>];
      [[maybe_unused]] float spikes[kVector];
      [[maybe_unused]] float membrane[kVector];
      unpack<T, kVector>(xs[0][u], current);
      unpack_others<Neuron, T, kVector>(xs, u, others);
      if constexpr (kFromSpikes) unpack<T, kVector>(from_spikes[u], spikes);
      if constexpr (kFromMembrane) unpack<T, kVector>(from_membrane[u], membrane);
#pragma unroll
      for (int j = 0; j < kVector; ++j) {
        float before[kStates];
        float outputs[kStates];
#pragma unroll
        for (int k = 0; k < kStates; ++k) {
          before[k] = state[j][k];
          outputs[k] = final[j][k];
        }
        if constexpr (kFromSpikes) outputs[kStates - 1] += spikes[j];
        if constexpr (kFromMembrane) outputs[Neuron::kMembrane] += membrane[j];
        step_neuron<Neuron>(state[j], parameter[j], current[j], others[j]);
        map[j].append(before, state[j], parameter[j], h, outputs);
      }
    };
    float final[kVector][kStates];
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
#pragma unroll
      for (int k = 0; k < kStates; ++k) final[j][k] = -0.0f;  // x + -0 is x: optimised away
    }
    if (at + kGroupRows < rows) {
#pragma unroll
      for (int u = 0; u < kGroupRows; ++u) step(u, final);
    } else {
#pragma unroll
      for (int u = 0; u < kGroupRows; ++u) {
        if (at + u == rows - 1 && last_segment) {
          load_states<kStates, kVector, true>(a.grad_final, first, kVector, final);
        }
        if (at + u < rows) step(u, final);
      }
    }
  }

#pragma unroll
  for (int i = 0; i < kStates; ++i) {
    if (!has(kCarried, i)) continue;
    float values[kVector];
#pragma unroll
    for (int j = 0; j < kVector; ++j) values[j] = map[j].own[i];
    float* own = own_at<kCarried>(a, segment.index, i) + first;
    store<float, kVector, true>(own, values, kVector);
#pragma unroll
    for (int k = 0; k < kStates; ++k) {
      if (!has(kCarried, k)) continue;
#pragma unroll
      for (int j = 0; j < kVector; ++j) values[j] = map[j].across[i][k];
      float* across = across_at<kCarried>(a, segment.index, i, k) + first;
      store<float, kVector, true>(across, values, kVector);
    }
  }
}

}  // namespace popsnn
