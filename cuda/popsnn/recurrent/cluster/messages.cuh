// Messages between the blocks of a cluster, and their conversion to operands of tensor cores.
//
// A lane 4 g + c of a product warp has column g, a sample, and of each 16 senders four. Which four
// is free, as is the order within a sum: the weights are permuted to match.
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
  static constexpr int kShards = 1;                    // of a message, which a warp awaits in turn
  static constexpr int kDepths = 4 * Shape::kQuarter;  // of 16 senders, of a shard
  static constexpr float kSumScale = SpikeOperand<Sixteen>::kSumScale;

  POPSNN_DEVICE ClusterSpikes(const ClusterMember<Shape>&, int quarter)
      : block_(quarter * Shape::kQuarter),
        group_(thread_index() % 4 * Shape::kQuarter),
        barrier_(Shape::start() + Shape::barrier(0, quarter)),
        from_(Shape::start() + Shape::message(0, block_ + group_ / 4) +
              static_cast<unsigned>(thread_index() % 32 / 4 * 8 + group_ / 2 % 2 * 4)) {}

  // By one thread.
  POPSNN_DEVICE static void make_barriers() {
    for (int i = 0; i < 2 * kBlocks; ++i) make_barrier(Shape::start() + Shape::barrier(0, i), 1);
  }

  // By a single warp of those that receive it: arms the barrier of a buffer's next message.
  POPSNN_DEVICE void expect(int buffer) const {
    if (thread_index() % 32 == 0) {
      arrive_with(barrier_ + static_cast<unsigned>(buffer) * 8u * kBlocks,
                  Shape::kQuarter * Shape::kBytes);
    }
  }

  // Waits for a shard of a message.
  POPSNN_DEVICE void take(const RecurrentArguments& a, MessageTurn turn, int) {
    const auto buffer = static_cast<unsigned>(turn.buffer());
    wait_for_messages(a, barrier_ + buffer * 8u * kBlocks, turn);
    load(turn);
  }

  // Loads a message that has arrived.
  POPSNN_DEVICE void load(MessageTurn turn) {
    const unsigned from = from_ + static_cast<unsigned>(turn.buffer() * kBlocks * Shape::kBytes);
    if constexpr (Shape::kQuarter == 4) {
      load_shared(from, words_);
    } else {
      words_.word[0] = load_shared_word(from);
      if constexpr (Shape::kQuarter == 1) words_.word[0] >>= group_ % 2 * 8;
    }
  }

  // A spike is a power of two: a number of which one bit of the exponent is set. So two spikes take
  // one instruction, and a shift for up to ten.
  POPSNN_DEVICE void operand(int depth, unsigned (&b)[2]) const {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int m = (2 * depth + h) % 16;
      const unsigned word = words_.word[depth / 8];
      b[h] = (m < bit(m) ? word << (bit(m) - m) : word >> (m - bit(m))) & 0x00010001u << bit(m);
    }
  }

  // This lane has eight neighbouring senders of 32; returns the first.
  POPSNN_DEVICE int senders(int, int depth) const {
    const int group = group_ + depth / 4;
    return (block_ + group / 4) * kClusterNeurons + group % 4 * 16 + depth % 4 * 4;
  }

  // The factor by which the weights of half of them are scaled to compensate.
  POPSNN_DEVICE static float scale(int depth, int h) {
    return SpikeOperand<Sixteen>::weight_scale((2 * depth + h) % 16);
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
      // Four lanes send a block's 64 bytes: more messages would take longer.
      if (warp_ >= kSending) {
        arrive_barrier(1, kClusterThreads);
        return;
      }
      sync_barrier(1, kClusterThreads);
      Words4 x;
      const auto offset = static_cast<unsigned>(thread_index() % 4 * 16);
      load_shared(staged_ + offset, x);
      const auto buffer = static_cast<unsigned>(turn.buffer());
      if (to_ < kBlocks) {
        send(remote_ + message_ + buffer * static_cast<unsigned>(kBlocks * Shape::kBytes) + offset,
             x, remote_ + barrier_ + buffer * 8u * kBlocks);
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
  POPSNN_DEVICE static constexpr int bit(int m) { return SpikeOperand<Sixteen>::bit(m); }

  int block_;  // the quarter's first
  int group_;  // the lane's first group of 16 senders
  unsigned barrier_;
  unsigned from_;
  Words2 words_;
};

// Gradients: 16 bits, [sample, 32]: word l has those of neuron_of_lane(l) and of that + 32. The
// halves of every other sample's 32 words are swapped, which avoids bank conflicts.
template <int kBlocks>
class ClusterGradients {
 public:
  using Shape = ClusterShape<kBlocks, 128 * kClusterSamples>;
  static constexpr int kShards = Shape::kQuarter;  // blocks
  static constexpr int kDepths = 4;
  static constexpr float kSumScale = 1.0f;

  POPSNN_DEVICE ClusterGradients(const ClusterMember<Shape>& me, int quarter)
      : latest_(me.rank - (me.rank - quarter + kBlocks) % kQuarters),
        expected_(me.count * 128),
        change_(thread_index() / 4 % 2 * 64) {
#pragma unroll
    for (int shard = 0; shard < kShards; ++shard) {
      barrier_[shard] = Shape::start() + Shape::barrier(0, block(shard));
      from_[shard] = Shape::start() + Shape::message(0, block(shard)) +
                     static_cast<unsigned>(thread_index() % 32 / 4 * 128 + thread_index() % 4 * 16);
    }
  }

  POPSNN_DEVICE static void make_barriers() {
    for (int i = 0; i < 2 * kBlocks; ++i) make_barrier(Shape::start() + Shape::barrier(0, i), 1);
  }

  POPSNN_DEVICE void expect(int buffer) const {
    const int shard = thread_index() % 32;
    if (shard < kShards) {
      arrive_with(Shape::start() + Shape::barrier(buffer, block(shard)), expected_);
    }
  }

  POPSNN_DEVICE void take(const RecurrentArguments& a, MessageTurn turn, int shard) {
    const auto buffer = static_cast<unsigned>(turn.buffer());
    const unsigned from = from_[shard] + buffer * static_cast<unsigned>(kBlocks * Shape::kBytes);
    wait_for_messages(a, barrier_[shard] + buffer * 8u * kBlocks, turn);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      load_shared(from + (static_cast<unsigned>(half * 64) ^ change_), words_[half]);
    }
  }

  POPSNN_DEVICE void operand(int depth, unsigned (&b)[2]) const {
#pragma unroll
    for (int h = 0; h < 2; ++h) b[h] = words_[depth / 2].word[depth % 2 * 2 + h];
  }

  // The first of this lane's senders at two depths. The others are 32 behind it, and 2, 4 and 6
  // behind both.
  POPSNN_DEVICE int senders(int shard, int depth) const {
    return block(shard) * kClusterNeurons +
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

    // Each block begins with itself, so that messages reach a block at different times.
    POPSNN_DEVICE void publish(const float (&grad)[2], MessageTurn turn) const {
      if (!there_) return;
      const unsigned x = pack(grad[0], grad[1], Sixteen{});
      const auto buffer = static_cast<unsigned>(turn.buffer());
      const unsigned message = message_ + buffer * static_cast<unsigned>(kBlocks * Shape::kBytes);
      const unsigned barrier = barrier_ + buffer * 8u * kBlocks;
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
  // A quarter is every fourth block. They are processed in the order in which their messages arrive
  // at this block, so that every quarter has a message in flight while it multiplies another.
  POPSNN_DEVICE int block(int shard) const {
    return (latest_ - kQuarters * shard + kBlocks) % kBlocks;
  }

  int latest_;  // of the quarter, the block whose messages arrive first
  int expected_;
  unsigned change_;
  unsigned barrier_[kShards];
  unsigned from_[kShards];
  Words4 words_[2];
};

}  // namespace popsnn
