// From the partial sums of a pair's product warps to the sums of a tile of cells, and the main loop
// of a block: backward.
#pragma once

#include <popsnn/recurrent/resident/pair_product.cuh>

namespace popsnn {

// The sums for a warp's cells, of a set's items: the block's own and those that it receives.
template <class Shape>
class PairSums {
  static_assert(kBuffersSuffice<Shape>, "the buffers of partial sums");

 public:
  POPSNN_DEVICE PairSums(const RecurrentArguments& a, int block, int of, int set)
      : a_(a),
        buffers_(RecurrentShared<Shape>::barriers()),
        rank_(block % 2),
        of_(of),
        groups_(Shape::groups(a.batch)),
        set_(set),
        group_(set),
        received_(shared_.received(0, of)),
        other_(address_in_block(shared_.received(0, of), 1 - rank_)),
        barrier_(shared_.arrival(0)),
        other_barrier_(address_in_block(shared_.arrival(0), 1 - rank_)) {
    advance(set);
  }

  // By a single thread, before any block sends.
  POPSNN_DEVICE static void make_barriers(const RecurrentArguments& a) {
    const RecurrentShared<Shape> shared;
    for (int slot = 0; slot < 2 * Shape::groups(a.batch); ++slot) {
      make_barrier(shared.arrival(slot), 1);
      arrive_with(shared.arrival(slot), Shape::kSumBytes);
    }
  }

  // Whether the products of the next item are ready.
  POPSNN_DEVICE bool ready() const { return all(buffers_.is_full()); }

  // Sends the other block the sums of its neurons.
  POPSNN_DEVICE void send() const {
    buffers_.wait_until_full();
    float sum[4];
    add(1 - rank_, sum);
    Words4 x;
#pragma unroll
    for (int j = 0; j < 4; ++j) x.word[j] = float_to_bits(sum[j]);
    if (Shape::there(of_)) popsnn::send(other_ + apart(), x, other_barrier_ + barrier());
  }

  // The lane's 4 elements of the next item, when its products were sent.
  POPSNN_DEVICE void take(float (&sum)[4]) {
    float own[4];
    add(rank_, own);
    sync_warp();
    if (thread_index() % 32 == 0) arrive(buffers_.empty());
    Timeout timeout(a_);
    while (!phase_ended(barrier_ + barrier(), parity_) && !timeout.expired()) {
    }
    float sent[4] = {};
    if (Shape::there(of_)) load_shared(received_ + apart(), sent);
    const bool aborted = *Timeout::aborted() != 0;
    // The next sums of this slot arrive in two steps. A barrier whose phase has not ended must not
    // be armed again.
    if (!aborted && of_ == 0 && thread_index() % 32 == 0) {
      arrive_with(barrier_ + barrier(), Shape::kSumBytes);
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int from = j % 2 * 2 + j / 2;  // columns are samples
      sum[j] = aborted ? quiet_nan() : own[from] + sent[from];
    }
    go_on();
  }

 private:
  POPSNN_DEVICE void add(int rank, float (&sum)[4]) const {
    const int lane = Shape::lane(rank, of_) - thread_index() % 32;
    const unsigned from = shared_.partial(buffers_.stage(), 0, Shape::tile(rank, of_)) +
                          static_cast<unsigned>(16 * lane);
    shared_.add_partials(from, sum);
  }

  // Of the item.
  POPSNN_DEVICE int slot() const { return late_ * groups_ + group_; }
  POPSNN_DEVICE unsigned barrier() const { return static_cast<unsigned>(8 * slot()); }
  POPSNN_DEVICE unsigned apart() const {
    return static_cast<unsigned>(512 * Shape::kCellWarps * slot());
  }

  POPSNN_DEVICE void go_on() {
    if (group_ + Shape::kSets < groups_) {
      group_ += Shape::kSets;
      advance(Shape::kSets);
      return;
    }
    advance(groups_ - group_ + set_);
    group_ = set_;
    parity_ ^= static_cast<unsigned>(late_);
    late_ ^= 1;
  }

  POPSNN_DEVICE void advance(int by) { advance_by<Shape>(buffers_, by); }

  const RecurrentArguments& a_;
  const RecurrentShared<Shape> shared_;
  Ring<Shape::kBuffers> buffers_;
  int rank_;
  int of_;
  int groups_;
  int set_;
  int group_;
  int late_ = 0;         // of two steps
  unsigned parity_ = 0;  // of the barriers of its slots
  unsigned received_;
  unsigned other_;
  unsigned barrier_;
  unsigned other_barrier_;
};

// Runs a block. `Cells` is as for `run_recurrent`, and `request` begins to load the inputs of the
// next step. The items of the first step have no sums.
template <class Shape, class Cells>
POPSNN_DEVICE void run_pair(const RecurrentArguments& a, int block) {
  const RecurrentShared<Shape> shared;
  const int groups = Shape::groups(a.batch);
  if (thread_index() == 0) {
    *Timeout::aborted() = 0;
    const Ring<Shape::kBuffers> buffers(shared.barriers());
    make_barrier(shared.published(), Shape::kCellWarps);
    buffers.make(Shape::kProductWarps, Shape::kCellWarps);
    PairSums<Shape>::make_barriers(a);
    publish_barriers();
  }
  PairWeights<Shape>(a, block).bring();
  sync_block();
  const int warp = thread_index() / 32;
  // From here on the warps have different roles and register counts, with two common barriers:
  // their shared memory, in which messages arrive, overwrites the staged weights.
  if (warp < Shape::kProductWarps) {
    grow_registers<Shape::kProductRegisters>();
    PairProduct<Shape> product(a, block);
    sync_cluster();
    product.run(groups);
  } else {
    shrink_registers<Shape::kCellRegisters>();
    sync_cluster();
    const int set = (warp - Shape::kProductWarps) / Shape::kCellWarps;
    const int of = (warp - Shape::kProductWarps) % Shape::kCellWarps;
    if (set < Shape::kSets && set < groups) {
      PairSums<Shape> sums(a, block, of, set);
      Cells cells(a, block, of, set, groups);
      const int of_step = (groups - set + Shape::kSets - 1) / Shape::kSets;
      // Stores that nothing waits for follow the send, if the sums are ready.
      const int items = a.steps * of_step;
      for (int n = 0;; ++n) {
        const bool summed = n >= of_step && n < items;
        const bool ready = summed && sums.ready();
        if (ready) sums.send();
        if (n > 0) cells.store_step();
        if (n == items) break;
        if (summed && !ready) sums.send();
        float sum[4] = {};
        cells.prepare();
        if (summed) sums.take(sum);
        cells.step(sum);
        sync_warp();
        if (thread_index() % 32 == 0) arrive(shared.published());
        cells.request();
      }
      cells.finish();
    }
  }
  sync_cluster();  // a block that ends may still receive sums
}

}  // namespace popsnn
