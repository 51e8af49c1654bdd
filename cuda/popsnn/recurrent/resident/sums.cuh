// From the partial sums of the product warps to the sums of a tile of cells, and the main loop of a
// block: forward.
#pragma once

#include <popsnn/recurrent/resident/product.cuh>

namespace popsnn {

// The sums of a tile of cells, of a set's items.
template <class Shape>
class RecurrentSums {
  static_assert(kBuffersSuffice<Shape>, "the buffers of partial sums");

 public:
  POPSNN_DEVICE RecurrentSums(const RecurrentArguments& a, int tile, int set)
      : buffers_(shared_.barriers()),
        aborted_(Shape::kInParts ? shared_.aborted() : 0u),
        lane_(Shape::kInParts ? in_register(thread_index() % 32) : 0),
        tile_(tile),
        groups_(Shape::groups(a.batch)),
        set_(set),
        group_(set) {
    advance(set);
  }

  // The lane's 4 elements of the next item.
  POPSNN_DEVICE void take(float (&sum)[4]) {
    buffers_.wait_until_full();
    [[maybe_unused]] bool aborted = false;
    if constexpr (Shape::kInParts) aborted = load_shared_word(aborted_) != 0;
    shared_.add_partials(shared_.partial(buffers_.stage(), 0, tile_), sum);
    Shape::arrange(sum);
    release();
    if constexpr (!Shape::kInParts) aborted = *Timeout::aborted() != 0;
    if (aborted) {
#pragma unroll
      for (int j = 0; j < 4; ++j) sum[j] = quiet_nan();
    }
  }

 private:
  // Releases the buffer and advances to that of the set's next item.
  POPSNN_DEVICE void release() {
    sync_warp();
    if ((Shape::kInParts ? lane_ : thread_index() % 32) == 0) arrive(buffers_.empty());
    int by = 1;
    if constexpr (Shape::kSets > 1) {
      by = group_ + Shape::kSets < groups_ ? Shape::kSets : groups_ - group_ + set_;
      group_ = group_ + Shape::kSets < groups_ ? group_ + Shape::kSets : set_;
    }
    advance(by);
  }

  POPSNN_DEVICE void advance(int by) { advance_by<Shape>(buffers_, by); }

  const RecurrentShared<Shape> shared_;
  Ring<Shape::kBuffers> buffers_;
  unsigned aborted_;
  int lane_;
  int tile_;
  int groups_;
  int set_;
  int group_;
};

// Runs a block. `Cells` steps a set's groups of a tile. It is constructed of (arguments, block,
// tile, set, begin). `prepare` does what needs no sums, `step` takes those of the next item and
// publishes, `store_step` stores what nothing waits for, `finish` follows the last item. Items
// before `begin`, those of the first step or none, have no sums.
template <class Shape, class Product, class Cells>
POPSNN_DEVICE void run_recurrent(const RecurrentArguments& a, int block, int begin) {
  const RecurrentShared<Shape> shared;
  const int groups = Shape::groups(a.batch);
  if (thread_index() == 0) {
    *Timeout::aborted() = 0;
    const Ring<Shape::kBuffers> buffers(shared.barriers());
    const int quads = source_quads<Shape>(a.neurons);
    make_barrier(shared.published(), Shape::kTiles);
    buffers.make(quads < Shape::kProductWarps ? quads : Shape::kProductWarps, Shape::kTiles);
  }
  Product::bring(a, block);
  sync_block();
  const int warp = thread_index() / 32;
  // From here on the warps have different roles and register counts, with two common barriers.
  if (warp < Shape::kProductWarps) {
    if constexpr (Shape::kProductRegisters > 0) grow_registers<Shape::kProductRegisters>();
    Product product(a, block);
    sync_barrier(0, Shape::kThreads);
    shared.clear_partials(warp);  // zeros of a warp without a quad
    sync_barrier(0, Shape::kThreads);
    product.run(begin);
    return;
  }
  if constexpr (Shape::kProductRegisters > 0) shrink_registers<Shape::kCellRegisters>();
  sync_barrier(0, Shape::kThreads);
  sync_barrier(0, Shape::kThreads);
  const int cell_warp = warp - Shape::kProductWarps;
  const int tile =
      in_register_of_part<Shape>(Shape::kSets == 1 ? cell_warp : cell_warp % Shape::kCellWarps);
  const int set = Shape::kSets == 1 ? 0 : in_register_of_part<Shape>(cell_warp / Shape::kCellWarps);
  if (tile >= Shape::kTiles || set >= Shape::kSets) return;
  if (Shape::kSets > 1 && set >= groups) return;
  RecurrentSums<Shape> sums(a, tile, set);
  Cells cells(a, block, tile, set, begin);
  [[maybe_unused]] const unsigned barrier = Shape::kInParts ? shared.published() : 0u;
  [[maybe_unused]] const int lane = Shape::kInParts ? in_register(thread_index() % 32) : 0;
  const auto published = [&] {
    sync_warp();
    if ((Shape::kInParts ? lane : thread_index() % 32) == 0)
      arrive(Shape::kInParts ? barrier : shared.published());
  };
  if (begin == 0) published();
  const float none[4] = {};
  for (int item = set; item < begin; item += Shape::kSets) {
    cells.prepare();
    cells.step(none);
    published();
    cells.request();
    cells.store_step();
  }
  const auto next = [&] {
    float sum[4];
    cells.prepare();
    sums.take(sum);
    cells.step(sum);
    published();
    cells.request();
    cells.store_step();
  };
  const int items = a.steps * groups;
  if constexpr (Shape::kSets == 1) {
    for (int item = begin; item < items; ++item) next();
  } else {
    const int of_step = (groups - set + Shape::kSets - 1) / Shape::kSets;
    for (int left = (begin == 0 ? a.steps : a.steps - 1) * of_step; left > 0; --left) next();
  }
  cells.finish();
}

}  // namespace popsnn
