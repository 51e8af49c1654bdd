// Weights and messages stream through shared memory: two threads have the copy engine copy them,
// the messages as others publish them, and 8 warps multiply. Each of these has the weights to its
// own 16 kRowTiles neurons of a tile, all have the same messages.
#pragma once

#include <popsnn/recurrent/streamed/streamed.cuh>

namespace popsnn {

// The chunks of a block's tiles in sequence, upwards in a step and downwards in the next.
class ChunkWalk {
 public:
  POPSNN_DEVICE ChunkWalk(int chunks, int tiles) : chunks_(chunks), last_(chunks * tiles - 1) {}

  POPSNN_DEVICE int tile() const { return at_ / chunks_; }
  POPSNN_DEVICE int chunk() const { return at_ % chunks_; }
  POPSNN_DEVICE int count() const { return last_ + 1; }

  POPSNN_DEVICE void advance() {
    if (at_ == (up_ ? last_ : 0)) {
      up_ = !up_;
    } else {
      at_ += up_ ? 1 : -1;
    }
  }

 private:
  int chunks_;
  int last_;
  int at_ = 0;
  bool up_ = true;
};

// kTransposed: the product is with the transpose of weight [to, from].
template <class Shape, bool kTransposed>
class WeightStream {
 public:
  using W = typename Shape::W;
  using Accumulators = float (&)[Shape::kRowTiles][Shape::kSampleTiles][4];

  // By all threads.
  POPSNN_DEVICE WeightStream(const StreamedMaps& maps, const StreamedArguments& a,
                             const StreamedTeam<Shape>& team)
      : maps_(maps),
        a_(a),
        team_(team),
        weights_(shared_address(shared_memory()) + Shape::kFront),
        messages_(weights_ + Shape::kWeightStages * Shape::kWeightBytes),
        weight_ring_(weights_ - Shape::kFront + 16),
        message_ring_(weights_ - Shape::kFront + 16 + 16 * Shape::kWeightStages),
        walk_(team.chunks, team.tiles(a.tiles)) {
    if (thread_index() == 0) {
      weight_ring_.make(1, Shape::kWarps);
      message_ring_.make(1, Shape::kWarps);
      publish_barriers();
    }
    sync_block();
  }

  // By one thread.
  POPSNN_DEVICE void copy_weights() {
    for (int left = (a_.steps - a_.first_step) * walk_.count(); left > 0; --left) {
      const unsigned to = weights_ + weight_ring_.stage() * Shape::kWeightBytes;
      const int out = tile() * Shape::kOuts;
      const int sender = chunk() * Shape::kDepth;
      weight_ring_.wait_until_empty();
      arrive_with(weight_ring_.full(), Shape::kWeightBytes);
      if constexpr (kTransposed) {
#pragma unroll
        for (int box = 0; box < Shape::kOuts / Shape::kDepth; ++box) {
          copy_box(to + box * kBoxBytes, maps_.weights, sender, out + box * Shape::kDepth,
                   weight_ring_.full());
        }
      } else {
        copy_box(to, maps_.weights, out, sender, weight_ring_.full());
      }
      weight_ring_.advance();
      walk_.advance();
    }
  }

  // By one thread: `cells.row` is the first sample's row of a step's messages in their map.
  template <class Cells>
  POPSNN_DEVICE void copy_messages(const Cells& cells) {
    for (int step = a_.first_step; step < a_.steps; ++step) {
      if (step > 0) {
        wait_for_arrivals(a_, a_.arrivals, static_cast<unsigned>(a_.blocks()) * step);
        see_in_copies();
      }
      const MatrixMap& map = step > 0 ? maps_.messages : maps_.before;
      for (int left = walk_.count(); left > 0; --left) {
        const unsigned to = messages_ + message_ring_.stage() * Shape::kMessageBytes;
        message_ring_.wait_until_empty();
        arrive_with(message_ring_.full(), Shape::kMessageBytes);
#pragma unroll
        for (int plane = 0; plane < Shape::kPlanes; ++plane) {
          copy_box(to + plane * (Shape::kMessageBytes / Shape::kPlanes), map,
                   plane * a_.plane_rows + cells.row(step), chunk() * Shape::kDepth,
                   message_ring_.full());
        }
        message_ring_.advance();
        walk_.advance();
      }
    }
  }

