// Backward of several samples: the product of the rows of a block's active neurons with the
// gradients of all neurons, on tensor cores.
//
// The rows are [from, to], with all receivers as neighbours. Each warp has a range of the
// receivers. It copies that of the rows to a ring of stages in shared memory, of 16 rows of 128
// bytes; where the block has at most 8, 4, 2 or 1 active neurons, a stage has so many rows of 2, 4,
// 8 or 16 times 128 bytes. The first stages of the next step are copied while the block waits for
// its gradients.
//
// Lane 4 g + c has of each 32 receivers the eight neighbours 8 c and on, of rows g and g + 8, and
// of the gradients of sample g: two operands of tensor cores, in an order that the sum does not
// know.
//
// Loops are not unrolled but where registers need it: a step's code has to stay in the instruction
// cache.
#pragma once

#include <popsnn/recurrent/gathered/gradients.cuh>

namespace popsnn {

template <class Shape>
class GradientProduct {
 public:
  using W = typename Shape::W;
  using Sums = typename Shape::Sums;
  using Bits = ActiveBits<Shape::kOuts>;
  static constexpr int kUnit = 128 / static_cast<int>(sizeof(W));  // receivers in 128 bytes
  static constexpr int kHalves = kUnit / 32;
  static constexpr int kStageBytes = 16 * 128;
  static constexpr int kOperandWords = 4 * kHalves * Shape::kPlanes * Shape::kSampleTiles;
  // Units whose gradients a warp has in registers: that of the product, and those behind it.
  static constexpr int kAhead = kOperandWords > 32 ? 1
                                : kOperandWords > 16 || (Shape::kWarps > 8 && Shape::kOutTiles > 4)
                                    ? 2
                                : kOperandWords > 8 || Shape::kWarps > 8 ? 3
                                                                         : 4;
  // Tiles whose stages are copied again together.
  static constexpr int kTogether = Shape::kStages < 4     ? 1
                                   : Shape::kOutTiles < 4 ? Shape::kOutTiles
                                                          : 4;
  static constexpr int kSumsAt = Shape::kStages * kStageBytes;
  static constexpr int kWarpBytes = kSumsAt + Shape::kSumBytes + Shape::kOuts;
  static constexpr int kBytes = Shape::kWarps * kWarpBytes;
  static_assert(Shape::kColumns == 1);

  // `shared`: kBytes of the block.
  POPSNN_DEVICE GradientProduct(const GatheredArguments& a, unsigned char* shared, int warp)
      : a_(a),
        lane_(thread_index() % 32),
        stages_(shared_address(shared + warp * kWarpBytes)),
        sums_(reinterpret_cast<float*>(shared + warp * kWarpBytes + kSumsAt)),
        rows_(shared + warp * kWarpBytes + kSumsAt + Shape::kSumBytes),
        active_(a) {
    const int all = (a.neurons + kUnit - 1) / kUnit;
    first_unit_ = static_cast<int>(static_cast<long long>(all) * warp / Shape::kWarps);
    units_ =
        static_cast<int>(static_cast<long long>(all) * (warp + 1) / Shape::kWarps) - first_unit_;
    const int swizzle = (lane_ / 4 & 1) << 2;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int vector = Shape::kExact ? lane_ % 4 * 2 + i : i * 4 + lane_ % 4;
      vector_[i] = static_cast<unsigned>(vector ^ swizzle) * 16u;
    }
    active_.load(a.steps - 1 - a.first_step);
  }

  // The active neurons of the step that was prepared.
  POPSNN_DEVICE const Bits& active() const { return active_.bits(); }

  // Starts to copy the rows of step `step` of the loop, at time T - 1 - step.
  POPSNN_DEVICE void prepare(int step) {
    active_.take();
    active_.load(a_.steps - 2 - step);
    step_ = step;
    count_ = active_.count();
    sync_warp();
    active_.list(rows_, lane_, 32);
    sync_warp();
    tiles_ = (count_ + 15) / 16;
    shift_ = 0;
    while (shift_ < 4 && (16 >> (shift_ + 1)) >= count_) ++shift_;
    stages_left_ = ((units_ + (1 << shift_) - 1) >> shift_) * tiles_;
    copied_ = 0;
    multiplied_ = 0;
#pragma unroll 1
    for (int i = 0; i < Shape::kStages; ++i) copy();
  }

