// Backward: the product of the rows of a block's active neurons with the gradients of all neurons.
//
// The rows are [from, to], with all receivers as neighbours. Each warp has a range of the receivers.
// It copies that of the rows to a ring of stages in shared memory, of 16 rows of 128 bytes; where
// the block has at most 8, 4, 2 or 1 active neurons, a stage has so many rows of 2, 4, 8 or 16 times
// 128 bytes. The first stages of the next step are copied while the block waits for its
// gradients. The gradients are [B, pitch] in memory, set to kUnset before, which no gradient is.
//
// Lane 4 g + c has of each 32 receivers the eight neighbours 8 c and on, of rows g and g + 8, and of
// the gradients of sample g: two operands of tensor cores, in an order that the sum does not know.
#pragma once

#include <popsnn/recurrent/gathered/gathered.cuh>

namespace popsnn {

constexpr unsigned kUnset = 0xffffu;  // a NaN that no conversion to bf16 returns

// The active neurons of a block, a bit each.
template <int kBits>
struct ActiveBits {
  static constexpr int kWords = (kBits + 31) / 32;
  unsigned word[kWords];

  // By masks: an index that is no constant would put the words in memory.
  POPSNN_DEVICE bool has(int bit) const {
    unsigned found = 0;
#pragma unroll
    for (int i = 0; i < kWords; ++i) found |= word[i] & (i == bit / 32 ? 1u << bit % 32 : 0u);
    return found != 0;
  }

  // Those below a bit.
  POPSNN_DEVICE int below(int bit) const {
    int count = 0;
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      const unsigned low = i < bit / 32 ? ~0u : i == bit / 32 ? (1u << bit % 32) - 1u : 0u;
      count += popcount(word[i] & low);
    }
    return count;
  }
};

template <class Shape>
class GradientProduct {
 public:
  using W = typename Shape::W;
  using Sums = typename Shape::Sums;
  static constexpr int kUnit = 128 / static_cast<int>(sizeof(W));  // receivers in 128 bytes
  static constexpr int kHalves = kUnit / 32;
  static constexpr int kStageBytes = 16 * 128;
  static constexpr int kOperandWords = 4 * kHalves * Shape::kPlanes * Shape::kSampleTiles;
  // Units whose gradients a warp has in registers: that of the product, and those behind it.
  static constexpr int kAhead = kOperandWords <= 8    ? 4
                                : kOperandWords <= 16 ? 3
                                : kOperandWords <= 32 ? 2
                                                      : 1;
  // Tiles whose stages are copied again together.
  static constexpr int kTilesTogether = Shape::kStages < 4 ? 1 : Shape::kOutTiles < 4 ? Shape::kOutTiles : 4;
  static constexpr int kSumsAt = Shape::kStages * kStageBytes;
  static constexpr int kWarpBytes = kSumsAt + Shape::kSumBytes + Shape::kOuts;
  using Bits = ActiveBits<Shape::kOuts>;
  static_assert(Shape::kColumns == 1);

  // `shared`: the warp's memory, kWarpBytes.
  POPSNN_DEVICE GradientProduct(const GatheredArguments& a, unsigned char* shared, int warp)
      : a_(a),
        lane_(thread_index() % 32),
        stages_(shared_address(shared)),
        sums_(reinterpret_cast<float*>(shared + kSumsAt)),
        rows_(shared + kSumsAt + Shape::kSumBytes),
        first_(static_cast<int>(block_index()) * Shape::kOuts) {
    const int all = (a.neurons + kUnit - 1) / kUnit;
    first_unit_ = static_cast<int>(static_cast<long long>(all) * warp / Shape::kWarps);
    units_ = static_cast<int>(static_cast<long long>(all) * (warp + 1) / Shape::kWarps) -
             first_unit_;
    load_active(a.steps - 1 - a.first_step);
  }

  // The active neurons of the step that was prepared.
  POPSNN_DEVICE const Bits& active() const { return active_; }

  // Starts to copy the rows of step `step` of the loop, at time T - 1 - step.
  POPSNN_DEVICE void prepare(int step) {
#pragma unroll
    for (int i = 0; i < Bits::kWords; ++i) active_.word[i] = 0;
#pragma unroll
    for (int i = 0; i < Shape::kOutTiles; ++i) {
      active_.word[i / 2] |= static_cast<unsigned>(next_[i]) << i % 2 * 16;
    }
    load_active(a_.steps - 2 - step);
    count_ = active_.below(Shape::kOuts);
    sync_warp();
#pragma unroll
    for (int first = 0; first < Shape::kOuts; first += 32) {
      const int at = first + lane_;
      if (at < Shape::kOuts && active_.has(at)) {
        rows_[active_.below(at)] = static_cast<unsigned char>(at);
      }
    }
    sync_warp();
    tiles_ = (count_ + 15) / 16;
    shift_ = 0;
    while (shift_ < 4 && (16 >> (shift_ + 1)) >= count_) ++shift_;
    const int groups = (units_ + (1 << shift_) - 1) >> shift_;
    stages_left_ = groups * tiles_;
    copied_ = 0;
    multiplied_ = 0;
    for (int i = 0; i < Shape::kStages; ++i) copy();
  }