  // Of the next product, or of the next copy.
  POPSNN_DEVICE int tile() const { return team_.team + walk_.tile() * team_.teams; }

  // Adds the product of the next tile's weights and messages; by the 8 warps.
  //
  // A stage is released behind the wait for the next one, when the tensor cores have taken all that
  // was loaded from it. Released at the end of its own product, the arrival overtook the last loads
  // of it where memory was busy, and the copy engine overwrote their weights: with 8 tiles of
  // samples, whose compiled code used the last operand behind the arrival, one forward pass of 250
  // was wrong on an H200 that other processes used too.
  POPSNN_DEVICE void multiply(Accumulators sums) {
    unsigned weights_empty = 0;
    unsigned messages_empty = 0;
    for (int left = team_.chunks; left > 0; --left) {
      weight_ring_.wait_until_full();
      message_ring_.wait_until_full();
      if (left < team_.chunks) release(weights_empty, messages_empty);
      multiply_stage(weights_ + weight_ring_.stage() * Shape::kWeightBytes,
                     messages_ + message_ring_.stage() * Shape::kMessageBytes, sums);
      weights_empty = weight_ring_.empty();
      messages_empty = message_ring_.empty();
      weight_ring_.advance();
      message_ring_.advance();
      walk_.advance();
    }
    if (team_.chunks > 0) release(weights_empty, messages_empty);
  }

 private:
  static constexpr bool kWide = sizeof(W) == 4;
  static_assert(Shape::kWeightStages > 1 && Shape::kMessageStages > 1);  // one is kept meanwhile
  static constexpr int kBoxBytes = Shape::kDepth * 128;  // of kDepth senders to kDepth neurons

  POPSNN_DEVICE int chunk() const { return team_.rank + walk_.chunk() * a_.ranks; }

  POPSNN_DEVICE static void release(unsigned weights_empty, unsigned messages_empty) {
    sync_warp();
    if (thread_index() % 32 == 0) {
      arrive(weights_empty);
      arrive(messages_empty);
    }
  }

  // The offset of 16 bytes of a row of weights, in the copy engine's swizzle of rows of 128 bytes.
  POPSNN_DEVICE static unsigned weight_offset(int row, int vector) {
    return row * 128 + ((vector ^ (row & 7)) << 4);
  }

  // Likewise of messages, whose rows are of 128 or of 64 bytes.
  POPSNN_DEVICE static unsigned message_offset(int plane, int sample, int vector) {
    const int other = kWide ? sample >> 1 & 3 : sample & 7;
    return (plane * Shape::kSamples + sample) * Shape::kMessageRow + ((vector ^ other) << 4);
  }

  POPSNN_DEVICE static void multiply_stage(unsigned weights, unsigned messages, Accumulators sums) {
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
        for (int i = 0; i < Shape::kWeightPlanes; ++i) {
#pragma unroll
          for (int plane = 0; plane < Shape::kPlanes && i + plane < 3; ++plane) {
#pragma unroll
            for (int h = 0; h < 2 && tile + h < Shape::kSampleTiles; ++h) {
              const unsigned b[2] = {message[plane].word[2 * h], message[plane].word[2 * h + 1]};
#pragma unroll
              for (int row = 0; row < Shape::kRowTiles; ++row) {
                multiply_tile(sums[row][tile + h], weight[row][i], b);
              }
            }
          }
        }
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

  const StreamedMaps& maps_;
  const StreamedArguments& a_;
  const StreamedTeam<Shape>& team_;
  unsigned weights_;   // their stages in shared memory
  unsigned messages_;  // likewise
  Ring<Shape::kWeightStages> weight_ring_;
  Ring<Shape::kMessageStages> message_ring_;
  ChunkWalk walk_;
};

}  // namespace popsnn