  // Writes the warp's sums, a row for each active neuron. `messages` [B, pitch] of the first
  // sample.
  POPSNN_DEVICE void run(const Bf16* messages) {
    if (count_ == 0) return;
    const int receiver = first_unit_ * kUnit + lane_ % 4 * 8;
    from_ = messages + static_cast<long long>(lane_ / 4) * a_.pitch + receiver;
    left_ = a_.pitch - receiver;
    if (left_ > units_ * kUnit) left_ = units_ * kUnit;
    float sums[Shape::kOutTiles][Shape::kSampleTiles][4] = {};
    Operands operands[kAhead];
    Timeout timeout(a_);
#pragma unroll
    for (int i = 0; i < kAhead; ++i) load(i, operands[i]);
#pragma unroll 1
    for (int unit = 0; unit < units_; ++unit) {
      // Gradients that were read too early are read again, and then those behind them.
      bool late = false;
      while (!all(arrived(operands[0]) || timeout.expired())) {
        load(unit, operands[0]);
        late = true;
      }
      if (late) {
#pragma unroll
        for (int i = 1; i < kAhead; ++i) load(unit + i, operands[i]);
      }
      if (unit == 0) stamp<Shape>(a_, step_, Phase::kArrived);
      multiply(unit, operands[0], sums);
#pragma unroll
      for (int i = 1; i < kAhead; ++i) operands[i - 1] = operands[i];
      load(unit + kAhead, operands[kAhead - 1]);
    }
    Shape::store_sums(sums_, sums);
  }

  // The sum of a row of the active neurons, of all warps in their order.
  POPSNN_DEVICE static float sum_of(const unsigned char* shared, int sample, int row) {
    const unsigned char* from = shared + kSumsAt + 4 * (sample * Shape::kSumRow + row);
    float sum = 0.0f;
#pragma unroll
    for (int warp = 0; warp < Shape::kWarps; ++warp) {
      sum += *reinterpret_cast<const float*>(from + warp * kWarpBytes);
    }
    return sum;
  }

 private:
  // Gradients of a unit of receivers as operands.
  struct Operands {
    Words4 of[kHalves][Shape::kPlanes][Shape::kSampleTiles];
  };

