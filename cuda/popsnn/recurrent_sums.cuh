// From the partial sums of the product warps to the sums of a tile of cells, and the block's frame.
#pragma once

#include <popsnn/recurrent_product.cuh>

namespace popsnn {

// The sums of all product warps for a tile of the block's outputs, those of a set's items or, where
// they are sent, of all.
template <class Shape>
class PartialSums {
 public:
  POPSNN_DEVICE PartialSums(const RecurrentArguments& a, int set)
      : buffers_(shared_.barriers()), groups_(a.groups()), set_(set), group_(set) {
    advance(set);
  }

  POPSNN_DEVICE void wait() const { buffers_.wait_until_full(); }

  POPSNN_DEVICE void add(int out, float (&sum)[4]) const {
    float x[4][4];
#pragma unroll
    for (int first = 0; first < Shape::kProductWarps; first += 4) {
#pragma unroll
      for (int w = 0; w < 4; ++w) {
        load_shared(shared_.partial(buffers_.stage(), first + w, out), x[w]);
      }
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const float four = (x[0][j] + x[1][j]) + (x[2][j] + x[3][j]);
        sum[j] = first == 0 ? four : sum[j] + four;
      }
    }
  }

  // Gives the buffer back and goes on to that of the set's next item.
  POPSNN_DEVICE void release() {
    wait_for_warp();
    if (thread_index() % 32 == 0) arrive(buffers_.empty());
    int by = 1;
    if constexpr (Shape::kSets > 1) {
      by = group_ + Shape::kSets < groups_ ? Shape::kSets : groups_ - group_ + set_;
      group_ = group_ + Shape::kSets < groups_ ? group_ + Shape::kSets : set_;
    }
    advance(by);
  }

 private:
  POPSNN_DEVICE void advance(int by) {
    for (int i = 0; i < by; ++i) buffers_.advance();
  }

  const RecurrentShared<Shape> shared_;
  Ring<Shape::kBuffers> buffers_;
  int groups_;
  int set_;
  int group_;
};

// Sums go from block to block through memory, where two steps have places that are used in turn. A
// sum says itself that it is there: its lowest bit is 1 and 0 in turn, memory begins as 0. A place
// is free when its next sums come: their sender has needed what its reader published since.
template <class Shape>
class SumPlaces {
 public:
  // A sender's places are [kTiles, 32] apart from those of the next one.
  static constexpr int kBlock = Shape::kTiles * 32;

  POPSNN_DEVICE SumPlaces(const RecurrentArguments& a, int quads, int first)
      : start_(static_cast<Words4*>(a.sums) + first + thread_index() % 32),
        at_(start_),
        slot_(quads * 4 * Shape::kRanks * kBlock),
        left_(2 * a.groups()),
        slots_(left_) {}

  POPSNN_DEVICE Words4* at() const { return at_; }
  POPSNN_DEVICE unsigned mark() const { return mark_; }

  POPSNN_DEVICE void advance() {
    at_ += slot_;
    if (--left_ == 0) {
      left_ = slots_;
      at_ = start_;
      mark_ ^= 1u;
    }
  }

 private:
  Words4* start_;
  Words4* at_;
  int slot_;  // of all blocks
  int left_;
  int slots_;
  unsigned mark_ = 1;
};

// Adds up the sums for the tiles of block `to` of the team and sends them to it.
template <class Shape>
POPSNN_DEVICE void send_sums(const RecurrentArguments& a, const RecurrentTeam<Shape>& team, int to,
                             int begin) {
  if (team.products == 0) return;  // nothing would hold it back from sending ahead
  using Places = SumPlaces<Shape>;
  Places places(a, team.quads,
                ((team.block - team.rank + to) * Shape::kRanks + team.rank) * Places::kBlock);
  PartialSums<Shape> partials(a, 0);
  for (int item = begin; item < a.steps * a.groups(); ++item) {
    float sum[Shape::kTiles][4];
    partials.wait();
#pragma unroll
    for (int tile = 0; tile < Shape::kTiles; ++tile)
      partials.add(to * Shape::kTiles + tile, sum[tile]);
    partials.release();
#pragma unroll
    for (int tile = 0; tile < Shape::kTiles; ++tile) {
      Words4 x;
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        x.word[j] = (float_to_bits(sum[tile][j]) & ~1u) | places.mark();
      }
      store_for_all(places.at() + tile * 32, x);
    }
    places.advance();
  }
}

// The sums of a tile of cells, from the block's own products or from those of the team.
template <class Shape>
class RecurrentSums {
 public:
  POPSNN_DEVICE RecurrentSums(const RecurrentArguments& a, const RecurrentTeam<Shape>& team,
                              int tile, int set)
      : partials_(a, set),
        places_(a, team.quads, team.block * Shape::kRanks * kBlock + tile * 32),
        a_(a),
        ranks_(team.quads < Shape::kRanks ? team.quads : Shape::kRanks),
        tile_(tile) {}

