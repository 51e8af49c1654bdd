// Forward, of up to 8 samples.
//
// The weights are the tensor cores' operand of 16 rows and the messages that of 8 columns, so that
// no half of a tile is empty as in a group of 16 samples; a step is a single group. A block has up
// to 32 neurons, and each lane loads its own weights. The rest is as in recurrent.cuh.
#pragma once

#include <popsnn/recurrent/resident/forward.cuh>

namespace popsnn {

template <int kTilesOfBlock>
struct OctetShape {
  static constexpr int kTiles = kTilesOfBlock;  // of 16 neurons, owned by a block
  static constexpr int kThreads = 512;
  static constexpr int kAhead = 3;  // steps: a load from memory may take longer than a step
  static constexpr int kProductWarps = 12;
  static constexpr int kProductRegisters = 152;  // of the 128 that each thread begins with
  static constexpr int kCellRegisters = 56;
  static constexpr int kSets = 1;
  static constexpr int kTaps = 1;
  static constexpr bool kInParts = false;
  static constexpr int kBuffers = 2;    // of partial sums, which take turns
  static constexpr int kQuad = 64;      // neurons of four tiles, whose messages lie together
  static constexpr int kQuads = 4;      // of a product warp, at most
  static constexpr int kOuts = kTiles;  // tiles that a block has sums of
  static constexpr int kCellWarps = kTiles;
  static constexpr int kReceived = 0;

  // Samples, of which a lane of the cells has two neighbours.
  static constexpr int kSamples = 8;
  static constexpr int kHalf = 1;
  static constexpr int kFirstMask = 1;  // lanes of the same neurons
  static constexpr int kLastMask = 2;

  POPSNN_DEVICE static int sample() { return thread_index() % 4 * 2; }
  POPSNN_DEVICE static int neuron(int block, int tile) {
    return (block * kTiles + tile) * 16 + thread_index() % 32 / 4 * 2;
  }
  POPSNN_DEVICE static int groups(int) { return 1; }
  POPSNN_DEVICE static int quads(int neurons) { return (neurons + kQuad - 1) / kQuad; }

  // Columns are samples, and a spike is 2.
  POPSNN_DEVICE static void arrange(float (&sum)[4]) {
    const float second = sum[2];
    sum[2] = sum[1];
    sum[1] = second;
#pragma unroll
    for (float& x : sum) x *= 0.5f;
  }
};

// Spikes: a word for each sample and tile of 16 neurons, [quad, tile, sample]. Neuron n has bit
// 2 (n - n % 2) + n % 2, so that those of n and n + 8 are 16 apart. Bit 2 is "arrived". Memory
// begins as 0.
template <class Shape>
class OctetMessages {
 public:
  static constexpr int kQuadWords = 32;

  // Of a warp's quads, those of step `step` first.
  POPSNN_DEVICE OctetMessages(const RecurrentArguments& a, int step, int quad, int count)
      : step_(Shape::quads(a.neurons) * kQuadWords),
        at_(static_cast<const unsigned*>(a.messages) + static_cast<long long>(step) * step_ +
            quad * kQuadWords + thread_index() % 4 * 8 + thread_index() % 32 / 4),
        count_(count) {}

  // Polls those of the next step until they have arrived.
  POPSNN_DEVICE void take(const RecurrentArguments& a) {
    Timeout timeout(a);
#pragma unroll
    for (int i = 0; i < Shape::kQuads; ++i) {
      if (i < count_) request(i);
    }
    while (!all(there() || timeout.expired())) {
#pragma unroll
      for (int i = 0; i < Shape::kQuads; ++i) {
        if (i < count_ && !there(words_[i])) request(i);
      }
    }
    at_ += step_;
  }

  // Of sample lane / 4 and tile lane % 4 of quad i, neurons 2 k, 2 k + 8, 2 k + 1 and 2 k + 9: a
  // spike is a number of which one bit is set, 2.
  POPSNN_DEVICE void operand(int i, int k, unsigned (&b)[2]) const {
    b[0] = words_[i] << (14 - 4 * k) & 0x40004000u;
    b[1] = words_[i] << (13 - 4 * k) & 0x40004000u;
  }

  // Where a cell warp publishes, step after step.
  class Publisher {
   public:
    POPSNN_DEVICE Publisher(const RecurrentArguments& a, int step, int block, int tile)
        : step_(Shape::quads(a.neurons) * kQuadWords), lane_(in_register(thread_index() % 32)) {
      const int at = (block * Shape::kTiles + tile) * Shape::kSamples;
      there_ = lane_ < Shape::kSamples && at < step_;  // the last block may have tiles beyond
      to_ = static_cast<unsigned*>(a.messages) + static_cast<long long>(step) * step_ + at +
            lane_ % Shape::kSamples;
    }