  // Writes the warp's sums, a row for each active neuron. `messages` [B, pitch] of the first sample.
  POPSNN_DEVICE void run(const Bf16* messages) {
    if (count_ == 0) return;
    messages_ = messages;
    float sums[Shape::kOutTiles][Shape::kSampleTiles][4] = {};
    Operands operands[kAhead];
    Timeout timeout(a_);
#pragma unroll
    for (int i = 0; i < kAhead; ++i) load(i, operands[i]);
    for (int unit = 0; unit < units_; ++unit) {
      // Gradients that were read too early are read again, and so are those behind them.
      while (!all(arrived(operands[0]) || timeout.expired())) {
#pragma unroll
        for (int i = 0; i < kAhead; ++i) load(unit + i, operands[i]);
      }
      multiply(unit, operands[0], sums);
#pragma unroll
      for (int i = 1; i < kAhead; ++i) operands[i - 1] = operands[i];
      load(unit + kAhead, operands[kAhead - 1]);
    }
    Shape::store_sums(sums_, sums);
  }

 private:
  // Gradients of a unit of receivers as operands.
  struct Operands {
    Words4 of[kHalves][Shape::kPlanes][Shape::kSampleTiles];
  };

  // Begins to load the active neurons of a step before it is prepared.
  POPSNN_DEVICE void load_active(int t) {
    const unsigned short* from = a_.active + static_cast<long long>(t) * a_.active_words() * 2;
#pragma unroll
    for (int i = 0; i < Shape::kOutTiles; ++i) {
      const int at = first_ / 16 + i;
      next_[i] = t >= 0 && at < 2 * a_.active_words() ? from[at] : 0;
    }
  }

  // The position of 16 bytes of a row of a stage: rows g and g + 1 lie in different banks.
  POPSNN_DEVICE unsigned offset(int row, int vector) const {
    return static_cast<unsigned>((row << (7 + shift_)) + ((vector ^ (row & 1) << 2) << 4));
  }