  // Begins to look for the sums of the next item, where they are sent.
  POPSNN_DEVICE void ask() {
    if constexpr (Shape::kSent) {
#pragma unroll
      for (int rank = 0; rank < Shape::kRanks; ++rank) {
        if (rank < ranks_) received_[rank] = load_shared_by_all(places_.at() + rank * kBlock);
      }
    }
  }

  // The lane's 4 elements of the next item, which were asked for.
  POPSNN_DEVICE void take(float (&sum)[4]) {
    if constexpr (Shape::kSent) {
      receive(sum);
    } else {
      partials_.wait();
      partials_.add(tile_, sum);
      partials_.release();
    }
    if (*Patience::lost() != 0) {
#pragma unroll
      for (int j = 0; j < 4; ++j) sum[j] = not_a_number();
    }
  }

 private:
  static constexpr int kBlock = SumPlaces<Shape>::kBlock;

  POPSNN_DEVICE void receive(float (&sum)[4]) {
    Patience patience(a_);
    while (!all(there() || patience.over())) ask();
    places_.advance();
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      sum[j] = 0.0f;
#pragma unroll
      for (int rank = 0; rank < Shape::kRanks; ++rank) {
        if (rank < ranks_) sum[j] += bits_to_float(received_[rank].word[j]);
      }
    }
  }

  POPSNN_DEVICE bool there() const {
    unsigned wrong = 0;
#pragma unroll
    for (int rank = 0; rank < Shape::kRanks; ++rank) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        if (rank < ranks_) wrong |= received_[rank].word[j] ^ places_.mark();
      }
    }
    return (wrong & 1u) == 0;
  }

  PartialSums<Shape> partials_;
  SumPlaces<Shape> places_;
  const RecurrentArguments& a_;
  int ranks_;  // of the team that have a quad, and send
  int tile_;
  Words4 received_[Shape::kRanks];
};

// Runs a block. `Cells` steps a set's groups of a tile: it is made of (arguments, block, tile, set,
// begin), `prepare` does what needs no sums, `step` takes those of the next item and publishes,
// `settle` does what nobody waits for, `finish` comes after the last. Items before `begin`, those
// of the first step or none, have no sums.
template <class Shape, class Messages, class W, bool kTransposed, class Cells>
POPSNN_DEVICE void run_recurrent(const RecurrentArguments& a, int begin) {
  const RecurrentShared<Shape> shared;
  const RecurrentTeam<Shape> team(a);
  if (thread_index() == 0) {
    *Patience::lost() = 0;
    const Ring<Shape::kBuffers> buffers(shared.barriers());
    make_barrier(shared.published(), Shape::kTiles);
    buffers.make(team.products > 0 ? team.products : 1,
                 Shape::kSent ? Shape::kRanks : Shape::kTiles);
  }
  StagedWeights<Shape, Messages, W, kTransposed>(a, team).bring();
  wait_for_block();
  const int warp = thread_index() / 32;
  // The warps' roles are apart from here on, as their registers are, and meet twice.
  if (warp < Shape::kProductWarps) {
    grow_registers<Shape::kProductRegisters>();
    RecurrentProduct<Shape, Messages, W, kTransposed> product(a, team);
    wait_at(0, Shape::kThreads);
    shared.clear_partials(warp);  // a warp without a quad leaves zeros
    wait_at(0, Shape::kThreads);
    product.run(begin);
  } else if (warp < Shape::kProductWarps + 4) {
    shrink_registers<Shape::kCellRegisters>();
    wait_at(0, Shape::kThreads);
    wait_at(0, Shape::kThreads);
    const int tile = Shape::kSets == 1 ? warp - Shape::kProductWarps : 0;
    const int set = Shape::kSets == 1 ? 0 : warp - Shape::kProductWarps;
    if (tile >= Shape::kTiles || set >= Shape::kSets) return;
    if (Shape::kSets > 1 && set >= a.groups()) return;
    RecurrentSums<Shape> sums(a, team, tile, set);
    Cells cells(a, team.block, tile, set, begin);
    const auto published = [&] {
      wait_for_warp();
      if (thread_index() % 32 == 0) arrive(shared.published());
    };
    if (begin == 0) published();
    const float none[4] = {};
    for (int item = set; item < begin; item += Shape::kSets) {
      cells.prepare();
      cells.step(none);
      published();
      cells.settle();
    }
    sums.ask();
    const auto next = [&] {
      float sum[4];
      cells.prepare();
      sums.take(sum);
      cells.step(sum);
      published();
      sums.ask();
      cells.settle();
    };
    const int items = a.steps * a.groups();
    if constexpr (Shape::kSets == 1) {
      for (int item = begin; item < items; ++item) next();
    } else {
      const int of_step = (a.groups() - set + Shape::kSets - 1) / Shape::kSets;
      for (int left = (begin == 0 ? a.steps : a.steps - 1) * of_step; left > 0; --left) {
        next();
      }
    }
    cells.finish();
  } else if constexpr (Shape::kSent) {
    shrink_registers<Shape::kSenderRegisters>();
    wait_at(0, Shape::kThreads);
    wait_at(0, Shape::kThreads);
    send_sums<Shape>(a, team, warp - Shape::kProductWarps - 4, begin);
  }
}

}  // namespace popsnn