  // Starts to copy the next stage, if there is one. Rows g and g + 1 lie in different banks.
  POPSNN_DEVICE void copy() {
    if (copied_ < stages_left_) {
      const unsigned to = stages_ + copied_ % Shape::kStages * kStageBytes;
      const int tile = copied_ % tiles_;
      const int unit = first_unit_ + (copied_ / tiles_ << shift_);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int at = i * 32 + lane_;
        const int row = at >> (3 + shift_);
        const int vector = at & ((8 << shift_) - 1);
        const int index = tile * 16 + row;
        const int receiver = unit * kUnit + vector * (16 / static_cast<int>(sizeof(W)));
        const bool there =
            index < count_ && receiver < a_.pitch && unit + vector / 8 < first_unit_ + units_;
        const W* from = static_cast<const W*>(a_.weight);
        if (there) {
          const int first = static_cast<int>(block_index()) * Shape::kOuts;
          from += static_cast<long long>(first + rows_[index]) * a_.pitch + receiver;
        }
        copy_async(to + (row << (7 + shift_)) + ((vector ^ (row & 1) << 2) << 4), from,
                   there ? 16 : 0);
      }
    }
    commit_copies();
    ++copied_;
  }

  POPSNN_DEVICE void load(int unit, Operands& operands) const {
#pragma unroll
    for (int half = 0; half < kHalves; ++half) {
      const int at = unit * kUnit + half * 32;
#pragma unroll
      for (int plane = 0; plane < Shape::kPlanes; ++plane) {
#pragma unroll
        for (int tile = 0; tile < Shape::kSampleTiles; ++tile) {
          Words4 x = {};
          if (at < left_ && tile * 8 + lane_ / 4 < a_.batch) {
            x = load_shared_by_all(reinterpret_cast<const Words4*>(
                from_ + plane * a_.plane + static_cast<long long>(tile * 8) * a_.pitch + at));
          }
          operands.of[half][plane][tile] = x;
        }
      }
    }
  }

  POPSNN_DEVICE static bool arrived(const Operands& operands) {
    unsigned unset = 0;
#pragma unroll
    for (int half = 0; half < kHalves; ++half) {
#pragma unroll
      for (int plane = 0; plane < Shape::kPlanes; ++plane) {
#pragma unroll
        for (int tile = 0; tile < Shape::kSampleTiles; ++tile) {
          unset |= unset_of(operands.of[half][plane][tile]);
        }
      }
    }
    return unset == 0;
  }

  POPSNN_DEVICE void multiply(int unit, const Operands& operands, Sums sums) {
    const int of_stage = unit & ((1 << shift_) - 1);
    const bool ends = of_stage == (1 << shift_) - 1 || unit == units_ - 1;
#pragma unroll
    for (int first = 0; first < Shape::kOutTiles; first += kTogether) {
      if (first >= tiles_) break;
#pragma unroll
      for (int i = 0; i < kTogether; ++i) {
        if (first + i >= Shape::kOutTiles || first + i >= tiles_) break;
        if (of_stage == 0) wait(i);
        const unsigned stage = stages_ + (multiplied_ + i) % Shape::kStages * kStageBytes;
        multiply(stage + static_cast<unsigned>(of_stage) * 128u, operands,
                 sums[first + i < Shape::kOutTiles ? first + i : 0]);
      }
      if (!ends) continue;
      sync_warp();  // the stages have been read
      const int count = tiles_ - first < kTogether ? tiles_ - first : kTogether;
      multiplied_ += count;
#pragma unroll 1
      for (int i = 0; i < count; ++i) copy();
    }
  }

  // Waits for a stage, `i` behind one whose copy was not started again.
  POPSNN_DEVICE void wait(int i) const {
    if (i == 0) wait_for_copies<Shape::kStages - 1>();
    if (i == 1) wait_for_copies<(Shape::kStages > 1 ? Shape::kStages - 2 : 0)>();
    if (i == 2) wait_for_copies<(Shape::kStages > 2 ? Shape::kStages - 3 : 0)>();
    if (i == 3) wait_for_copies<(Shape::kStages > 3 ? Shape::kStages - 4 : 0)>();
    sync_warp();
  }

  // The product of a unit with a tile of rows, which begins at an address in a stage.
  POPSNN_DEVICE void multiply(unsigned unit, const Operands& operands,
                              float (&sums)[Shape::kSampleTiles][4]) const {
    const int row = lane_ / 4;
    const unsigned at = unit + (static_cast<unsigned>(row) << (7 + shift_));
    const bool there = row << shift_ < 16;
    if constexpr (!Shape::kExact) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        Words4 rows[2] = {};
        if (there) load_shared(at + vector_[half], rows[0]);
        if (shift_ == 0) load_shared(at + vector_[half] + 8 * 128, rows[1]);
#pragma unroll
        for (int k = 0; k < 2; ++k) {
          const Words4 weight = {{rows[0].word[2 * k], rows[1].word[2 * k], rows[0].word[2 * k + 1],
                                  rows[1].word[2 * k + 1]}};
#pragma unroll
          for (int tile = 0; tile < Shape::kSampleTiles; ++tile) {
            const Words4& x = operands.of[half][0][tile];
            const unsigned b[2] = {x.word[2 * k], x.word[2 * k + 1]};
            multiply_tile(sums[tile], weight, b);
          }
        }
      }
    } else {
#pragma unroll
      for (int k = 0; k < 2; ++k) {  // four neighbours, 16 receivers in all
        float rows[2][4] = {};
        if (there) load_shared(at + vector_[k], rows[0]);
        if (shift_ == 0) load_shared(at + vector_[k] + 8 * 128, rows[1]);
        Words4 weight[3];
#pragma unroll
        for (int j = 0; j < 4; ++j) {  // rows g and g + 8 in turn
          unsigned terms[3];
          split(rows[j % 2][j / 2 * 2], rows[j % 2][j / 2 * 2 + 1], terms);
#pragma unroll
          for (int plane = 0; plane < 3; ++plane) weight[plane].word[j] = terms[plane];
        }
#pragma unroll
        for (int tile = 0; tile < Shape::kSampleTiles; ++tile) {
          // As forward, sums of 16 products; of nine products the three below 2^-26 of the first
          // are omitted.
          float part[4] = {};
#pragma unroll
          for (int i = 2; i >= 0; --i) {
#pragma unroll
            for (int plane = 2 - i; plane >= 0; --plane) {
              const Words4& x = operands.of[0][plane][tile];
              const unsigned b[2] = {x.word[2 * k], x.word[2 * k + 1]};
              multiply_tile(part, weight[i], b);
            }
          }
#pragma unroll
          for (int j = 0; j < 4; ++j) sums[tile][j] += part[j];
        }
      }
    }
  }

  const GatheredArguments& a_;
  int lane_;
  unsigned stages_;
  float* sums_;
  unsigned char* rows_;  // the active neurons within the block
  ActiveReader<Shape> active_;
  int first_unit_;  // of the warp's range of receivers
  int units_;
  unsigned vector_[2];  // of the lane in 128 bytes of a row
  int step_ = 0;        // that was prepared
  int count_ = 0;       // active neurons
  int tiles_ = 0;       // of 16 of them
  int shift_ = 0;       // a stage has 1 << shift_ units
  int stages_left_ = 0;
  int copied_ = 0;
  int multiplied_ = 0;
  const Bf16* from_ = nullptr;  // the lane's first gradients of the step
  int left_ = 0;                // receivers behind these
};

}  // namespace popsnn
