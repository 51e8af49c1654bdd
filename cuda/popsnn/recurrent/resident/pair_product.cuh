// The product of gradients and weights in pairs of blocks: the work of the product warps.
#pragma once

#include <popsnn/recurrent/resident/pair.cuh>
#include <popsnn/recurrent/resident/pair_messages.cuh>

namespace popsnn {

// Staging of the weights of a pair's blocks in shared memory, for the product warps' registers.

// `weight` is Sixteen [N, N rounded up to 8]. In shared memory, where partial sums come later, a
// sender's are a row: of each tile the even neurons, then the odd neurons. The senders of a unit
// are in the order in which matrices of 8 x 8 are made of them, which avoids bank conflicts.
template <class Shape>
class PairWeights {
 public:
  POPSNN_DEVICE PairWeights(const RecurrentArguments& a, int block)
      : a_(a),
        rank_(block % 2),
        column_(block / 2 * (16 * Shape::kTiles)),
        start_(shared_address(shared_memory() + 512)) {}

  // By all threads of the block.
  POPSNN_DEVICE void bring() const {
    const int units = (Shape::units(a_.neurons) + 1 - rank_) / 2;
    const int slices = units * (Shape::kUnit * Shape::kTiles);
    for (int begin = thread_index(); begin < slices; begin += kBatch * Shape::kThreads) {
      Words4 x[kBatch][2];
#pragma unroll
      for (int b = 0; b < kBatch; ++b) load(begin + b * Shape::kThreads, x[b]);
#pragma unroll
      for (int b = 0; b < kBatch; ++b) {
        const int slice = begin + b * Shape::kThreads;
        if (slice < slices) store(slice, x[b]);
      }
    }
  }

  // Of a tile and half of the senders of the block's n-th unit, as `multiply_tile` takes them: rows
  // g and g + 8 are neighbours, columns 2 c, 2 c + 1, 2 c + 8 and 2 c + 9 the neighbours 8 c + 4
  // half and the three behind it.
  POPSNN_DEVICE Words4 take(int n, int half, int tile) const {
    const int lane = thread_index() % 32;
    const int row = n * Shape::kUnit + half * 16 + lane / 16 * 8 + lane % 8;
    return load_matrices_transposed(
        start_ + static_cast<unsigned>(row * kRow + tile * 32 + lane / 8 % 2 * 16));
  }

 private:
  static constexpr int kBatch = 4;  // loads in flight together, of twice 16 bytes
  static constexpr int kRow = Shape::kWeightRow;

  POPSNN_DEVICE void load(int slice, Words4 (&x)[2]) const {
    const int sender = of(slice / Shape::kTiles);
    const int column = column_ + slice % Shape::kTiles * 16;
    const int pitch = (a_.neurons + 7) / 8 * 8;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const bool there = sender < a_.neurons && column + 8 * i < pitch;
      const int at = there ? sender * pitch + column + 8 * i : 0;
      x[i] = *reinterpret_cast<const Words4*>(static_cast<const Sixteen*>(a_.weight) + at);
#pragma unroll
      for (unsigned& word : x[i].word) word = there ? word : 0u;
    }
  }

  POPSNN_DEVICE void store(int slice, const Words4 (&x)[2]) const {
    const int row = slice / Shape::kTiles;
    const int within = row % Shape::kUnit;  // 8 c + 4 half + 2 q + e
    const int position = within / 2 % 4 * 8 + within / 8 * 2 + within % 2;
    const unsigned to = start_ + static_cast<unsigned>((row - within + position) * kRow +
                                                       slice % Shape::kTiles * 32);
    Words4 even;
    Words4 odd;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const unsigned first = x[j / 2].word[j % 2 * 2];
      const unsigned second = x[j / 2].word[j % 2 * 2 + 1];
      even.word[j] = (first & 0xffffu) | second << 16;
      odd.word[j] = first >> 16 | (second & 0xffff0000u);
    }
    store_shared(to, even);
    store_shared(to + 16, odd);
  }

  // The sender of a row: every other unit is the block's.
  POPSNN_DEVICE int of(int row) const {
    const int unit = row / Shape::kUnit;
    return row + (unit + rank_) * Shape::kUnit;
  }

  const RecurrentArguments& a_;
  int rank_;
  int column_;
  unsigned start_;
};

// A warp has every kProductWarps-th of its block's units.
template <class Shape>
class PairProduct {
 public:
  // Loads the weights, which all threads staged.
  POPSNN_DEVICE PairProduct(const RecurrentArguments& a, int block)
      : a_(a), warp_(in_register(thread_index() / 32)), first_(block % 2 + 2 * warp_) {
    constexpr int kApart = 2 * Shape::kProductWarps;
    const int left = (Shape::units(a.neurons) - first_ + kApart - 1) / kApart;
    count_ = left < 1 ? 1 : left < Shape::kUnits ? left : Shape::kUnits;
    const PairWeights<Shape> weights(a, block);
#pragma unroll
    for (int i = 0; i < Shape::kUnits; ++i) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
#pragma unroll
        for (int tile = 0; tile < Shape::kTiles; ++tile) {
          weight_[i][half][tile] = {};
          if (i < left) {
            weight_[i][half][tile] = weights.take(warp_ + i * Shape::kProductWarps, half, tile);
          }
        }
      }
    }
  }

  // Items are a step's groups, step after step; those from `begin` on have messages.
  POPSNN_DEVICE void run(int begin) {
    const RecurrentShared<Shape> shared;
    const int groups = Shape::groups(a_.batch);
    const int items = a_.steps * groups;
    if (begin == items) return;
    const int copied = groups > 1 ? items - begin : 0;
    GradientMessages<Shape> messages(a_, begin, first_, count_, warp_, copied);
    Ring<Shape::kBuffers> buffers(shared.barriers());
    const int lane = Shape::kCopiesLate ? in_register(thread_index() % 32) : thread_index() % 32;
    for (int item = begin; item < items; ++item) {
      if (groups == 1) {
        wait_for_phase(shared.published(), (item - begin) % 2);
        wait_clocks(kFirstPoll);
        messages.request();
      }
      messages.take(a_);
      if (!Shape::kCopiesLate) messages.go_on();
      const bool empty = buffers.is_empty();  // which is known when the sums are
      float sum[Shape::kTiles][4] = {};
#pragma unroll
      for (int i = 0; i < Shape::kUnits; ++i) {
        if (!Shape::kInParts && i > 0 && i >= count_) break;  // units of parts are 0 where none is
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          unsigned b[2];
          messages.operand(i, half, b);
#pragma unroll
          for (int tile = 0; tile < Shape::kTiles; ++tile) {
            multiply_tile(sum[tile], weight_[i][half][tile], b);
          }
        }
        if (Shape::kDepth == 0 && groups > 1 && item + 1 < items) messages.request(i);
      }
      shared.hand_over(buffers, warp_, sum, empty, lane);
      if (Shape::kCopiesLate) messages.go_on();
    }
  }

 private:
  const RecurrentArguments& a_;
  int warp_;
  int first_;  // unit
  int count_;
  Words4 weight_[Shape::kUnits][2][Shape::kTiles];
};

}  // namespace popsnn
