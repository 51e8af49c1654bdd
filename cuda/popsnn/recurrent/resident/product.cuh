// The product of messages and weights: the work of the product warps.
#pragma once

#include <popsnn/recurrent/resident/messages.cuh>

namespace popsnn {

// Staging of a block's weights for its product warps' registers: all threads copy them to shared
// memory, from where each warp loads its own. Direct loads would be of 8 bytes or of columns, in
// unrolled code that is as slow to fetch itself.

// 8 neighbours of a row of the weights [N, N] from (row, column) on, as Sixteen; 0 beyond the
// layer. kWhole: rows are whole vectors.
template <class W, bool kWhole>
POPSNN_DEVICE Words4 load_weights(const RecurrentArguments& a, const W* weight, int row,
                                  int column) {
  const int at = row * a.neurons + column;
  const auto there = [&](int j) { return row < a.neurons && column + j < a.neurons; };
  Words4 rounded;
  if constexpr (kWhole && sizeof(W) == 2) {
    rounded = *reinterpret_cast<const Words4*>(weight + (there(0) ? at : 0));
#pragma unroll
    for (int j = 0; j < 4; ++j) rounded.word[j] = there(0) ? rounded.word[j] : 0u;
  } else {
    float x[8];
    if constexpr (kWhole) {
      unpack<W, 8>(row_at<W, 8>(weight + (there(0) ? at : 0)), x);
    } else {
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        float scalar[1];
        unpack<W, 1>(*reinterpret_cast<const Row<W, 1>*>(weight + (there(j) ? at + j : 0)), scalar);
        x[j] = scalar[0];
      }
    }
#pragma unroll
    for (int j = 0; j < 8; ++j) x[j] = there(j) ? x[j] : 0.0f;
#pragma unroll
    for (int j = 0; j < 4; ++j) rounded.word[j] = pack(x[2 * j], x[2 * j + 1], Sixteen{});
  }
  return rounded;
}

// The layout in shared memory, which partial sums and states use later, is that of memory, in
// vectors of 8 neighbours of a row, an output of the block.
// python/popsnn/cuda/recurrent/resident/launch.py has the size.
template <class Shape, class W>
class StagedWeights {
 public:
  POPSNN_DEVICE StagedWeights(const RecurrentArguments& a, int block)
      : a_(a),
        first_(block * (8 * Shape::kTiles)),
        quads_(source_quads<Shape>(a.neurons)),
        start_(shared_address(shared_memory() + 512)) {}

  // By all threads of the block.
  POPSNN_DEVICE void bring() const { a_.neurons % 8 == 0 ? bring<true>() : bring<false>(); }

  // Of block k of quad i and of a tile of the outputs, as `multiply_tile` takes them.
  POPSNN_DEVICE void take(int i, int k, int out, unsigned (&operand)[2]) const {
    const int lane = thread_index() % 32;
    const int row = out * 8 + lane / 4;
    const int column = i * Shape::kQuadNeurons + lane % 4 * (8 * Shape::kTiles) + 4 * k;
    Words2 x;
    load_shared(start_ + 2u * (row * quads_ * Shape::kQuadNeurons + column), x);
    operand[0] = x.word[0];
    operand[1] = x.word[1];
  }

 private:
  template <bool kWhole>
  POPSNN_DEVICE void bring() const {
    // Loads in flight together, where registers suffice.
    constexpr int kBatch = !kWhole ? 1 : Shape::kProductRegisters > 0 ? 6 : 2;
    const int width = quads_ * (Shape::kQuadNeurons / 8);
    const int vectors = width * kRows;
    for (int begin = thread_index(); begin < vectors; begin += kBatch * Shape::kThreads) {
      Words4 x[kBatch];
#pragma unroll
      for (int b = 0; b < kBatch; ++b) {
        const VectorIndex at(begin + b * Shape::kThreads);
        x[b] = load<kWhole>(first_ + at.row, at.column * 8);
      }
#pragma unroll
      for (int b = 0; b < kBatch; ++b) {
        const int vector = begin + b * Shape::kThreads;
        if (vector >= vectors) break;
        const VectorIndex at(vector);
        scale(at.column, x[b]);
        store_shared(start_ + 16u * (at.row * width + at.column), x[b]);
      }
    }
  }

  // From the columns of all taps.
  template <bool kWhole>
  POPSNN_DEVICE Words4 load(int row, int column) const {
    const W* weight = static_cast<const W*>(a_.weight);
    if constexpr (Shape::kTaps > 1) {
      const int of_tap = quads_ / Shape::kTaps * Shape::kQuadNeurons;
      const int tap = column / of_tap;
      column -= tap * of_tap;
      weight += (tap < Shape::kTaps ? tap : 0) * static_cast<long long>(a_.neurons) * a_.neurons;
    }
    return load_weights<W, kWhole>(a_, weight, row, column);
  }

  // Four vectors of a row are consecutive, then four of the next row.
  struct VectorIndex {
    int row;
    int column;

    POPSNN_DEVICE explicit VectorIndex(int vector)
        : row(vector / 4 % kRows), column(vector / (4 * kRows) * 4 + vector % 4) {}
  };

  // Word j of a vector belongs to block k = 2 (column % kTiles) + j / 2.
  POPSNN_DEVICE static void scale(int column, Words4& x) {
    if (SpikeOperand<Sixteen>::kSumScale != 1.0f) return;  // the sums are scaled instead
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const float by = SpikeMessages<Shape>::scale(column % Shape::kTiles * 4 + j);
      x.word[j] = pack(unpack_scalar(x.word[j] & 0xffffu, Sixteen{}) * by,
                       unpack_scalar(x.word[j] >> 16, Sixteen{}) * by, Sixteen{});
    }
  }

  static constexpr int kRows = 8 * Shape::kTiles;

  const RecurrentArguments& a_;
  int first_;  // output
  int quads_;
  unsigned start_;
};

// Items are a step's groups, step after step; those from `begin` on have messages.
template <class Shape, class W>
class RecurrentProduct {
 public:
  // By all threads of the block.
  POPSNN_DEVICE static void bring(const RecurrentArguments& a, int block) {
    StagedWeights<Shape, W>(a, block).bring();
  }

  // Loads the weights, which all threads staged. A warp has every kProductWarps-th
  // quad.
  POPSNN_DEVICE RecurrentProduct(const RecurrentArguments& a, int block)
      : a_(a), warp_(in_register(thread_index() / 32)) {
    const int left =
        (source_quads<Shape>(a.neurons) - warp_ + Shape::kProductWarps - 1) / Shape::kProductWarps;
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
    const int lane = Shape::kInParts ? in_register(thread_index() % 32) : thread_index() % 32;
    for (int item = begin; item < items; ++item) {
      // Others publish when this block does. Earlier polls would only take bandwidth.
      if (groups == 1) wait_for_phase(shared.published(), (item - begin) % 2);
      messages.take(a_, item + 1 == items);
      const bool empty = buffers.is_empty();  // which is known when the sums are
      float sum[Shape::kTiles][4] = {};
      multiply(messages, item + 1 == items, sum);
      shared.hand_over(buffers, warp_, sum, empty, lane);
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
