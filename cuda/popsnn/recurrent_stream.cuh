// The product of weights that stream through shared memory and of messages: 8 warps, each with the
// weights to its own 16 kRowTiles neurons of a tile, all with the same messages.
#pragma once

#include <popsnn/recurrent_streamed.cuh>

namespace popsnn {

// The chunks of a block's tiles, one after the other, up in one step and down in the next.
class ChunkWalk {
 public:
  POPSNN_DEVICE ChunkWalk(int chunks, int tiles) : chunks_(chunks), last_(chunks * tiles - 1) {}

  POPSNN_DEVICE int tile() const { return at_ / chunks_; }
  POPSNN_DEVICE int chunk() const { return at_ % chunks_; }
  POPSNN_DEVICE bool up() const { return up_; }

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

  POPSNN_DEVICE WeightStream(const StreamedArguments& a, const StreamedTeam<Shape>& team)
      : a_(a),
        team_(team),
        weights_(shared_address(shared_memory()) + Shape::kFront),
        messages_(weights_ + Shape::kWeightStages * Shape::kWeightBytes),
        walk_(team.chunks, team.tiles(a.tiles)),
        ahead_(walk_) {
    for (int i = 0; i < Shape::kWeightStages - 1; ++i) {
      load_weights();
      commit_copies();
    }
  }

  // Of the next product.
  POPSNN_DEVICE int tile() const { return team_.team + walk_.tile() * team_.teams; }

  // Adds the product of the next tile's weights and of a step's messages, bf16 [planes, B, pitch].
  // The block must meet before the next one.
  POPSNN_DEVICE void multiply(const Bf16* messages, Accumulators sums) {
    ChunkWalk asked = walk_;
    const int chunks = team_.chunks;
    for (int i = 0; i < Shape::kMessageStages - 1; ++i) {
      if (i < chunks) {
        load_messages(messages, asked.chunk(), i);
        asked.advance();
      }
      commit_copies();
    }
    for (int i = 0; i < chunks; ++i) {
      // The last two groups of copies are of the messages of the next two chunks or came later.
      wait_for_copies<Shape::kMessageStages - 2>();
      wait_for_block();
      load_weights();
      if (i + Shape::kMessageStages - 1 < chunks) {
        load_messages(messages, asked.chunk(), i + Shape::kMessageStages - 1);
        asked.advance();
      }
      commit_copies();
      multiply_stage(weights_ + stage_ * Shape::kWeightBytes,
                     messages_ + i % Shape::kMessageStages * Shape::kMessageBytes, sums);
      stage_ = stage_ + 1 == Shape::kWeightStages ? 0 : stage_ + 1;
      walk_.advance();
    }
  }

 private:
  static constexpr int kRows = kTransposed ? Shape::kDepth : Shape::kOuts;
  static constexpr int kRowBytes = Shape::kWeightBytes / kRows;
  static constexpr bool kWide = sizeof(W) == 4;

  // Which 16 bytes of a row lie where, so that what a warp reads together is in different banks.
  POPSNN_DEVICE static int weight_piece(int row, int piece) {
    if (!kWide) return piece ^ (row & 7);
    return piece ^ (kTransposed ? row & 6 : (row & 3) << 1);
  }

  POPSNN_DEVICE static int message_piece(int sample, int piece) {
    return piece ^ (kWide ? sample >> 1 & 3 : sample & 7);
  }

  POPSNN_DEVICE void load_weights() {
    constexpr int kPieces = kRowBytes / 16;
    constexpr int kElements = 16 / static_cast<int>(sizeof(W));
    const int tile = (team_.team + ahead_.tile() * team_.teams) * Shape::kOuts;
    const int chunk = (team_.rank + ahead_.chunk() * a_.ranks) * Shape::kDepth;
    const int first_row = kTransposed ? chunk : tile;
    const int first_column = kTransposed ? tile : chunk;
    const W* weight = static_cast<const W*>(a_.weight);
    const unsigned stage = weights_ + ahead_stage_ * Shape::kWeightBytes;
#pragma unroll
    for (int i = 0; i < Shape::kWeightBytes / 16 / Shape::kThreads; ++i) {
      const int index = i * Shape::kThreads + thread_index();
      const int row = index / kPieces;
      const int piece = index % kPieces;
      const int column = first_column + piece * kElements;
      const bool there = first_row + row < a_.neurons && column < a_.pitch;
      const long long at = static_cast<long long>(first_row + row) * a_.pitch + column;
      copy_or_clear(stage + row * kRowBytes + weight_piece(row, piece) * 16,
                    weight + (there ? at : 0), there);
    }
    ahead_stage_ = ahead_stage_ + 1 == Shape::kWeightStages ? 0 : ahead_stage_ + 1;
    ahead_.advance();
  }

