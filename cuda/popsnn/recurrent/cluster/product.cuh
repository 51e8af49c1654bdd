// The product of weights and the messages of a cluster's blocks: the first phase of all warps.
#pragma once

#include <popsnn/device/vectors.cuh>
#include <popsnn/recurrent/cluster/messages.cuh>

namespace popsnn {

// kTransposed: gradients go from the neurons that spikes go to.
template <class Messages, bool kTransposed>
class ClusterProduct {
 public:
  using Shape = typename Messages::Shape;

  POPSNN_DEVICE ClusterProduct(const ClusterArguments& a, const ClusterMember<Shape>& me)
      : messages_(me, quarter()),
        to_(Shape::start() + Shape::partial(0, quarter(), lane() % 4 * 2) +
            static_cast<unsigned>(half() * 128 + lane() / 4 * 16)) {
    const int row = me.rank * kClusterNeurons + half() * 32 + lane() / 4 * 4;
#pragma unroll
    for (int shard = 0; shard < Messages::kShards; ++shard) {
#pragma unroll
      for (int depth = 0; depth < Messages::kDepths; depth += 2) {
        load(a, row, messages_.senders(shard, depth), depth, weight_[shard][depth],
             weight_[shard][depth + 1]);
      }
    }
  }

  // To be called before the wait for the next message of a buffer.
  POPSNN_DEVICE void expect(int buffer) const {
    if (half() == 0) messages_.expect(buffer);
  }

  // Writes the partial sums of a message to shared memory.
  POPSNN_DEVICE void run(const RecurrentArguments& a, MessageTurn turn) {
    float sum[2][2][4] = {};  // odd and even depths do not wait for each other
#pragma unroll
    for (int shard = 0; shard < Messages::kShards; ++shard) {
      messages_.take(a, turn, shard);
#pragma unroll
      for (int depth = 0; depth < Messages::kDepths; ++depth) {
        unsigned b[2];
        messages_.operand(depth, b);
#pragma unroll
        for (int tile = 0; tile < 2; ++tile) {
          multiply_tile(sum[depth % 2][tile], weight_[shard][depth][tile], b);
        }
      }
    }
    const unsigned to =
        to_ + static_cast<unsigned>(turn.buffer() * kQuarters * kClusterSamples * Shape::kRow);
#pragma unroll
    for (int h = 0; h < 2; ++h) {  // samples 2 c and 2 c + 1
      float x[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        x[j] = sum[0][j / 2][j % 2 * 2 + h] + sum[1][j / 2][j % 2 * 2 + h];
      }
      store_shared(to + static_cast<unsigned>(h * Shape::kRow), x);
    }
  }

 private:
  POPSNN_DEVICE static int lane() { return thread_index() % 32; }
  POPSNN_DEVICE static int quarter() { return thread_index() / 64; }
  POPSNN_DEVICE static int half() { return thread_index() / 32 % 2; }

  // The weights of neighbours, 0 beyond the layer. There is no branch, so that a thread can issue
  // many loads before it waits for the first. The index has 32 bits: for the choice between a
  // product of 64 bits and 0, NVRTC 13.0 generates instructions that sometimes read the 0 before it
  // is written (tests/cuda/kernel_facts.py).
  template <int kCount>
  POPSNN_DEVICE static void load_row(const ClusterArguments& a, int to, int from,
                                     float (&x)[kCount]) {
    const bool there = to < a.neurons && from < a.pitch;
    const int at = there ? to * a.pitch + from : 0;
    Row<Sixteen, kCount> row =
        *reinterpret_cast<const Row<Sixteen, kCount>*>(static_cast<const Sixteen*>(a.weight) + at);
#pragma unroll
    for (unsigned& word : row.words) word = there ? word : 0u;
    unpack<Sixteen, kCount>(row, x);
  }

  // Those of four rows and, at two depths, of four senders each: rows g and g + 8 of two tiles are
  // four neighbours.
  POPSNN_DEVICE static void load(const ClusterArguments& a, int row, int sender, int depth,
                                 Words4 (&first)[2], Words4 (&second)[2]) {
    float x[4][8];  // [row, sender]
    if constexpr (kTransposed) {
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        float of[4];
        load_row(a, sender + k / 2 * 2 + k % 2 * 32, row, of);
#pragma unroll
        for (int j = 0; j < 4; ++j) x[j][k] = of[j];
      }
    } else {
#pragma unroll
      for (int j = 0; j < 4; ++j) load_row(a, row + j, sender, x[j]);
    }
#pragma unroll
    for (int k = 0; k < 8; k += 2) {
      const float scale = Messages::scale(depth + k / 4, k / 2 % 2);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        Words4& to = (k < 4 ? first : second)[j / 2];
        to.word[k / 2 % 2 * 2 + j % 2] = pack(x[j][k] * scale, x[j][k + 1] * scale, Sixteen{});
      }
    }
  }

  Messages messages_;
  unsigned to_;
  Words4 weight_[Messages::kShards][Messages::kDepths][2];
};

}  // namespace popsnn
