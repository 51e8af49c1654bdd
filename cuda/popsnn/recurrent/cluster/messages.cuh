// What the blocks of a cluster send each other, and how it becomes operands of tensor cores.
//
// A lane 4 g + c of a product warp has column g, a sample, and of each 16 senders four. Which ones
// those are is free, as is the order within a sum: the weights are taken to match.
#pragma once

#include <popsnn/recurrent/cluster/cluster.cuh>

namespace popsnn {

// Spikes: a bit each, [sample, 2]: bit l of word h is neuron_of_lane(l) + 32 h. Each lane of a
// product warp has as many eighths of such words, 16 neurons, as a quarter has blocks: bits j and
// j + 16 for eight j.
template <int kBlocks>
class ClusterSpikes {
 public:
  using Shape = ClusterShape<kBlocks, 8 * kClusterSamples>;
  static constexpr int kParts = 1;                     // that a warp waits for one by one
  static constexpr int kDepths = 4 * Shape::kQuarter;  // of 16 senders, of a part

  POPSNN_DEVICE ClusterSpikes(const ClusterMember<Shape>&, int quarter)
      : block_(quarter * Shape::kQuarter),
        piece_(thread_index() % 4 * Shape::kQuarter),
        barrier_(Shape::start() + Shape::barrier(0, quarter)),
        from_(Shape::start() + Shape::message(0, block_ + piece_ / 4) +
              static_cast<unsigned>(thread_index() % 32 / 4 * 8 + piece_ / 2 % 2 * 4)) {}

  // By one thread.
  POPSNN_DEVICE static void make_barriers() {
    for (int i = 0; i < 2 * kBlocks; ++i) make_barrier(Shape::start() + Shape::barrier(0, i), 1);
  }

  // By one warp of those that take it: the next message of a place is expected.
  POPSNN_DEVICE void expect(int place) const {
    if (thread_index() % 32 == 0) {
      arrive_with(barrier_ + static_cast<unsigned>(place) * 8u * kBlocks,
                  Shape::kQuarter * Shape::kBytes);
    }
  }

  // Waits for a part of a message.
  POPSNN_DEVICE void take(const RecurrentArguments& a, MessageTurn turn, int) {
    const auto place = static_cast<unsigned>(turn.place());
    wait_for_messages(a, barrier_ + place * 8u * kBlocks, turn);
    const unsigned from = from_ + place * static_cast<unsigned>(kBlocks * Shape::kBytes);
    if constexpr (Shape::kQuarter == 4) {
      load_shared(from, words_);
    } else {
      words_.word[0] = load_shared_word(from);
      if constexpr (Shape::kQuarter == 1) words_.word[0] >>= piece_ % 2 * 8;
    }
  }

  // A spike is a power of two: a bf16 of which one bit of the exponent is set, so that it takes one
  // instruction for two of them, and a shift for up to ten.
  POPSNN_DEVICE void operand(int depth, unsigned (&b)[2]) const {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int m = (2 * depth + h) % 16;
      const unsigned word = words_.word[depth / 8];
      b[h] = (m < bit(m) ? word << (bit(m) - m) : word >> (m - bit(m))) & 0x00010001u << bit(m);
    }
  }

  // The first of the eight neighbours that are this lane's of 16 senders and the next 16.
  POPSNN_DEVICE int senders(int, int depth) const {
    const int piece = piece_ + depth / 4;
    return (block_ + piece / 4) * kClusterNeurons + piece % 4 * 16 + depth % 4 * 4;
  }

  // What the weights of half of them are multiplied by to make up for it. The largest is 2^119: a
  // weight of 512 or more overflows.
  POPSNN_DEVICE static float scale(int depth, int h) {
    return bits_to_float((254u - (1u << (bit((2 * depth + h) % 16) - 7))) << 23);
  }

  // Sends to all blocks of the cluster. All warps of the block call it, each for a sample.
  class Sender {
   public:
    POPSNN_DEVICE explicit Sender(const ClusterMember<Shape>& me)
        : staged_(Shape::start() + Shape::kStaged),
          warp_(in_register(thread_index() / 32)),
          to_(in_register(thread_index() / 4)),
          remote_(address_in_block(Shape::start(), to_ < kBlocks ? to_ : 0)),
          message_(Shape::message(0, me.rank)),
          barrier_(Shape::barrier(0, me.rank / Shape::kQuarter)) {}

    POPSNN_DEVICE void publish(const float (&spikes)[2], MessageTurn turn) const {
      const Words2 fired = {{ballot(spikes[0] != 0.0f), ballot(spikes[1] != 0.0f)}};
      if (thread_index() % 32 == 0) store_shared(staged_ + static_cast<unsigned>(8 * warp_), fired);
      // Four lanes have a block's 64 bytes: in more messages they would take longer.
      if (warp_ >= kSending) {
        arrive_barrier(1, kClusterThreads);
        return;
      }
      sync_barrier(1, kClusterThreads);
      Words4 x;
      const auto part = static_cast<unsigned>(thread_index() % 4 * 16);
      load_shared(staged_ + part, x);
      const auto place = static_cast<unsigned>(turn.place());
      if (to_ < kBlocks) {
        send(remote_ + message_ + place * static_cast<unsigned>(kBlocks * Shape::kBytes) + part, x,
             remote_ + barrier_ + place * 8u * kBlocks);
      }
    }

