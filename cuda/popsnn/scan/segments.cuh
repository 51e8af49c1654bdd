// Segments: time shards of whole chunks, which backward processes in parallel where neurons are too
// few for the chip.
//
// Backward is affine in the gradient of the states: with g after a segment it is A g + b before the
// segment. A thread of segment_maps computes A and b of a segment, of kVector neurons. A thread of
// scan_backward then applies the maps from the last segment to its own, and runs backward through
// its own. Where A or b overflowed, which the gradient itself need not do, that thread runs
// backward through the later segments too, step by step, and stores nothing of them.
#pragma once

#include <popsnn/scan/scan.cuh>

namespace popsnn {

// Which outputs have a gradient.
enum class From : int { none, spikes, membrane, both };

// The neurons and chunks of a thread.
struct Segment {
  long long first;  // of its neurons
  int index;
  int first_chunk;
  int last_chunk;
};

// Blocks of a segment have consecutive indices.
template <class Neuron, int kVector>
POPSNN_DEVICE Segment segment_of(const ScanArguments& a, long long block) {
  constexpr int kBlock = kThreads * kVector;  // neurons
  Segment segment{0, 0, 0, (a.steps - 1) / kChunk<Neuron>};
  if (a.segments > 1) {
    const auto row = static_cast<unsigned>((a.neurons + kBlock - 1) / kBlock);
    segment.index = static_cast<int>(static_cast<unsigned>(block) / row);
    block -= static_cast<long long>(segment.index) * row;
    segment.first_chunk = segment.index * a.segment_chunks;
    segment.last_chunk = min(segment.first_chunk + a.segment_chunks - 1, segment.last_chunk);
  }
  segment.first = block * kBlock + thread_index() * kVector;
  return segment;
}

// Whether all are finite.
template <int kVector, int kStates>
POPSNN_DEVICE bool finite(const float (&x)[kVector][kStates]) {
  constexpr unsigned kExponent = 0x7f800000u;
  bool all_finite = true;
#pragma unroll
  for (int j = 0; j < kVector; ++j) {
#pragma unroll
    for (int k = 0; k < kStates; ++k) {
      all_finite = all_finite && (float_to_bits(x[j][k]) & kExponent) != kExponent;
    }
  }
  return all_finite;
}

// The number of states of a mask below k, and of all. No loop: NVRTC does not unroll it where k is
// the counter of a loop.
POPSNN_DEVICE constexpr int rank_of(unsigned mask, int k) {
  const unsigned below = mask & ((1u << k) - 1u);
  const unsigned pairs = below - (below >> 1 & 0x55555555u);
  const unsigned fours = (pairs & 0x33333333u) + (pairs >> 2 & 0x33333333u);
  return static_cast<int>(((fours + (fours >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
}

POPSNN_DEVICE constexpr int count_of(unsigned mask) { return rank_of(mask, kMaxStates); }

POPSNN_DEVICE constexpr bool has(unsigned mask, int k) { return (mask >> k & 1u) != 0; }

// Where the map of a segment (1 .. segments - 1) has A[i][k], of states in kCarried.
template <unsigned kCarried>
POPSNN_DEVICE float* across_at(const ScanArguments& a, int segment, int i, int k) {
  constexpr int kCount = count_of(kCarried);
  const int number = rank_of(kCarried, i) * kCount + rank_of(kCarried, k);
  return a.maps + ((segment - 1LL) * (kCount * (kCount + 1)) + number) * a.neurons;
}

// Where it has b[i].
template <unsigned kCarried>
POPSNN_DEVICE float* own_at(const ScanArguments& a, int segment, int i) {
  constexpr int kCount = count_of(kCarried);
  const int number = kCount * kCount + rank_of(kCarried, i);
  return a.maps + ((segment - 1LL) * (kCount * (kCount + 1)) + number) * a.neurons;
}

// The gradient of the states after a segment. kCarried: the states whose gradient before a step is
// not always zero; after the last step any may have one.
template <int kStates, int kVector, unsigned kCarried>
POPSNN_DEVICE void load_gradient(const ScanArguments& a, const Segment& segment,
                                 float (&grad)[kVector][kStates]) {
  if (segment.index == a.segments - 1) {
    load_states<kStates, kVector, true>(a.grad_final, segment.first, kVector, grad);
    return;
  }
#pragma unroll
  for (int j = 0; j < kVector; ++j) {
#pragma unroll
    for (int k = 0; k < kStates; ++k) grad[j][k] = 0.0f;
  }
  // The loads wait for nothing, so those of four segments are in flight together.
#pragma unroll 4
  for (int later = a.segments - 1; later > segment.index; --later) {
    float before[kStates][kVector];
#pragma unroll
    for (int i = 0; i < kStates; ++i) {
      if (!has(kCarried, i)) continue;
      load_each<kVector, true>(own_at<kCarried>(a, later, i) + segment.first, before[i], kVector);
#pragma unroll
      for (int k = 0; k < kStates; ++k) {
        if (!has(kCarried, k)) continue;
        float across[kVector];
        load_each<kVector, true>(across_at<kCarried>(a, later, i, k) + segment.first, across,
                                 kVector);
#pragma unroll
        for (int j = 0; j < kVector; ++j) {
          before[i][j] = fma(across[j], grad[j][k], before[i][j]);
        }
      }
    }
#pragma unroll
    for (int i = 0; i < kStates; ++i) {
      if (!has(kCarried, i)) continue;
#pragma unroll
      for (int j = 0; j < kVector; ++j) grad[j][i] = before[i][j];
    }
  }
}

}  // namespace popsnn
