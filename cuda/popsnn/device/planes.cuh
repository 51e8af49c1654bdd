// Numbers of float32 as sums of up to three of bfloat16, which tensor cores multiply.
#pragma once

#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kPlanesThreads = 256;
constexpr int kPlanesOfFloat = 3;  // 24 bits of a float, 8 of each; two have TF32's 11 and more

struct PlanesArguments {
  const float* from;  // [count], 16 bytes aligned
  Bf16* to;           // [planes, count], 8 bytes aligned
  long long count;    // a multiple of 4
  int planes;         // kPlanesOfFloat, or fewer
};

// A thread has 4 neighbours. A plane has what the planes before it leave, rounded.
POPSNN_DEVICE void split_planes(const PlanesArguments& a) {
  const long long at =
      4 * (static_cast<long long>(block_index()) * kPlanesThreads + thread_index());
  if (at >= a.count) return;
  float left[4];
  load<4, true>(a.from + at, left, 4);
#pragma unroll
  for (int i = 0; i < kPlanesOfFloat; ++i) {
    if (i == a.planes) return;
    const Row<Bf16, 4> row = pack_row<Bf16, 4>(left);
    *reinterpret_cast<Row<Bf16, 4>*>(a.to + i * a.count + at) = row;
    float rounded[4];
    unpack<Bf16, 4>(row, rounded);
#pragma unroll
    for (int j = 0; j < 4; ++j) left[j] -= rounded[j];
  }
}

}  // namespace popsnn
