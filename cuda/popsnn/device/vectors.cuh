// Vectors of a few neurons: how they lie in memory, and as floats in registers.
#pragma once

#include <popsnn/device/device.cuh>

namespace popsnn {

POPSNN_DEVICE constexpr int vector_alignment(int bytes) { return bytes > 16 ? 16 : bytes; }

// kBytes of memory that are loaded and stored as a vector, 16 bytes at a time at most.
template <int kBytes>
struct alignas(vector_alignment(kBytes)) Raw {
  unsigned words[kBytes / 4];
};

template <>
struct alignas(2) Raw<2> {
  unsigned short half;
};

template <class T, int kVector>
using Row = Raw<static_cast<int>(sizeof(T)) * kVector>;

POPSNN_DEVICE float unpack_scalar(unsigned bits, Bf16) { return bits_to_float(bits << 16); }
POPSNN_DEVICE float unpack_scalar(unsigned bits, Half) {
  return half_to_float(static_cast<unsigned short>(bits));
}

// Of a row in memory each word is loaded on its own: `row_at` loads it as a whole.
template <class T, int kVector>
POPSNN_DEVICE void unpack(const Row<T, kVector>& row, float (&values)[kVector]) {
  if constexpr (sizeof(T) == 4) {
#pragma unroll
    for (int j = 0; j < kVector; ++j) values[j] = bits_to_float(row.words[j]);
  } else if constexpr (kVector == 1) {
    values[0] = unpack_scalar(row.half, T{});
  } else {
#pragma unroll
    for (int j = 0; j < kVector; j += 2) {
      values[j] = unpack_scalar(row.words[j / 2] & 0xffffu, T{});
      values[j + 1] = unpack_scalar(row.words[j / 2] >> 16, T{});
    }
  }
}

// The row at `from`, which is aligned.
template <class T, int kVector>
POPSNN_DEVICE Row<T, kVector> row_at(const T* from) {
  return *reinterpret_cast<const Row<T, kVector>*>(from);
}

template <class T, int kVector>
POPSNN_DEVICE Row<T, kVector> pack_row(const float (&values)[kVector]) {
  Row<T, kVector> row;
  if constexpr (sizeof(T) == 4) {
#pragma unroll
    for (int j = 0; j < kVector; ++j) row.words[j] = float_to_bits(values[j]);
  } else if constexpr (kVector == 1) {
    row.half = static_cast<unsigned short>(pack(values[0], 0.0f, T{}));
  } else {
#pragma unroll
    for (int j = 0; j < kVector; j += 2) row.words[j / 2] = pack(values[j], values[j + 1], T{});
  }
  return row;
}

// Stores kVector values of type T. kWhole: `to` is aligned and all are there, else `count`.
template <class T, int kVector, bool kWhole>
POPSNN_DEVICE void store(T* to, const float (&values)[kVector], int count) {
  if constexpr (kWhole) {
    *reinterpret_cast<Row<T, kVector>*>(to) = pack_row<T, kVector>(values);
  } else {
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      const float scalar[1] = {values[j]};
      if (j < count) *reinterpret_cast<Row<T, 1>*>(to + j) = pack_row<T, 1>(scalar);
    }
  }
}

// Loads kVector values. kWhole: `from` is aligned to them, up to 16 bytes, and all are there, else
// `count`.
template <int kVector, bool kWhole>
POPSNN_DEVICE void load(const float* from, float (&values)[kVector], int count) {
  if constexpr (kWhole) {
    unpack<float, kVector>(row_at<float, kVector>(from), values);
  } else {
#pragma unroll
    for (int j = 0; j < kVector; ++j) values[j] = j < count ? from[j] : 0.0f;
  }
}

// The same of values anywhere, each on its own: a vector takes neighbouring registers, for which
// the widest kernel of an adaptive neuron over all steps spills others.
template <int kVector, bool kWhole>
POPSNN_DEVICE void load_each(const float* from, float (&values)[kVector], int count) {
#pragma unroll
  for (int j = 0; j < kVector; ++j) values[j] = kWhole || j < count ? from[j] : 0.0f;
}

}  // namespace popsnn