    // Lane 4 g + c has samples 2 c and 2 c + 1, neurons 2 g and 2 g + 1.
    POPSNN_DEVICE void publish(const float (&spikes)[4], int next) {
      unsigned fired[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) fired[j] = ballot(spikes[j] != 0.0f);
      const bool second = (lane_ & 1) != 0;
      const unsigned even = (second ? fired[2] : fired[0]) >> lane_ / 2 & 0x11111111u;
      const unsigned odd = (second ? fired[3] : fired[1]) >> lane_ / 2 & 0x11111111u;
      if (there_) store_for_all(to_, even | odd << 1 | kThere);
      to_ += step_ * next;
    }

   private:
    int step_;
    int lane_;
    bool there_;
    unsigned* to_;
  };

 private:
  static constexpr unsigned kThere = 4;

  POPSNN_DEVICE static bool there(unsigned word) { return (word & kThere) != 0; }

  POPSNN_DEVICE bool there() const {
    bool complete = true;
#pragma unroll
    for (int i = 0; i < Shape::kQuads; ++i)
      complete = complete && (i >= count_ || there(words_[i]));
    return complete;
  }

  POPSNN_DEVICE void request(int i) {
    words_[i] = load_shared_by_all(at_ + i * (Shape::kProductWarps * kQuadWords));
  }

  int step_;
  const unsigned* at_;
  int count_;
  unsigned words_[Shape::kQuads] = {};
};

// The work of the product warps; a warp has every 12th quad. `weight` is Sixteen [N, N rounded up
// to 8].
template <class Shape>
class OctetProduct {
 public:
  // The weights are not staged: each lane reads 32 bytes of a row of them at a time.
  POPSNN_DEVICE static void bring(const RecurrentArguments&, int) {}

  POPSNN_DEVICE OctetProduct(const RecurrentArguments& a, int block)
      : a_(a), warp_(in_register(thread_index() / 32)) {
    const int left =
        (Shape::quads(a.neurons) - warp_ + Shape::kProductWarps - 1) / Shape::kProductWarps;
    count_ = left < 0 ? 0 : left < Shape::kQuads ? left : Shape::kQuads;
#pragma unroll
    for (int i = 0; i < Shape::kQuads; ++i) {
      const int quad = warp_ + i * Shape::kProductWarps;
      const int column = quad * Shape::kQuad + thread_index() % 4 * 16;
#pragma unroll
      for (int tile = 0; tile < Shape::kTiles; ++tile) {
#pragma unroll
        for (int of = 0; of < 2; ++of) {
          const int row = Shape::neuron(block, tile) + of;
          const Words4 low = load(row, column);
          const Words4 high = load(row, column + 8);
#pragma unroll
          for (int k = 0; k < 4; ++k) {
            weight_[i][k][tile].word[of] = (low.word[k] & 0xffffu) | high.word[k] << 16;
            weight_[i][k][tile].word[of + 2] = low.word[k] >> 16 | (high.word[k] & 0xffff0000u);
          }
        }
      }
    }
  }

  // Steps from `begin` on have messages.
  POPSNN_DEVICE void run(int begin) {
    if (count_ == 0 || begin == a_.steps) return;
    const RecurrentShared<Shape> shared;
    OctetMessages<Shape> messages(a_, begin, warp_, count_);
    Ring<Shape::kBuffers> buffers(shared.barriers());
    for (int step = begin; step < a_.steps; ++step) {
      wait_for_phase(shared.published(), (step - begin) % 2);
      wait_clocks(kFirstPoll);
      messages.take(a_);
      float sum[Shape::kTiles][4] = {};
#pragma unroll
      for (int i = 0; i < Shape::kQuads; ++i) {
        if (i > 0 && i >= count_) break;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          unsigned b[2];
          messages.operand(i, k, b);
#pragma unroll
          for (int tile = 0; tile < Shape::kTiles; ++tile) {
            multiply_tile(sum[tile], weight_[i][k][tile], b);
          }
        }
      }
      shared.hand_over(buffers, warp_, sum);
    }
  }

 private:
  // 8 neighbours of a row; 0 beyond the layer.
  POPSNN_DEVICE Words4 load(int row, int column) const {
    const int pitch = (a_.neurons + 7) / 8 * 8;
    const bool there = row < a_.neurons && column < pitch;
    const int at = there ? row * pitch + column : 0;
    Words4 x = *reinterpret_cast<const Words4*>(static_cast<const Sixteen*>(a_.weight) + at);
#pragma unroll
    for (unsigned& word : x.word) word = there ? word : 0u;
    return x;
  }

  const RecurrentArguments& a_;
  int warp_;
  int count_;  // of the warp's quads
  Words4 weight_[Shape::kQuads][4][Shape::kTiles];
};

// Without initial spikes the first step has no messages.
template <class Shape, class Neuron, class T, bool kEven, Delay kDelay = Delay::kNone>
POPSNN_DEVICE void recurrent_octet(const RecurrentArguments& a) {
  using Publisher = typename OctetMessages<Shape>::Publisher;
  using Cells = ForwardCells<Shape, Publisher, Neuron, T, kEven, kDelay>;
  run_recurrent<Shape, OctetProduct<Shape>, Cells>(
      a, part_of_block(a).block, a.initial[Neuron::kStates - 1] != nullptr ? 0 : 1);
}

}  // namespace popsnn