  // Starts to copy the next stage, if there is one.
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
        const bool there = index < count_ && receiver < a_.pitch &&
                           unit + vector / 8 < first_unit_ + units_;
        const W* from = static_cast<const W*>(a_.weight);
        if (there) from += static_cast<long long>(first_ + rows_[index]) * a_.pitch + receiver;
        copy_async(to + offset(row, vector), from, there ? 16 : 0);
      }
    }
    commit_copies();
    ++copied_;
  }

  POPSNN_DEVICE void load(int unit, Operands& operands) const {
#pragma unroll
    for (int half = 0; half < kHalves; ++half) {
      const int receiver = (first_unit_ + unit) * kUnit + half * 32 + lane_ % 4 * 8;
#pragma unroll
      for (int plane = 0; plane < Shape::kPlanes; ++plane) {
#pragma unroll
        for (int tile = 0; tile < Shape::kSampleTiles; ++tile) {
          const int sample = tile * 8 + lane_ / 4;
          Words4 x = {};
          if (unit < units_ && receiver < a_.neurons && sample < a_.samples()) {
            x = load_shared_by_all(reinterpret_cast<const Words4*>(
                messages_ + plane * a_.plane + static_cast<long long>(sample) * a_.pitch +
                receiver));
            // Behind the last neuron nothing arrives.
            if (receiver + 8 > a_.neurons) clear(x, a_.neurons - receiver);
          }
          operands.of[half][plane][tile] = x;
        }
      }
    }
  }

  POPSNN_DEVICE static void clear(Words4& x, int from) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (2 * i >= from) {
        x.word[i] = 0;
      } else if (2 * i + 1 >= from) {
        x.word[i] &= 0xffffu;
      }
    }
  }

  POPSNN_DEVICE static bool arrived(const Operands& operands) {
    unsigned unset = 0;  // the top bit of each 16 that are kUnset
#pragma unroll
    for (int half = 0; half < kHalves; ++half) {
#pragma unroll
      for (int plane = 0; plane < Shape::kPlanes; ++plane) {
#pragma unroll
        for (int tile = 0; tile < Shape::kSampleTiles; ++tile) {
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            const unsigned x = ~operands.of[half][plane][tile].word[i];
            unset |= (x - 0x00010001u) & ~x & 0x80008000u;
          }
        }
      }
    }
    return unset == 0;
  }

  POPSNN_DEVICE void multiply(int unit, const Operands& operands, Sums sums) {
    const int of_stage = unit & ((1 << shift_) - 1);
    const bool ends = of_stage == (1 << shift_) - 1 || unit == units_ - 1;
#pragma unroll
    for (int first = 0; first < Shape::kOutTiles; first += kTilesTogether) {
      if (first >= tiles_) break;
#pragma unroll
      for (int i = 0; i < kTilesTogether; ++i) {
        if (first + i >= tiles_ || first + i >= Shape::kOutTiles) break;
        if (of_stage == 0) wait(i);
        const unsigned stage = stages_ + (multiplied_ + i) % Shape::kStages * kStageBytes;
        multiply(stage, of_stage, operands, sums[first + i < Shape::kOutTiles ? first + i : 0]);
      }
      if (!ends) continue;
      sync_warp();  // the stages have been read
      const int count = tiles_ - first < kTilesTogether ? tiles_ - first : kTilesTogether;
      multiplied_ += count;
#pragma unroll 1
      for (int i = 0; i < count; ++i) copy();
    }
  }

  // Waits for a stage, of which `i` were not copied again.
  POPSNN_DEVICE void wait(int i) const {
    if (i == 0) wait_for_copies<Shape::kStages - 1>();
    if (i == 1) wait_for_copies<(Shape::kStages > 1 ? Shape::kStages - 2 : 0)>();
    if (i == 2) wait_for_copies<(Shape::kStages > 2 ? Shape::kStages - 3 : 0)>();
    if (i == 3) wait_for_copies<(Shape::kStages > 3 ? Shape::kStages - 4 : 0)>();
    sync_warp();
  }

  // The product of a unit with a tile of rows.
  POPSNN_DEVICE void multiply(unsigned stage, int of_stage, const Operands& operands,
                              float (&sums)[Shape::kSampleTiles][4]) const {
    const int row = lane_ / 4;
    if constexpr (!Shape::kExact) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int vector = of_stage * 8 + half * 4 + lane_ % 4;
        Words4 rows[2] = {};
        if (row << shift_ < 16) load_shared(stage + offset(row, vector), rows[0]);
        if (shift_ == 0) load_shared(stage + offset(row + 8, vector), rows[1]);
#pragma unroll
        for (int k = 0; k < 2; ++k) {
          const Words4 weight = {{rows[0].word[2 * k], rows[1].word[2 * k],
                                  rows[0].word[2 * k + 1], rows[1].word[2 * k + 1]}};
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
        const int vector = of_stage * 8 + lane_ % 4 * 2 + k;
        float rows[2][4] = {};
        if (row << shift_ < 16) load_shared(stage + offset(row, vector), rows[0]);
        if (shift_ == 0) load_shared(stage + offset(row + 8, vector), rows[1]);
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
  unsigned char* rows_;  // the active neurons within the column
  int first_;            // neuron of the column
  int first_unit_;       // of the warp's range of receivers
  int units_;
  Bits active_ = {};
  unsigned short next_[Shape::kOutTiles] = {};  // of the step after, 16 bits each
  int count_ = 0;    // active neurons
  int tiles_ = 0;    // of 16 of them
  int shift_ = 0;    // a stage has 1 << shift_ units
  int stages_left_ = 0;
  int copied_ = 0;
  int multiplied_ = 0;
  const Bf16* messages_ = nullptr;
};

// What a block does backward to know the gradients of others, in GatheredBlock.
template <class Shape>
class GradientExchange {
 public:
  using Product = GradientProduct<Shape>;

  POPSNN_DEVICE GradientExchange(const GatheredArguments& a, unsigned char* shared, int warp)
      : a_(a),
        shared_(shared),
        active_(reinterpret_cast<typename Product::Bits*>(shared +
                                                          Shape::kWarps * Product::kWarpBytes)),
        product_(a, shared + warp * Product::kWarpBytes, warp) {
    if (a.first_step < a.steps) product_.prepare(a.first_step);
  }

  // The neurons publish their gradients as they step.
  POPSNN_DEVICE void set(int, int, float) const {}
  POPSNN_DEVICE void publish(int) const { sync_block(); }  // the sums have been read
  POPSNN_DEVICE void begin(int) const {}

  // Writes a warp's sums of a step, and begins to copy what the next one needs.
  POPSNN_DEVICE void multiply(int step) {
    product_.run(static_cast<const Bf16*>(a_.messages) + (a_.steps - step) * a_.message_row +
                 static_cast<long long>(a_.first_sample()) * a_.pitch);
    if (thread_index() == 0) *active_ = product_.active();
    if (step + 1 < a_.steps) product_.prepare(step + 1);
  }

  // Adds the sums of all warps, in their order, for neighbours of a sample that are active.
  template <int kVector>
  POPSNN_DEVICE void add_sums(int out, int sample, float (&sum)[kVector]) const {
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      if (!active_->has(out + j)) continue;
      const unsigned char* from =
          shared_ + Product::kSumsAt + 4 * (sample * Shape::kSumRow + active_->below(out + j));
#pragma unroll
      for (int warp = 0; warp < Shape::kWarps; ++warp) {
        sum[j] += *reinterpret_cast<const float*>(from + warp * Product::kWarpBytes);
      }
    }
  }

 private:
  const GatheredArguments& a_;
  unsigned char* shared_;
  typename Product::Bits* active_;
  Product product_;
};

}  // namespace popsnn
