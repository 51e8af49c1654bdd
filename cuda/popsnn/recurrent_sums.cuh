// From the partial sums of the product warps to the sums of a tile of cells, and the block's frame.
#pragma once

#include <popsnn/recurrent_product.cuh>

namespace popsnn {

// The sums of all product warps for a tile of the block's outputs, those of a set's items or, where
// they are sent, of all.
template <class Shape>
class PartialSums {
 public:
  POPSNN_DEVICE PartialSums(const RecurrentTeam<Shape>& team, int set) : team_(team), set_(set) {}

  POPSNN_DEVICE void wait() const { wait_at(team_.full(buffer()), team_.threads()); }

  POPSNN_DEVICE void add(int out, float (&sum)[4]) const {
    float x[kProductWarps][4];
#pragma unroll
    for (int w = 0; w < kProductWarps; ++w) {
      load_shared(shared_.partial(buffer(), w, out), x[w]);
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      sum[j] =
          ((x[0][j] + x[1][j]) + (x[2][j] + x[3][j])) + ((x[4][j] + x[5][j]) + (x[6][j] + x[7][j]));
    }
  }

  // Gives the buffer back, where an item of the set will have it `again`: the next but one.
  POPSNN_DEVICE void release(bool again) {
    if (again) arrive_at(team_.empty(buffer()), team_.threads());
    turn_ ^= 1;
  }

 private:
  POPSNN_DEVICE int buffer() const { return Shape::kSets == 1 ? turn_ : 2 * set_ + turn_; }

  const RecurrentShared<Shape> shared_;
  const RecurrentTeam<Shape>& team_;
  int set_;
  int turn_ = 0;
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
  PartialSums<Shape> partials(team, 0);
  for (int item = begin; item < a.steps * a.groups(); ++item) {
    float sum[Shape::kTiles][4];
    partials.wait();
#pragma unroll
    for (int tile = 0; tile < Shape::kTiles; ++tile)
      partials.add(to * Shape::kTiles + tile, sum[tile]);
    partials.release(item + 2 < a.steps * a.groups());
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
      : partials_(team, set),
        places_(a, team.quads, team.block * Shape::kRanks * kBlock + tile * 32),
        a_(a),
        ranks_(team.quads < Shape::kRanks ? team.quads : Shape::kRanks),
        tile_(tile) {}

  // The lane's 4 elements of the next item; `again`: the set has a next but one.
  POPSNN_DEVICE void take(bool again, float (&sum)[4]) {
    if constexpr (Shape::kSent) {
      receive(sum);
    } else {
      partials_.wait();
      partials_.add(tile_, sum);
      partials_.release(again);
    }
    if (*Patience::lost() != 0) {
#pragma unroll
      for (int j = 0; j < 4; ++j) sum[j] = not_a_number();
    }
  }

 private:
  static constexpr int kBlock = SumPlaces<Shape>::kBlock;

  POPSNN_DEVICE void receive(float (&sum)[4]) {
    Words4 x[Shape::kRanks];
#pragma unroll
    for (int rank = 0; rank < Shape::kRanks; ++rank) {
#pragma unroll
      for (int j = 0; j < 4; ++j) x[rank].word[j] = places_.mark();  // 0, as far as it matters
    }
    bool there;
    Patience patience(a_);
    do {
#pragma unroll
      for (int rank = 0; rank < Shape::kRanks; ++rank) {
        if (rank < ranks_) x[rank] = load_shared_by_all(places_.at() + rank * kBlock);
      }
      unsigned wrong = 0;
#pragma unroll
      for (int rank = 0; rank < Shape::kRanks; ++rank) {
#pragma unroll
        for (int j = 0; j < 4; ++j) wrong |= x[rank].word[j] ^ places_.mark();
      }
      there = (wrong & 1u) == 0;
    } while (!all(there || patience.over()));
    places_.advance();
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      sum[j] = 0.0f;
#pragma unroll
      for (int rank = 0; rank < Shape::kRanks; ++rank) sum[j] += bits_to_float(x[rank].word[j]);
    }
  }

  PartialSums<Shape> partials_;
  SumPlaces<Shape> places_;
  const RecurrentArguments& a_;
  int ranks_;  // of the team that have a quad, and send
  int tile_;
};

// Runs a block. `Cells` steps a set's groups of a tile: it is made of (arguments, block, tile, set,
// begin), `prepare` does what needs no sums, `step` takes those of the next item, `finish` comes
// after the last. Items before `begin`, those of the first step or none, have no sums.
template <class Shape, class Messages, class W, bool kTransposed, class Cells>
POPSNN_DEVICE void run_recurrent(const RecurrentArguments& a, int begin) {
  const RecurrentShared<Shape> shared;
  // Product warps without a quad leave zeros.
  const float zeros[4] = {};
  for (int w = thread_index() / 32; w < shared.kPartials; w += Shape::kThreads / 32) {
    store_shared(shared.partial(0, 0, w), zeros);
  }
  if (thread_index() == 0) *Patience::lost() = 0;
  wait_for_block();
  const RecurrentTeam<Shape> team(a);
  const int warp = thread_index() / 32;
  if (warp < kProductWarps) {
    grow_registers<Shape::kProductRegisters>();
    RecurrentProduct<Shape, Messages, W, kTransposed>::run(a, team, begin);
  } else if (warp < kProductWarps + 4) {
    shrink_registers<Shape::kCellRegisters>();
    const int tile = Shape::kSets == 1 ? warp - kProductWarps : 0;
    const int set = Shape::kSets == 1 ? 0 : warp - kProductWarps;
    if (tile >= Shape::kTiles || set >= Shape::kSets) return;
    if (Shape::kSets > 1 && set >= a.groups()) return;
    RecurrentSums<Shape> sums(a, team, tile, set);
    Cells cells(a, team.block, tile, set, begin);
    const float none[4] = {};
    for (int item = set; item < begin; item += Shape::kSets) {
      cells.prepare();
      cells.step(none);
    }
    const auto next = [&](bool again) {
      float sum[4];
      cells.prepare();
      sums.take(again, sum);
      cells.step(sum);
    };
    const int items = a.steps * a.groups();
    if constexpr (Shape::kSets == 1) {
      for (int item = begin; item < items; ++item) next(item + 2 < items);
    } else {
      const int of_step = (a.groups() - set + Shape::kSets - 1) / Shape::kSets;
      for (int left = (begin == 0 ? a.steps : a.steps - 1) * of_step; left > 0; --left)
        next(left > 2);
    }
    cells.finish();
  } else if constexpr (Shape::kSent) {
    shrink_registers<Shape::kSenderRegisters>();
    send_sums<Shape>(a, team, warp - kProductWarps - 4, begin);
  }
}

}  // namespace popsnn
