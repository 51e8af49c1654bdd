// A recurrent layer of up to 1024 neurons in clusters: what its two directions share.
//
// A cluster's blocks hold all weights of the layer in registers, 64 neurons each, and run all steps
// of up to 8 samples by themselves: clusters know nothing of each other. A step of a block is
//
//   product  8 warps, each for a quarter of the senders and half of the block's neurons: weights
//            are the tensor cores' operand of 16 rows, what the senders published that of 8
//            columns. Partial sums go to shared memory, [quarter, sample, neuron].
//   cells    a warp a sample, a lane two neurons: it adds up their sums and steps them.
//   send     the outcome goes to the shared memory of all blocks, where barriers count its bytes.
//            It has two places there, used in turn: who sends the outcome of a step has had that
//            of the step before from all, who thus are done with the one before that.
//
// What the step stores and what the next one reads has the time that messages are on their way.
#pragma once

#include <popsnn/device/cluster.cuh>
#include <popsnn/recurrent/recurrent.cuh>

namespace popsnn {

constexpr int kClusterNeurons = 64;  // of a block
constexpr int kClusterSamples = 8;   // of a cluster, at most: columns of a tile, and warps
constexpr int kClusterThreads = 32 * kClusterSamples;
constexpr int kQuarters = 4;  // of the senders

// kMessageBytes are what a block sends to each other one at a step.
template <int kBlocksOfCluster, int kMessageBytes>
struct ClusterShape {
  static constexpr int kBlocks = kBlocksOfCluster;  // 4, 8 or 16
  static constexpr int kQuarter = kBlocks / kQuarters;
  static constexpr int kBytes = kMessageBytes;

  // Bytes from the start of the shared memory, of which Timeout has the first word;
  // python/popsnn/cuda/recurrent/cluster/launch.py has the size of all.
  static constexpr int kBarriers = 16;   // of messages, of each place as many as there are blocks
  static constexpr int kStaged = 320;    // what the block sends, gathered
  static constexpr int kMessages = 384;  // [place, block, kMessageBytes]
  static constexpr int kPartials =
      kMessages + 2 * kBlocks * kBytes;                   // [place, quarter, sample, row]
  static constexpr int kRow = 4 * (kClusterNeurons + 4);  // so that no bank is asked for twice

  POPSNN_DEVICE static unsigned start() { return shared_address(shared_memory()); }
  POPSNN_DEVICE static unsigned barrier(int place, int index) {
    return static_cast<unsigned>(kBarriers + 8 * (place * kBlocks + index));
  }
  POPSNN_DEVICE static unsigned message(int place, int block) {
    return static_cast<unsigned>(kMessages + (place * kBlocks + block) * kBytes);
  }
  POPSNN_DEVICE static unsigned partial(int place, int quarter, int sample) {
    return static_cast<unsigned>(kPartials +
                                 ((place * kQuarters + quarter) * kClusterSamples + sample) * kRow);
  }
};

struct ClusterArguments : RecurrentArguments {
  // In place of what RecurrentArguments says:
  //   weight          bf16 [N, pitch], 0 beyond N
  //   grad_parameter  [clusters, parameters, N]
  int samples;  // of a cluster; the last one may have fewer
  int pitch;    // a multiple of 8
};

// A block in its cluster, and the samples of that.
template <class Shape>
struct ClusterMember {
  int rank;
  int cluster;
  int first;  // sample
  int count;  // of samples

  POPSNN_DEVICE explicit ClusterMember(const ClusterArguments& a)
      : rank(block_rank()),
        cluster(static_cast<int>(block_index()) / Shape::kBlocks),
        first(cluster * a.samples),
        count(in_register(a.batch - first < a.samples ? a.batch - first : a.samples)) {}
};

// The neurons of a lane that steps cells are this one of the block, and 32 more. So two neighbours
// of a word's halves, of bits or of values, are neighbours in memory.
POPSNN_DEVICE int neuron_of_lane(int lane) { return lane % 16 * 2 + lane / 16; }

// The n-th message from a block: which place it has, and the parity of its barrier's phase.
struct MessageTurn {
  int number;

  POPSNN_DEVICE int place() const { return number & 1; }
  POPSNN_DEVICE unsigned parity() const { return static_cast<unsigned>(number >> 1 & 1); }
};

POPSNN_DEVICE void wait_for_messages(const RecurrentArguments& a, unsigned barrier,
                                     MessageTurn turn) {
  Timeout timeout(a);
  while (!phase_ended(barrier, turn.parity()) && !timeout.expired()) {
  }
}

}  // namespace popsnn
