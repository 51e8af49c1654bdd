// Spikes to bits and back. A thread has the 8 neurons of a byte; every step begins a new byte.
#pragma once

#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kBitThreads = 256;

struct SpikeBitsArguments {
  void* spikes;         // [T, N], 0 or 1
  unsigned char* bits;  // [T, ceil(N / 8)], lowest bit first
  long long steps;      // T
  long long neurons;    // N
};

// A thread's byte and its neurons. kWhole: N is a multiple of 8 and memory is aligned.
template <bool kWhole>
struct ByteIndex {
  long long byte;
  long long first;
  int count;

  POPSNN_DEVICE explicit ByteIndex(const SpikeBitsArguments& a)
      : byte(block_index() * kBitThreads + thread_index()), first(8 * byte), count(8) {
    const long long row_bytes = (a.neurons + 7) / 8;
    if (byte >= a.steps * row_bytes) {
      count = 0;
    } else if constexpr (!kWhole) {
      const long long step = byte / row_bytes;
      const long long within = 8 * (byte - step * row_bytes);
      first = step * a.neurons + within;
      if (a.neurons - within < 8) count = static_cast<int>(a.neurons - within);
    }
  }
};

template <class T, bool kWhole>
POPSNN_DEVICE void unpack_spikes(const SpikeBitsArguments& a) {
  const ByteIndex<kWhole> index(a);
  if (index.count == 0) return;
  const unsigned bits = a.bits[index.byte];
  float values[8];
#pragma unroll
  for (int j = 0; j < 8; ++j) values[j] = (bits >> j & 1u) != 0 ? 1.0f : 0.0f;
  store<T, 8, kWhole>(static_cast<T*>(a.spikes) + index.first, values, index.count);
}

template <class T, bool kWhole>
POPSNN_DEVICE void pack_spikes(const SpikeBitsArguments& a) {
  const ByteIndex<kWhole> index(a);
  if (index.count == 0) return;
  const T* spikes = static_cast<const T*>(a.spikes) + index.first;
  unsigned bits = 0;
  if constexpr (kWhole) {
    float values[8];
    unpack<T, 8>(row_at<T, 8>(spikes), values);
#pragma unroll
    for (int j = 0; j < 8; ++j) bits |= static_cast<unsigned>(values[j] != 0.0f) << j;
  } else {
    for (int j = 0; j < index.count; ++j) {
      float scalar[1];
      unpack<T, 1>(*reinterpret_cast<const Row<T, 1>*>(spikes + j), scalar);
      bits |= static_cast<unsigned>(scalar[0] != 0.0f) << j;
    }
  }
  a.bits[index.byte] = static_cast<unsigned char>(bits);
}

}  // namespace popsnn
