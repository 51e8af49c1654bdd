// Backward of several samples: copies of the rows of a block's active neurons to shared memory.
//
// The rows are [from, to], with all receivers as neighbours. Each warp has a range of the
// receivers, in units of 128 bytes of a row. It copies that of the rows to a ring of stages, of 16
// slots of 128 bytes: a unit of 16 rows, which are a tile. Where the block has at most 8, 4 or 2
// active neurons, a stage has 2, 4 or 8 units of so many rows, one unit after the other. The first
// stages of the next step are copied while the block waits for its gradients.
//
// A table of where slots begin is made once a step, and a stage advances pointers: a step takes
// more for the instructions of copies and products than for the bytes.
#pragma once

#include <popsnn/recurrent/gathered/gradients.cuh>

namespace popsnn {

template <class Shape>
class RowCopies {
 public:
  using W = typename Shape::W;
  static constexpr int kUnit = 128 / static_cast<int>(sizeof(W));  // receivers
  static constexpr int kStageBytes = 16 * 128;
  static constexpr int kStagesBytes = Shape::kStages * kStageBytes;
  static constexpr int kTableBytes = 4 * Shape::kOuts;

  // `stages` and `table`: addresses in shared memory of the warp.
  POPSNN_DEVICE RowCopies(const GatheredArguments& a, unsigned stages, unsigned table, int warp)
      : a_(a), lane_(thread_index() % 32), stages_(stages), table_(table) {
    const int all = (a.neurons + kUnit - 1) / kUnit;
    first_unit_ = static_cast<int>(static_cast<long long>(all) * warp / Shape::kWarps);
    units_ =
        static_cast<int>(static_cast<long long>(all) * (warp + 1) / Shape::kWarps) - first_unit_;
  }

  POPSNN_DEVICE int first_unit() const { return first_unit_; }  // of the warp's range of receivers
  POPSNN_DEVICE int units() const { return units_; }
  POPSNN_DEVICE int count() const { return count_; }  // active neurons
  POPSNN_DEVICE int tiles() const { return tiles_; }  // of 16 of them
  POPSNN_DEVICE int shift() const { return shift_; }  // a stage has 1 << shift units

  // Starts to copy the rows of active neurons.
  POPSNN_DEVICE void begin(const ActiveReader<Shape>& active) {
    count_ = active.count();
    tiles_ = (count_ + 15) / 16;
    shift_ = 0;
    while (shift_ < kMostShift && (16 >> (shift_ + 1)) >= count_) ++shift_;
    make_table(active);
    const int row_bytes = a_.pitch * static_cast<int>(sizeof(W));
    const int begin = first_unit_ * 128;
    from_ = static_cast<const unsigned char*>(a_.weight) + begin + lane_ % 8 * 16 +
            block_index() * Shape::kOuts * row_bytes;
    bytes_left_ = count_ == 0 ? 0 : units_ * 128;
    if (bytes_left_ > row_bytes - begin) bytes_left_ = row_bytes - begin;
    to_ = stages_;
    tile_ = 0;
#pragma unroll 1
    for (int i = 0; i < Shape::kStages; ++i) copy();
  }

  // Starts to copy the next stage, if there is one. Slots s and s + 1 lie in different banks.
  // Slots of no row keep what they have, which adds to sums that are not read.
  POPSNN_DEVICE void copy() {
    if (bytes_left_ > 0) {
      const auto slot = static_cast<unsigned>(lane_ / 8);
      const unsigned table = table_ + (static_cast<unsigned>(tile_) * 16u + slot) * 4u;
      const unsigned to =
          to_ + slot * 128u + (static_cast<unsigned>(lane_ % 8) ^ (slot & 1u) << 2) * 16u;
      const bool whole = bytes_left_ >= 128 << shift_;
#pragma unroll
      for (int i = 0; i < 4; ++i) {  // slots 4 i + lane / 8
        const unsigned offset = load_shared_word(table + i * 16);
        if (whole && offset != kNoRow) copy_async(to + i * 512, from_ + offset);
      }
      if (!whole) copy_last(table, to);
      to_ = next(to_);
      if (++tile_ == tiles_) {
        tile_ = 0;
        from_ += 128 << shift_;
        bytes_left_ -= 128 << shift_;
      }
    }
    commit_copies();
  }

  // The stage behind one in the ring.
  POPSNN_DEVICE unsigned next(unsigned stage) const {
    stage += kStageBytes;
    return stage == stages_ + kStagesBytes ? stages_ : stage;
  }

 private:
  static constexpr int kMostShift = 3;
  static constexpr unsigned kNoRow = ~0u;

  // Writes where in the block's rows each slot of a tile's first stage begins.
  POPSNN_DEVICE void make_table(const ActiveReader<Shape>& active) const {
    const unsigned row_bytes = static_cast<unsigned>(a_.pitch) * static_cast<unsigned>(sizeof(W));
    sync_warp();  // the copies of the step before have read the table
#pragma unroll
    for (int i = lane_; i < Shape::kOuts; i += 32) store_shared_word(table_ + i * 4, kNoRow);
    sync_warp();
    active.each_of_lane(lane_, [&](int out, int index) {
      for (int unit = 0; unit < 1 << shift_; ++unit) {
        store_shared_word(table_ + (unit * (16 >> shift_) + index) * 4,
                          static_cast<unsigned>(out) * row_bytes + unit * 128u);
      }
    });
    sync_warp();
  }

  // The same where the warp's receivers end within the stage: zeros beyond them.
  POPSNN_DEVICE void copy_last(unsigned table, unsigned to) const {
#pragma unroll 1
    for (int i = 0; i < 4; ++i) {
      const unsigned offset = load_shared_word(table + i * 16);
      const int unit = (4 * i + lane_ / 8) >> (4 - shift_);
      const bool there = unit * 128 + lane_ % 8 * 16 < bytes_left_;
      if (offset != kNoRow) {
        copy_async(to + i * 512, there ? from_ + offset : a_.weight, there ? 16 : 0);
      }
    }
  }

  const GatheredArguments& a_;
  int lane_;
  unsigned stages_;
  unsigned table_;
  int first_unit_;
  int units_;
  int count_ = 0;
  int tiles_ = 0;
  int shift_ = 0;
  const unsigned char* from_ = nullptr;  // the lane's column of the next stage
  int bytes_left_ = 0;                   // of a row, from there on
  int tile_ = 0;                         // of the next stage
  unsigned to_ = 0;                      // the next stage
};

}  // namespace popsnn