  POPSNN_DEVICE void load_messages(const Bf16* messages, int chunk, int count) const {
    constexpr int kPieces = Shape::kMessageRow / 16;
    const int first_column = (team_.rank + chunk * a_.ranks) * Shape::kDepth;
    const unsigned stage = messages_ + count % Shape::kMessageStages * Shape::kMessageBytes;
    for (int index = thread_index(); index < Shape::kPlanes * Shape::kSamples * kPieces;
         index += Shape::kThreads) {
      const int row = index / kPieces;
      const int piece = index % kPieces;
      const int sample = row % Shape::kSamples;
      const int column = first_column + piece * 8;
      const bool there = sample < a_.batch && column < a_.pitch;
      const long long at =
          row / Shape::kSamples * a_.plane + static_cast<long long>(sample) * a_.pitch + column;
      copy_or_clear(stage + row * Shape::kMessageRow + message_piece(sample, piece) * 16,
                    messages + (there ? at : 0), there);
    }
  }

  POPSNN_DEVICE void multiply_stage(unsigned weights, unsigned messages, Accumulators sums) const {
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
        for (int h = 0; h < 2 && tile + h < Shape::kSampleTiles; ++h) {
#pragma unroll
          for (int i = 0; i < Shape::kWeightPlanes; ++i) {
#pragma unroll
            for (int plane = 0; plane < Shape::kPlanes && i + plane < 3; ++plane) {
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

  // The operand of 16 of the warp's neurons and 16 senders, as `multiply_tile` takes it.
  POPSNN_DEVICE static void read_weights(unsigned stage, int row_tile, int k,
                                         Words4 (&operand)[Shape::kWeightPlanes]) {
    const int lane = thread_index() % 32;
    const int out = thread_index() / 32 * Shape::kWarpOuts + row_tile * 16;
    if constexpr (!kWide) {
      const int matrix = lane / 8;
      if constexpr (kTransposed) {
        const int row = k * 16 + matrix / 2 * 8 + lane % 8;
        const int piece = weight_piece(row, out / 8 + matrix % 2);
        operand[0] = load_matrices_transposed(stage + row * kRowBytes + piece * 16);
      } else {
        const int row = out + matrix % 2 * 8 + lane % 8;
        const int piece = weight_piece(row, k * 2 + matrix / 2);
        operand[0] = load_matrices(stage + row * kRowBytes + piece * 16);
      }
    } else {
#pragma unroll
      for (int word = 0; word < 4; ++word) {
        const int neuron = out + word % 2 * 8 + lane / 4;
        const int sender = k * 16 + word / 2 * 8 + lane % 4 * 2;
        float x[2];
        if constexpr (kTransposed) {
#pragma unroll
          for (int j = 0; j < 2; ++j) {
            const int piece = weight_piece(sender + j, neuron / 4);
            x[j] =
                load_shared_float(stage + (sender + j) * kRowBytes + piece * 16 + neuron % 4 * 4);
          }
        } else {
          const int piece = weight_piece(neuron, sender / 4);
          load_shared_pair(stage + neuron * kRowBytes + piece * 16 + sender % 4 * 4, x);
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
    const int row = plane * Shape::kSamples + sample;
    const int piece = message_piece(sample, k * 2 + matrix % 2);
    return load_matrices(stage + row * Shape::kMessageRow + piece * 16);
  }

  const StreamedArguments& a_;
  const StreamedTeam<Shape>& team_;
  unsigned weights_;   // their stages in shared memory
  unsigned messages_;  // likewise
  ChunkWalk walk_;
  ChunkWalk ahead_;  // of the copies
  int stage_ = 0;
  int ahead_stage_ = 0;
};

}  // namespace popsnn