   private:
    static constexpr int kSending = (kBlocks + 7) / 8;  // warps

    unsigned staged_;
    int warp_;
    int to_;  // block
    unsigned remote_;
    unsigned message_;
    unsigned barrier_;
  };

 private:
  POPSNN_DEVICE static constexpr int bit(int m) { return 10 + (m + 3) % 5; }

  int block_;  // the quarter's first
  int piece_;  // of 16 senders, the lane's first
  unsigned barrier_;
  unsigned from_;
  Words2 words_;
};

// Gradients: bf16, [sample, 32]: word l has those of neuron_of_lane(l) and of that + 32. The halves
// of every other sample's 32 words change places, so that no bank is asked for twice.
template <int kBlocks>
class ClusterGradients {
 public:
  using Shape = ClusterShape<kBlocks, 128 * kClusterSamples>;
  static constexpr int kParts = Shape::kQuarter;  // blocks
  static constexpr int kDepths = 4;

  POPSNN_DEVICE ClusterGradients(const ClusterMember<Shape>& me, int quarter)
      : latest_(me.rank - (me.rank - quarter + kBlocks) % kQuarters),
        expected_(me.count * 128),
        change_(thread_index() / 4 % 2 * 64) {
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
      barrier_[part] = Shape::start() + Shape::barrier(0, block(part));
      from_[part] = Shape::start() + Shape::message(0, block(part)) +
                    static_cast<unsigned>(thread_index() % 32 / 4 * 128 + thread_index() % 4 * 16);
    }
  }

  POPSNN_DEVICE static void make_barriers() {
    for (int i = 0; i < 2 * kBlocks; ++i) make_barrier(Shape::start() + Shape::barrier(0, i), 1);
  }

  POPSNN_DEVICE void expect(int place) const {
    const int part = thread_index() % 32;
    if (part < kParts) {
      arrive_with(Shape::start() + Shape::barrier(place, block(part)), expected_);
    }
  }

  POPSNN_DEVICE void take(const RecurrentArguments& a, MessageTurn turn, int part) {
    const auto place = static_cast<unsigned>(turn.place());
    const unsigned from = from_[part] + place * static_cast<unsigned>(kBlocks * Shape::kBytes);
    wait_for_messages(a, barrier_[part] + place * 8u * kBlocks, turn);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      load_shared(from + (static_cast<unsigned>(half * 64) ^ change_), words_[half]);
    }
  }

  POPSNN_DEVICE void operand(int depth, unsigned (&b)[2]) const {
#pragma unroll
    for (int h = 0; h < 2; ++h) b[h] = words_[depth / 2].word[depth % 2 * 2 + h];
  }

  // The first of this lane's senders at two depths; then come the one 32 behind it, and those that
  // are 2, 4 and 6 behind both.
  POPSNN_DEVICE int senders(int part, int depth) const {
    return block(part) * kClusterNeurons +
           neuron_of_lane(thread_index() % 4 * 4 + depth / 2 * 16 + depth % 2 * 2);
  }

  POPSNN_DEVICE static float scale(int, int) { return 1.0f; }

  class Sender {
   public:
    POPSNN_DEVICE explicit Sender(const ClusterMember<Shape>& me)
        : there_(thread_index() / 32 < me.count) {
      const int sample = thread_index() / 32;
      message_ = Shape::message(0, me.rank) +
                 static_cast<unsigned>(sample * 128 + (thread_index() % 32 * 4 ^ sample % 2 * 64));
      barrier_ = Shape::barrier(0, me.rank);
#pragma unroll
      for (int i = 0; i < kBlocks; ++i) {
        remote_[i] = address_in_block(Shape::start(), (me.rank + i) % kBlocks);
      }
    }

    // Each block begins with another one, itself, so that messages come to a block one by one.
    POPSNN_DEVICE void publish(const float (&grad)[2], MessageTurn turn) const {
      if (!there_) return;
      const unsigned x = pack(grad[0], grad[1], Bf16{});
      const auto place = static_cast<unsigned>(turn.place());
      const unsigned message = message_ + place * static_cast<unsigned>(kBlocks * Shape::kBytes);
      const unsigned barrier = barrier_ + place * 8u * kBlocks;
#pragma unroll
      for (int i = 0; i < kBlocks; ++i) send(remote_[i] + message, x, remote_[i] + barrier);
    }

   private:
    bool there_;
    unsigned message_;
    unsigned barrier_;
    unsigned remote_[kBlocks];
  };

 private:
  // A quarter is every fourth block. They are taken in the order in which they come to this one,
  // and all quarters have one on its way while they multiply another's.
  POPSNN_DEVICE int block(int part) const {
    return (latest_ - kQuarters * part + kBlocks) % kBlocks;
  }

  int latest_;  // of the quarter, the block whose messages come first
  int expected_;
  unsigned change_;
  unsigned barrier_[kParts];
  unsigned from_[kParts];
  Words4 words_[2];
};

}  // namespace popsnn
