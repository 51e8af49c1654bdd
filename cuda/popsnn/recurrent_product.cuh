// The product of messages and weights: what the product warps do.
#pragma once

#include <popsnn/recurrent_weights.cuh>

namespace popsnn {

// Items are a step's groups, step after step; those from `begin` on have messages.
template <class Shape, class Messages, class W, bool kTransposed>
class RecurrentProduct {
 public:
  // Takes the weights; all warps of the block then meet.
  POPSNN_DEVICE RecurrentProduct(const RecurrentArguments& a, const RecurrentTeam<Shape>& team)
      : a_(a), team_(team), warp_(held(thread_index() / 32)) {
    const int left = (team.quads - team.rank - Shape::kRanks * warp_ + kApart - 1) / kApart;
    count_ = left < 0 ? 0 : left < Shape::kQuads ? left : Shape::kQuads;
    const StagedWeights<Shape, Messages, W, kTransposed> staged(a, team);
#pragma unroll
    for (int i = 0; i < Shape::kQuads; ++i) {
      if (i >= count_) break;
      const int quad = warp_ + i * Shape::kProductWarps;
#pragma unroll
      for (int k = 0; k < Shape::kBlocks; ++k) {
#pragma unroll
        for (int out = 0; out < Shape::kOuts; ++out) {
          if constexpr (!kTransposed) {
            staged.take(quad, k, out, weight_[i][k][out]);
          } else if (out % 2 == 0) {
            staged.take_transposed(quad, k, out, weight_[i][k][out], weight_[i][k][out + 1]);
          }
        }
      }
    }
  }

  POPSNN_DEVICE void run(int begin) {
    const RecurrentShared<Shape> shared;
    const bool first = thread_index() % 32 == 0;
    const int items = a_.steps * a_.groups();
    if (count_ == 0 || begin == items) return;
    Messages messages(a_, begin, team_.rank + Shape::kRanks * warp_, count_);
    Ring<Shape::kBuffers> buffers(shared.barriers());
    for (int item = begin; item < items; ++item) {
      // Others publish when this block does. Before, to look for it would only take bandwidth.
      if (a_.groups() == 1) wait_for_phase(shared.published(), (item - begin) % 2);
      messages.take(a_);
      const bool last = item + 1 == items;
#pragma unroll
      for (int part = 0; part < kParts; ++part) {
        float sum[kPart][4] = {};
        multiply(messages, part, last, sum);
        // Before each part, as a branch between them keeps the compiler from working on several at
        // once, for which registers do not suffice.
        buffers.wait_until_empty();
#pragma unroll
        for (int tile = 0; tile < kPart; ++tile) {
          store_shared(shared.partial(buffers.stage(), warp_, part * kPart + tile), sum[tile]);
        }
      }
      wait_for_warp();
      if (first) arrive(buffers.full());
      buffers.advance();
    }
  }

 private:
  static constexpr int kApart = Shape::kRanks * Shape::kProductWarps;
  // Tiles whose sums a warp has at once.
  static constexpr int kPart = Shape::kTiles;
  static constexpr int kParts = Shape::kOuts / kPart;

  // Adds the products of a part of the tiles.
  POPSNN_DEVICE void multiply(Messages& messages, int part, bool last,
                              float (&sum)[kPart][4]) const {
#pragma unroll
    for (int i = 0; i < Shape::kQuads; ++i) {
      if (i > 0 && i >= count_) break;
#pragma unroll
      for (int k = 0; k < Shape::kBlocks; ++k) {
        const Words4 operand = messages.operand(i, k);
#pragma unroll
        for (int tile = 0; tile < kPart; ++tile) {
          multiply_tile(sum[tile], operand, weight_[i][k][part * kPart + tile]);
        }
        if (part == kParts - 1 && !last) messages.done(i, k);
      }
    }
  }

  const RecurrentArguments& a_;
  const RecurrentTeam<Shape>& team_;
  int warp_;
  int count_;  // of the warp's quads
  unsigned weight_[Shape::kQuads][Shape::kBlocks][Shape::kOuts][2];
};

}  // namespace popsnn
