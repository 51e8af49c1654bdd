// The product of currents.cuh, of weights rounded to bfloat16: the tensor cores add up the rows of
// neurons that fired, so that shared memory is the bound and not the unpacking of 16-bit numbers.
//
// A block holds 64 bytes of each input's row, 32 neurons, in shared memory, and a row of zeros
// behind the last input. A warp processes four lists at once: one load has the rows of two
// ids of each as two stacked matrices, [16, 16], with the neurons of a chunk of 8 along the first
// dimension and (id, chunk) along the second. Their product with a matrix of zeros and ones
// adds each chunk to the sums of its list, [16, 8]. A list that has ended continues with zeros.
#pragma once

#include <popsnn/device/hopper.cuh>
#include <popsnn/device/vectors.cuh>
#include <popsnn/events/arguments.cuh>

namespace popsnn {

constexpr int kProductThreads = 1024;

// kAligned: four ids of a list are an aligned load, as are four weights of a row.
template <bool kAligned>
struct EventProducts {
  static constexpr int kRowBytes = 64;
  static constexpr int kSlice = 32;        // neurons
  static constexpr int kNeuronChunks = 4;  // chunks of 8 neurons
  static constexpr int kLists = 4;         // of a warp at once
  static constexpr int kTurn = 8;          // ids of each list that follow each other
  static constexpr int kWarps = kProductThreads / 32;

  const EventCurrentsArguments& a;
  unsigned char* slice;  // [inputs + 1][kNeuronChunks][8] of bfloat16
  const int lane = thread_index() % 32;

  // The neuron of the slice that is element j of a chunk: neighbouring neurons are in neighbouring
  // chunks, so that a lane gets two neighbours.
  POPSNN_DEVICE static int neuron_at(int chunk, int j) {
    return 16 * (chunk / 2) + 2 * j + chunk % 2;
  }

  POPSNN_DEVICE void load_four(int neuron, int input, float (&four)[4]) const {
    const int left = neuron < a.neurons ? a.inputs - input : 0;
    const float* from = a.weight + static_cast<long long>(neuron) * a.inputs + input;
    if (kAligned && left > 0) {
      load<4, true>(from, four, 4);
    } else {
      load<4, false>(from, four, left);
    }
  }

  // Rounds the weights of neurons `first`, ... of all inputs into shared memory.
  POPSNN_DEVICE void load_slice(int first) const {
    sync_block();  // all threads are done with the slice before
    const int rows = a.inputs + 1;
    for (int i = thread_index(); i < (rows + 3) / 4 * kNeuronChunks; i += kProductThreads) {
      const int chunk = i % kNeuronChunks;
      const int input = i / kNeuronChunks * 4;
      float weights[8][4];
#pragma unroll
      for (int j = 0; j < 8; ++j) load_four(first + neuron_at(chunk, j), input, weights[j]);
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        float values[8];
#pragma unroll
        for (int j = 0; j < 8; ++j) values[j] = weights[j][k];
        if (input + k >= rows) continue;
        auto* to = reinterpret_cast<Row<Bf16, 8>*>(slice + (input + k) * kRowBytes);
        to[chunk] = pack_row<Bf16, 8>(values);
      }
    }
    sync_block();
  }

  // Four ids of a list from index `k` on; those behind the last id are arbitrary.
  POPSNN_DEVICE void load_ids(const int* list, int k, int fired, int (&ids)[4]) const {
    if constexpr (kAligned) {
      if (k < fired) {
        const Raw<16> four = *reinterpret_cast<const Raw<16>*>(list + k);
#pragma unroll
        for (int j = 0; j < 4; ++j) ids[j] = static_cast<int>(four.words[j]);
      }
    } else {
#pragma unroll
      for (int j = 0; j < 4; ++j) ids[j] = k + j < fired ? list[k + j] : 0;
    }
  }

  // Adds up the rows of lists first, ..., first + 3, of which those before `end` are there.
  POPSNN_DEVICE void add_lists(unsigned rows, int first, int end, const unsigned (&ones)[2],
                               float (&sum)[4]) const {
    // This lane has the address of row (id, chunk) of one of the four matrices of a load.
    const int matrix = lane / 8;
    const int list = first + matrix % 2 * 2 + lane % 8 / kNeuronChunks;
    const unsigned base = rows + lane % kNeuronChunks * 16;
    const int fired = list < end ? a.counts[2 * list] : 0;
    const int* ids = a.ids + static_cast<long long>(list < end ? list : first) * a.capacity;
    int k = matrix / 2 * 4;
    int now[4] = {};
    load_ids(ids, k, fired, now);
    while (!all(k - matrix / 2 * 4 >= fired)) {
      int next[4] = {};
      load_ids(ids, k + kTurn, fired, next);
      Words4 chunks[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int id = k + j < fired ? now[j] : a.inputs;
        chunks[j] = load_matrices_transposed(base + id * kRowBytes);
      }
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        multiply_tile(sum, chunks[j], ones, Bf16{});
        now[j] = next[j];
      }
      k += kTurn;
    }
  }

  // Lane 4 g + c has elements g of two chunks, of a list and of the list two further.
  POPSNN_DEVICE void store_sums(int neurons, int first, int end, const float (&sum)[4]) const {
    const int column = lane % 4;
    const int neuron = neurons + neuron_at(column % 2 * 2, lane / 4);
    if (neuron >= a.padded) return;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int list = first + 2 * half + column / 2;
      if (list >= end) continue;
      const float pair[2] = {sum[2 * half], sum[2 * half + 1]};
      float* to = a.out + static_cast<long long>(list) * a.padded + neuron;
      store<float, 2, true>(to, pair, 2);
    }
  }

  POPSNN_DEVICE void run() {
    // [16, 8]: 1 where the second dimension of both is the same chunk, of either id.
    const int column = lane / 4;
    const unsigned low = 2 * (lane % 4) == column ? 0x3f80u : 0u;
    const unsigned high = 2 * (lane % 4) + 1 == column ? 0x3f800000u : 0u;
    const unsigned ones[2] = {low | high, low | high};
    const unsigned rows = shared_address(slice);
    const int slices = (a.neurons + kSlice - 1) / kSlice;
    const int quads = (a.lists + kLists - 1) / kLists;
    const long long work = static_cast<long long>(slices) * quads;
    const long long end = work * (block_index() + 1) / a.blocks;
    for (long long at = work * block_index() / a.blocks; at < end;) {
      const int number = static_cast<int>(at / quads);
      const int from = static_cast<int>(at - static_cast<long long>(number) * quads);
      const int to = end - at < quads - from ? from + static_cast<int>(end - at) : quads;
      load_slice(number * kSlice);
      for (int quad = from + thread_index() / 32; quad < to; quad += kWarps) {
        float sum[4] = {};
        add_lists(rows, kLists * quad, a.lists, ones, sum);
        store_sums(number * kSlice, kLists * quad, a.lists, sum);
      }
      at += to - from;
    }
  }
};

template <bool kAligned>
POPSNN_DEVICE void event_products(const EventCurrentsArguments& a) {
  EventProducts<kAligned>{a, shared_memory()}.run();
}

}  // namespace popsnn
