// The product of gradients and weights in pairs of blocks: what the product warps do.
#pragma once

#include <popsnn/recurrent/resident/pair_messages.cuh>
#include <popsnn/recurrent/resident/pair_weights.cuh>

namespace popsnn {

// A warp has every 12th of its block's units.
template <class Shape>
class PairProduct {
 public:
  // Takes the weights, which all threads brought.
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
    GradientMessages<Shape> messages(a_, begin, first_, count_);
    Ring<Shape::kBuffers> buffers(shared.barriers());
    for (int item = begin; item < items; ++item) {
      if (groups == 1) {
        wait_for_phase(shared.published(), (item - begin) % 2);
        wait_clocks(kFirstLook);
        messages.ask();
      }
      messages.take(a_);
      float sum[Shape::kTiles][4] = {};
#pragma unroll
      for (int i = 0; i < Shape::kUnits; ++i) {
        if (i > 0 && i >= count_) break;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          unsigned b[2];
          messages.operand(i, half, b);
#pragma unroll
          for (int tile = 0; tile < Shape::kTiles; ++tile) {
            multiply_tile(sum[tile], weight_[i][half][tile], b);
          }
        }
        if (groups > 1 && item + 1 < items) messages.ask(i);
      }
      shared.hand_over(buffers, warp_, sum);
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
