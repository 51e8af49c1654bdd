// The product of messages and weights: what the product warps do.
#pragma once

#include <popsnn/recurrent/resident/weights.cuh>

namespace popsnn {

// Items are a step's groups, step after step; those from `begin` on have messages.
template <class Shape, class W>
class RecurrentProduct {
 public:
  // By all threads of the block.
  POPSNN_DEVICE static void bring(const RecurrentArguments& a, int block) {
    StagedWeights<Shape, W>(a, block).bring();
  }

  // Takes the weights, which all threads brought. A warp has every 12th quad.
  POPSNN_DEVICE RecurrentProduct(const RecurrentArguments& a, int block)
      : a_(a), warp_(in_register(thread_index() / 32)) {
    const int left =
        (Shape::quads(a.neurons) - warp_ + Shape::kProductWarps - 1) / Shape::kProductWarps;
    count_ = left < 0 ? 0 : left < Shape::kQuads ? left : Shape::kQuads;
    const StagedWeights<Shape, W> staged(a, block);
#pragma unroll
    for (int i = 0; i < Shape::kQuads; ++i) {
      if (i >= count_) break;
#pragma unroll
      for (int k = 0; k < Shape::kBlocks; ++k) {
#pragma unroll
        for (int tile = 0; tile < Shape::kTiles; ++tile) {
          staged.take(warp_ + i * Shape::kProductWarps, k, tile, weight_[i][k][tile]);
        }
      }
    }
  }

  POPSNN_DEVICE void run(int begin) {
    const RecurrentShared<Shape> shared;
    const int groups = Shape::groups(a_.batch);
    const int items = a_.steps * groups;
    if (count_ == 0 || begin == items) return;
    SpikeMessages<Shape> messages(a_, begin, warp_, count_);
    Ring<Shape::kBuffers> buffers(shared.barriers());
    for (int item = begin; item < items; ++item) {
      // Others publish when this block does. Before, to look for it would only take bandwidth.
      if (groups == 1) wait_for_phase(shared.published(), (item - begin) % 2);
      messages.take(a_);
      float sum[Shape::kTiles][4] = {};
      multiply(messages, item + 1 == items, sum);
      shared.hand_over(buffers, warp_, sum);
    }
  }

 private:
  POPSNN_DEVICE void multiply(SpikeMessages<Shape>& messages, bool last,
                              float (&sum)[Shape::kTiles][4]) const {
#pragma unroll
    for (int i = 0; i < Shape::kQuads; ++i) {
      if (i > 0 && i >= count_) break;
#pragma unroll
      for (int k = 0; k < Shape::kBlocks; ++k) {
        const Words4 operand = messages.operand(i, k);
#pragma unroll
        for (int tile = 0; tile < Shape::kTiles; ++tile) {
          multiply_tile(sum[tile], operand, weight_[i][k][tile]);
        }
        if (!last) messages.done(i, k);
      }
    }
  }

  const RecurrentArguments& a_;
  int warp_;
  int count_;  // of the warp's quads
  unsigned weight_[Shape::kQuads][Shape::kBlocks][Shape::kTiles][2];
};

}  // namespace popsnn
