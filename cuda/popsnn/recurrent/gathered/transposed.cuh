// Weights [to, from] as [from, to], of another type where that is wanted.
#pragma once

#include <popsnn/device/block.cuh>
#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kTransposedTile = 64;
constexpr int kTransposedThreads = 256;

struct TransposedArguments {
  const void* from;  // [N, N]
  void* to;          // [N, pitch], zeros beyond N
  int neurons;       // N
  int pitch;
};

// A block has a tile of both matrices, element by element.
template <class From, class To>
POPSNN_DEVICE void transposed(const TransposedArguments& a) {
  constexpr int kRow = kTransposedTile + 1;
  auto* tile = reinterpret_cast<float*>(shared_memory());
  const int tiles = (a.pitch + kTransposedTile - 1) / kTransposedTile;
  const int to = static_cast<int>(block_index() % tiles) * kTransposedTile;
  const int from = static_cast<int>(block_index() / tiles) * kTransposedTile;
  const int column = thread_index() % kTransposedTile;
  const int row = thread_index() / kTransposedTile;
  constexpr int kRows = kTransposedThreads / kTransposedTile;
#pragma unroll
  for (int i = row; i < kTransposedTile; i += kRows) {
    float x[1] = {0.0f};
    if (to + i < a.neurons && from + column < a.neurons) {
      const long long at = static_cast<long long>(to + i) * a.neurons + from + column;
      unpack<From, 1>(*reinterpret_cast<const Row<From, 1>*>(static_cast<const From*>(a.from) + at),
                      x);
    }
    tile[i * kRow + column] = x[0];
  }
  sync_block();
#pragma unroll
  for (int i = row; i < kTransposedTile; i += kRows) {
    if (from + i >= a.neurons || to + column >= a.pitch) continue;
    const float x[1] = {tile[column * kRow + i]};
    const long long at = static_cast<long long>(from + i) * a.pitch + to + column;
    store<To, 1, true>(static_cast<To*>(a.to) + at, x, 1);
  }
}

// The same of 16 bits and an even N, two by two: half of the time.
POPSNN_DEVICE void transposed_pairs(const TransposedArguments& a) {
  constexpr int kWords = kTransposedTile / 2;
  constexpr int kRow = kWords + 1;
  constexpr int kRows = kTransposedThreads / kWords;
  auto* tile = reinterpret_cast<unsigned*>(shared_memory());
  const int tiles = (a.pitch + kTransposedTile - 1) / kTransposedTile;
  const int to = static_cast<int>(block_index() % tiles) * kTransposedTile;
  const int from = static_cast<int>(block_index() / tiles) * kTransposedTile;
  const int word = thread_index() % kWords;
  const int row = thread_index() / kWords;
#pragma unroll
  for (int i = row; i < kWords; i += kRows) {  // rows 2 i and 2 i + 1, columns 2 word and on
    unsigned x[2] = {};
    if (to + 2 * i < a.neurons && from + 2 * word < a.neurons) {
      const long long at = static_cast<long long>(to + 2 * i) * a.neurons + from + 2 * word;
      const auto* first = static_cast<const Bf16*>(a.from) + at;
      x[0] = *reinterpret_cast<const unsigned*>(first);
      x[1] = *reinterpret_cast<const unsigned*>(first + a.neurons);
    }
    tile[2 * word * kRow + i] = (x[0] & 0xffffu) | x[1] << 16;
    tile[(2 * word + 1) * kRow + i] = x[0] >> 16 | (x[1] & 0xffff0000u);
  }
  sync_block();
#pragma unroll
  for (int i = row; i < kTransposedTile; i += kRows) {
    if (from + i >= a.neurons || to + 2 * word >= a.pitch) continue;
    const long long at = static_cast<long long>(from + i) * a.pitch + to + 2 * word;
    *reinterpret_cast<unsigned*>(static_cast<Bf16*>(a.to) + at) = tile[i * kRow + word];
  }
}

}  // namespace popsnn
