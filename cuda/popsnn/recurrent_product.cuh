// The product of messages and weights: what the product warps do.
#pragma once

#include <popsnn/recurrent_messages.cuh>

namespace popsnn {

// A block among the others, and the barriers between its products and its cells.
template <class Shape>
struct RecurrentTeam {
  int block;     // of the grid
  int rank;      // in the team
  int quads;     // of the layer
  int products;  // product warps that have a quad

  POPSNN_DEVICE explicit RecurrentTeam(const RecurrentArguments& a)
      : block(held(static_cast<int>(block_index()))),
        rank(block % Shape::kRanks),
        quads(Shape::quads(a.neurons)) {
    const int mine = (quads - rank + Shape::kRanks - 1) / Shape::kRanks;
    products = mine < kProductWarps ? mine : kProductWarps;
  }

  // Of the warps that leave partial sums and those that add them up.
  POPSNN_DEVICE int threads() const {
    return 32 * (products + (Shape::kSent ? Shape::kRanks : Shape::kTiles));
  }
  POPSNN_DEVICE static int full(int buffer) { return 1 + buffer; }
  POPSNN_DEVICE static int empty(int buffer) { return 1 + Shape::kBuffers + buffer; }
};

// Which buffer of partial sums is that of an item: two of each set of cells take turns.
template <class Shape, int kSets = Shape::kSets>
class PartialBuffers {
 public:
  POPSNN_DEVICE PartialBuffers(const RecurrentArguments& a, int) : groups_(a.groups()) {}

  POPSNN_DEVICE int now() const { return 2 * set_ + static_cast<int>(turns_ >> set_ & 1u); }
  POPSNN_DEVICE bool used(int) const { return (used_ >> now() & 1u) != 0; }

  POPSNN_DEVICE void advance() {
    used_ |= 1u << now();
    turns_ ^= 1u << set_;
    set_ = set_ + 1 == kSets ? 0 : set_ + 1;
    if (++group_ == groups_) group_ = set_ = 0;
  }

 private:
  int groups_;
  int group_ = 0;
  int set_ = 0;
  unsigned turns_ = 0;  // a bit a set
  unsigned used_ = 0;   // a bit a buffer
};

// Beside the weights of large layers there are no registers for more than this.
template <class Shape>
class PartialBuffers<Shape, 1> {
 public:
  POPSNN_DEVICE PartialBuffers(const RecurrentArguments&, int begin) : begin_(begin) {}

  POPSNN_DEVICE int now() const { return turn_; }
  POPSNN_DEVICE bool used(int item) const { return item >= begin_ + 2; }
  POPSNN_DEVICE void advance() { turn_ ^= 1; }

 private:
  int begin_;
  int turn_ = 0;
};

// The weights from 4 neighbours to one neuron, 0 beyond the layer; transposed, they are [from, to].
template <class W, bool kTransposed>
POPSNN_DEVICE void load_weights(const RecurrentArguments& a, int to, int from, float (&x)[4]) {
  const W* weight = static_cast<const W*>(a.weight);
  const long long n = a.neurons;
#pragma unroll
  for (int j = 0; j < 4; ++j) x[j] = 0.0f;
  if (!kTransposed && a.neurons % 4 == 0) {
    if (to < a.neurons && from < a.neurons) {
      unpack<W, 4>(*reinterpret_cast<const Row<W, 4>*>(weight + to * n + from), x);
    }
    return;
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    if (to < a.neurons && from + j < a.neurons) {
      float one[1];
      const long long at = kTransposed ? (from + j) * n + to : to * n + from + j;
      unpack<W, 1>(*reinterpret_cast<const Row<W, 1>*>(weight + at), one);
      x[j] = one[0];
    }
  }
}

// Items are a step's groups, step after step; those from `begin` on have messages.
template <class Shape, class Messages, class W, bool kTransposed>
class RecurrentProduct {
 public:
  POPSNN_DEVICE static void run(const RecurrentArguments& a, const RecurrentTeam<Shape>& team,
                                int begin) {
    const RecurrentShared<Shape> shared;
    const int warp = held(thread_index() / 32);
    if (warp >= team.products) return;
    const int quad = team.rank + Shape::kRanks * warp;
    const int left = (team.quads - quad + kApart - 1) / kApart;
    const int count = left < Shape::kQuads ? left : Shape::kQuads;
    RecurrentProduct product(a, team, quad);
    const int items = a.steps * a.groups();
    if (begin == items) return;
    Messages messages(a, begin, quad, count);
    PartialBuffers<Shape> buffers(a, begin);
    for (int item = begin; item < items; ++item) {
      messages.take(a);
      const int buffer = buffers.now();
      const bool last = item + 1 == items;
#pragma unroll
      for (int part = 0; part < Shape::kRanks; ++part) {
        float sum[Shape::kTiles][4];
        product.multiply(messages, count, part, last, sum);
        if (part == 0 && buffers.used(item)) wait_at(team.empty(buffer), team.threads());
#pragma unroll
        for (int tile = 0; tile < Shape::kTiles; ++tile) {
          store_shared(shared.partial(buffer, warp, part * Shape::kTiles + tile), sum[tile]);
        }
      }
      arrive_at(team.full(buffer), team.threads());
      buffers.advance();
    }
  }

