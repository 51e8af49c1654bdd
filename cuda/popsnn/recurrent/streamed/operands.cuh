// The weights and messages of a chunk in shared memory, and their product by 8 warps. Each of these
// has the weights to its own 16 kRowTiles neurons of a tile, all have the same messages.
#pragma once

#include <popsnn/recurrent/streamed/taps.cuh>

namespace popsnn {

// kTransposed: the product is with the transpose of weight [to, from].
template <class Shape, bool kTransposed>
class StreamedOperands {
 public:
  using Accumulators = float (&)[Shape::kRowTiles][Shape::kSampleTiles][4];
  static constexpr int kBoxBytes = Shape::kDepth * 128;  // of kDepth senders to kDepth neurons

  // The offset of 16 bytes of a row of weights, whose vectors are permuted as the copy
  // engine does it in rows of 128 bytes.
  POPSNN_DEVICE static unsigned weight_offset(int row, int vector) {
    return row * 128 + ((vector ^ (row & 7)) << 4);
  }

  // Likewise of messages, whose rows are of 128 or of 64 bytes.
  POPSNN_DEVICE static unsigned message_offset(int plane, int sample, int vector) {
    const int other = kWide ? sample >> 1 & 3 : sample & 7;
    return (plane * Shape::kSamples + sample) * Shape::kMessageRow + ((vector ^ other) << 4);
  }

  // Adds the product of a stage of weights and one of messages.
  POPSNN_DEVICE static void multiply(unsigned weights, unsigned messages, Accumulators sums) {
#pragma unroll
    for (int k = 0; k < Shape::kDepth / 16; ++k) {
      Words4 weight[Shape::kRowTiles][Shape::kWeightPlanes];
#pragma unroll
      for (int row = 0; row < Shape::kRowTiles; ++row) read_weights(weights, row, k, weight[row]);
#pragma unroll
      for (int tile = 0; tile < Shape::kSampleTiles; tile += 2) {
        Words4 message[Shape::kPlanes];
#pragma unroll
        for (int plane = 0; plane < Shape::kPlanes; ++plane) {
          message[plane] = read_messages(messages, plane, tile, k);
        }
#pragma unroll
        for (int row = 0; row < Shape::kRowTiles; ++row) {
          add_products(weight[row], message, tile, sums[row]);
        }
      }
    }
  }

 private:
  static constexpr bool kWide = sizeof(typename Shape::W) == 4;

  // Adds the products of 16 neurons and 16 senders for two tiles of samples, `tile` and the next.
  //
  // Tensor cores cut off the bits of a sum that a float does not hold, so that long sums drift: of
  // 3,100 weights of float32 by 7e-5. They sum 16 of them, which an addition then rounds to the
  // rest.
  POPSNN_DEVICE static void add_products(const Words4 (&weight)[Shape::kWeightPlanes],
                                         const Words4 (&message)[Shape::kPlanes], int tile,
                                         float (&sums)[Shape::kSampleTiles][4]) {
    float part[2][4] = {};
#pragma unroll
    for (int i = 0; i < Shape::kWeightPlanes; ++i) {
#pragma unroll
      for (int plane = 0; plane < Shape::kPlanes && i + plane < 3; ++plane) {
#pragma unroll
        for (int h = 0; h < 2 && tile + h < Shape::kSampleTiles; ++h) {
          const unsigned b[2] = {message[plane].word[2 * h], message[plane].word[2 * h + 1]};
          multiply_tile(kWide ? part[h] : sums[tile + h], weight[i], b);
        }
      }
    }
    if constexpr (kWide) {
#pragma unroll
      for (int h = 0; h < 2 && tile + h < Shape::kSampleTiles; ++h) {
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[tile + h][j] += part[h][j];
      }
    }
  }

  // The operand of 16 of the warp's neurons and 16 senders, as `multiply_tile` takes it. In memory
  // neurons are rows and senders columns, transposed the reverse, in boxes of 128 bytes.
  POPSNN_DEVICE static void read_weights(unsigned stage, int row_tile, int k,
                                         Words4 (&operand)[Shape::kWeightPlanes]) {
    const int lane = thread_index() % 32;
    const int out = thread_index() / 32 * Shape::kWarpOuts + row_tile * 16;
    if constexpr (!kWide) {
      const int matrix = lane / 8;
      if constexpr (kTransposed) {
        const int row = k * 16 + matrix / 2 * 8 + lane % 8;
        const unsigned box = stage + out / Shape::kDepth * kBoxBytes;
        const int vector = out % Shape::kDepth / 8 + matrix % 2;
        operand[0] = load_matrices_transposed(box + weight_offset(row, vector));
      } else {
        const int row = out + matrix % 2 * 8 + lane % 8;
        operand[0] = load_matrices(stage + weight_offset(row, k * 2 + matrix / 2));
      }
    } else {
#pragma unroll
      for (int word = 0; word < 4; ++word) {
        const int neuron = out + word % 2 * 8 + lane / 4;
        const int sender = k * 16 + word / 2 * 8 + lane % 4 * 2;
        float x[2];
        if constexpr (kTransposed) {
          const unsigned box = stage + neuron / Shape::kDepth * kBoxBytes + neuron % 4 * 4;
          const int vector = neuron % Shape::kDepth / 4;
#pragma unroll
          for (int j = 0; j < 2; ++j)
            x[j] = load_shared_float(box + weight_offset(sender + j, vector));
        } else {
          load_shared_pair(stage + weight_offset(neuron, sender / 4) + sender % 4 * 4, x);
        }
        unsigned terms[3];
        split(x[0], x[1], terms);
#pragma unroll
        for (int i = 0; i < 3; ++i) operand[i].word[word] = terms[i];
      }
    }
  }

  // The operands of two tiles of samples, 2 words each; of the last tile alone, twice.
  POPSNN_DEVICE static Words4 read_messages(unsigned stage, int plane, int tile, int k) {
    const int lane = thread_index() % 32;
    const int matrix = lane / 8;
    const int second = tile + 1 < Shape::kSampleTiles ? matrix / 2 : 0;
    const int sample = (tile + second) * 8 + lane % 8;
    return load_matrices(stage + message_offset(plane, sample, k * 2 + matrix % 2));
  }
};

}  // namespace popsnn
