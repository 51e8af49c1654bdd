// Backward of several samples: the product of the rows of a block's active neurons with the
// gradients of all neurons, on tensor cores.
//
// Lane 4 g + c has of each 32 receivers the eight neighbours 8 c and on, of rows g and g + 8, and
// of the gradients of sample g: two operands of tensor cores, in an order that the sum does not
// know.
//
// Loops are not unrolled but where registers need it: a step's code has to stay in the instruction
// cache.
#pragma once

#include <popsnn/recurrent/gathered/row_copies.cuh>

namespace popsnn {

template <class Shape>
class GradientProduct {
 public:
  using W = typename Shape::W;
  using Sums = typename Shape::Sums;
  using Bits = ActiveBits<Shape::kOuts>;
  using Rows = RowCopies<Shape>;
  static constexpr int kUnit = Rows::kUnit;
  static constexpr int kHalves = kUnit / 32;
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
  static constexpr int kSumsAt = Rows::kStagesBytes;
  static constexpr int kTableAt = kSumsAt + Shape::kSumBytes;
  static constexpr int kWarpBytes = kTableAt + Rows::kTableBytes;
  static constexpr int kBytes = Shape::kWarps * kWarpBytes;
  static_assert(Shape::kColumns == 1);

  // `shared`: kBytes of the block.
  POPSNN_DEVICE GradientProduct(const GatheredArguments& a, unsigned char* shared, int warp)
      : a_(a),
        lane_(thread_index() % 32),
        stages_(shared_address(shared + warp * kWarpBytes)),
        sums_(reinterpret_cast<float*>(shared + warp * kWarpBytes + kSumsAt)),
        active_(a),
        rows_(a, stages_, stages_ + kTableAt, warp) {
    active_.load(a.steps - 1 - a.first_step);
  }

  // The active neurons of the step that was prepared.
  POPSNN_DEVICE const Bits& active() const { return active_.bits(); }

  // Starts to copy the rows of step `step` of the loop, at time T - 1 - step.
  POPSNN_DEVICE void prepare(int step) {
    active_.take();
    active_.load(a_.steps - 2 - step);
    step_ = step;
    rows_.begin(active_);
    read_from_ = stages_;
  }

  // Writes the warp's sums, a row for each active neuron. `messages` [B, pitch] of the first
  // sample.
  POPSNN_DEVICE void run(const Sixteen* messages) {
    if (rows_.count() == 0) return;
    const int units = rows_.units();
    const int shift = rows_.shift();
    const int receiver = rows_.first_unit() * kUnit + lane_ % 4 * 8;
    from_ = messages + static_cast<long long>(lane_ / 4) * a_.pitch + receiver;
    left_ = a_.pitch - receiver;
    if (left_ > units * kUnit) left_ = units * kUnit;
    // Of stages of several units, the rows of slots of the lane's unit.
    const unsigned row = static_cast<unsigned>(lane_ / 4 & (shift == 0 ? 7 : (16 >> shift) - 1));
    const unsigned swizzle = (row & 1u) << 2;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const unsigned vector = Shape::kExact ? lane_ % 4 * 2 + i : i * 4 + lane_ % 4;
      at_[i] = pinned(row * 128u + (vector ^ swizzle) * 16u);
    }
    second_ = pinned(shift == 0 ? 8 * 128u : 0u);
    float sums[Shape::kOutTiles][Shape::kSampleTiles][4] = {};
    Operands operands[kAhead];
    Timeout timeout(a_);
#pragma unroll
    for (int i = 0; i < kAhead; ++i) load(i, operands[i]);
#pragma unroll 1
    for (int unit = 0; unit < units; ++unit) {
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

  POPSNN_DEVICE static unsigned pinned(unsigned x) {
    return static_cast<unsigned>(in_register(static_cast<int>(x)));
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
          add_unset(operands.of[half][plane][tile], unset);
        }
      }
    }
    return !any_unset(unset);
  }

  POPSNN_DEVICE void multiply(int unit, const Operands& operands, Sums sums) {
    const int shift = rows_.shift();
    const int tiles = rows_.tiles();
    const int of_stage = unit & ((1 << shift) - 1);
    const bool ends = of_stage == (1 << shift) - 1 || unit == rows_.units() - 1;
    unsigned stage = read_from_;
#pragma unroll
    for (int first = 0; first < Shape::kOutTiles; first += kTogether) {
      if (first >= tiles) break;
#pragma unroll
      for (int i = 0; i < kTogether; ++i) {
        if (first + i >= Shape::kOutTiles || first + i >= tiles) break;
        if (of_stage == 0) wait(i);
        multiply(stage + static_cast<unsigned>(of_stage * (16 >> shift)) * 128u, operands,
                 sums[first + i < Shape::kOutTiles ? first + i : 0]);
        stage = rows_.next(stage);
      }
      if (!ends) continue;
      read_from_ = stage;
      sync_warp();  // the stages have been read
      const int count = tiles - first < kTogether ? tiles - first : kTogether;
#pragma unroll 1
      for (int i = 0; i < count; ++i) rows_.copy();
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

  // The product of a unit with a tile of rows, which begins at an address in a stage. Where a stage
  // has several units, rows g + 8 are none, and of rows g are only some.
  POPSNN_DEVICE void multiply(unsigned unit, const Operands& operands,
                              float (&sums)[Shape::kSampleTiles][4]) const {
    if constexpr (!Shape::kExact) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        Words4 rows[2];
        load_shared(unit + at_[half], rows[0]);
        load_shared(unit + at_[half] + second_, rows[1]);
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
        float rows[2][4];
        load_shared(unit + at_[k], rows[0]);
        load_shared(unit + at_[k] + second_, rows[1]);
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
          // As forward, sums of 16 products; of nine products three, each at most 2^-25 of the
          // first, are omitted.
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
  ActiveReader<Shape> active_;
  Rows rows_;
  int step_ = 0;                   // that was prepared
  unsigned read_from_ = 0;         // the next stage to multiply
  unsigned at_[2] = {};            // of the lane in a tile's unit, of row g
  unsigned second_ = 0;            // from there to row g + 8
  const Sixteen* from_ = nullptr;  // the lane's first gradients of the step
  int left_ = 0;                   // receivers behind these
};

}  // namespace popsnn