 private:
  static constexpr int kApart = Shape::kRanks * kProductWarps;

  POPSNN_DEVICE RecurrentProduct(const RecurrentArguments& a, const RecurrentTeam<Shape>& team,
                                 int quad) {
    const int lane = thread_index() % 32;
#pragma unroll
    for (int i = 0; i < Shape::kQuads; ++i) {
#pragma unroll
      for (int k = 0; k < Shape::kBlocks; ++k) {
#pragma unroll
        for (int out = 0; out < Shape::kOuts; ++out) {
          const int to = ((team.block - team.rank) * Shape::kTiles + out) * 8 + lane / 4;
          const int from =
              (quad + i * kApart) * Shape::kQuadNeurons + lane % 4 * (8 * Shape::kTiles) + 4 * k;
          float x[4];
          load_weights<W, kTransposed>(a, to, from, x);
          const float low = Messages::scale(2 * k);
          const float high = Messages::scale(2 * k + 1);
          weight_[i][k][out][0] = pack(x[0] * low, x[1] * low, Bf16{});
          weight_[i][k][out][1] = pack(x[2] * high, x[3] * high, Bf16{});
        }
      }
    }
  }

  // The sums of the tiles of one block of the team. Two operands are in use together, of even and
  // of odd k, where their making would keep the tensor cores waiting.
  POPSNN_DEVICE void multiply(Messages& messages, int count, int part, bool last,
                              float (&sum)[Shape::kTiles][4]) const {
    constexpr int kTogether = Messages::kTogether;
    float sums[kTogether][Shape::kTiles][4] = {};
#pragma unroll
    for (int i = 0; i < Shape::kQuads; ++i) {
      if (i > 0 && i >= count) break;
#pragma unroll
      for (int k = 0; k < Shape::kBlocks; k += kTogether) {
        Words4 operand[kTogether];
#pragma unroll
        for (int h = 0; h < kTogether; ++h) operand[h] = messages.operand(i, k + h);
#pragma unroll
        for (int tile = 0; tile < Shape::kTiles; ++tile) {
#pragma unroll
          for (int h = 0; h < kTogether; ++h) {
            multiply_tile(sums[h][tile], operand[h],
                          weight_[i][k + h][part * Shape::kTiles + tile]);
          }
        }
        if (part == Shape::kRanks - 1 && !last) {
#pragma unroll
          for (int h = 0; h < kTogether; ++h) messages.done(i, k + h);
        }
      }
    }
#pragma unroll
    for (int tile = 0; tile < Shape::kTiles; ++tile) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        sum[tile][j] = sums[0][tile][j];
        if constexpr (kTogether == 2) sum[tile][j] += sums[1][tile][j];
      }
    }
  }

  unsigned weight_[Shape::kQuads][Shape::kBlocks][Shape::kOuts][2];
};

}  // namespace popsnn
