// Vectors of a few neurons: how they lie in memory, and as floats in registers.
#pragma once

#include <popsnn/device/device.cuh>

namespace popsnn {

POPSNN_DEVICE constexpr int vector_alignment(int bytes) { return bytes > 16 ? 16 : bytes; }

// kBytes of memory that move together, 16 at a time at most.
template <int kBytes>
struct alignas(vector_alignment(kBytes)) Raw {
  unsigned words[kBytes / 4];
};

template <>
struct alignas(2) Raw<2> {
  unsigned short half;
};

template <class T, int kLanes>
using Row = Raw<static_cast<int>(sizeof(T)) * kLanes>;

POPSNN_DEVICE float unpack_one(unsigned bits, Bf16) { return bits_to_float(bits << 16); }
POPSNN_DEVICE float unpack_one(unsigned bits, Half) {
  return half_to_float(static_cast<unsigned short>(bits));
}

template <class T, int kLanes>
POPSNN_DEVICE void unpack(const Row<T, kLanes>& row, float (&lanes)[kLanes]) {
  if constexpr (sizeof(T) == 4) {
#pragma unroll
    for (int j = 0; j < kLanes; ++j) lanes[j] = bits_to_float(row.words[j]);
  } else if constexpr (kLanes == 1) {
    lanes[0] = unpack_one(row.half, T{});
  } else {
#pragma unroll
    for (int j = 0; j < kLanes; j += 2) {
      lanes[j] = unpack_one(row.words[j / 2] & 0xffffu, T{});
      lanes[j + 1] = unpack_one(row.words[j / 2] >> 16, T{});
    }
  }
}

template <class T, int kLanes>
POPSNN_DEVICE Row<T, kLanes> pack_row(const float (&lanes)[kLanes]) {
  Row<T, kLanes> row;
  if constexpr (sizeof(T) == 4) {
#pragma unroll
    for (int j = 0; j < kLanes; ++j) row.words[j] = float_to_bits(lanes[j]);
  } else if constexpr (kLanes == 1) {
    row.half = static_cast<unsigned short>(pack(lanes[0], 0.0f, T{}));
  } else {
#pragma unroll
    for (int j = 0; j < kLanes; j += 2) row.words[j / 2] = pack(lanes[j], lanes[j + 1], T{});
  }
  return row;
}

// Stores kLanes values of type T. kWhole: `to` is aligned and all lanes are there, else `count`.
template <class T, int kLanes, bool kWhole>
POPSNN_DEVICE void store(T* to, const float (&lanes)[kLanes], int count) {
  if constexpr (kWhole) {
    *reinterpret_cast<Row<T, kLanes>*>(to) = pack_row<T, kLanes>(lanes);
  } else {
#pragma unroll
    for (int j = 0; j < kLanes; ++j) {
      const float one[1] = {lanes[j]};
      if (j < count) *reinterpret_cast<Row<T, 1>*>(to + j) = pack_row<T, 1>(one);
    }
  }
}

template <int kLanes, bool kWhole>
POPSNN_DEVICE void load(const float* from, float (&lanes)[kLanes], int count) {
  if constexpr (kWhole) {
    unpack<float, kLanes>(*reinterpret_cast<const Row<float, kLanes>*>(from), lanes);
  } else {
#pragma unroll
    for (int j = 0; j < kLanes; ++j) lanes[j] = j < count ? from[j] : 0.0f;
  }
}

}  // namespace popsnn
