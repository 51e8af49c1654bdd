// A recurrent layer of up to 1024 neurons in clusters: common code of forward and backward.
//
// A cluster's blocks hold all weights of the layer in registers, 64 neurons each, and run all steps
// of up to 8 samples: clusters do not communicate. A step of a block is
//
//   product  8 warps, each for a quarter of the senders and half of the block's neurons: weights
//            are the tensor cores' operand of 16 rows, what the senders published that of 8
//            columns. Partial sums go to shared memory, [quarter, sample, neuron].
//   cells    a warp a sample, a lane two neurons: it adds up their sums and steps them.
//   send     the outcome goes to the shared memory of all blocks, where barriers count its bytes.
//            It is double-buffered there: a block that sends the outcome of step t has received
//            that of step t - 1 from all blocks, which thus are done with that of step t - 2.
//
// Stores of a step and loads of the next overlap with the transfer of the messages.
#pragma once

#include <popsnn/device/cluster.cuh>
#include <popsnn/recurrent/recurrent.cuh>

namespace popsnn {

constexpr int kClusterNeurons = 64;  // of a block
constexpr int kClusterSamples = 8;   // of a cluster, at most: columns of a tile, and warps
constexpr int kClusterThreads = 32 * kClusterSamples;
constexpr int kQuarters = 4;  // of the senders

// kMessageBytes: of the message that a block sends to each other block at a step.
template <int kBlocksOfCluster, int kMessageBytes>
struct ClusterShape {
  static constexpr int kBlocks = kBlocksOfCluster;  // 4, 8 or 16
  static constexpr int kQuarter = kBlocks / kQuarters;
  static constexpr int kBytes = kMessageBytes;

  // Bytes from the start of the shared memory, of which Timeout has the first word;
  // python/popsnn/cuda/recurrent/cluster/launch.py has the size of all.
  static constexpr int kBarriers = 16;   // of messages, a barrier for each buffer and block
  static constexpr int kStaged = 320;    // what the block sends, gathered
  static constexpr int kMessages = 384;  // [buffer, block, kMessageBytes]
  static constexpr int kPartials =
      kMessages + 2 * kBlocks * kBytes;                   // [buffer, quarter, sample, row]
  static constexpr int kRow = 4 * (kClusterNeurons + 4);  // padded against bank conflicts
  static constexpr int kLine =  // [step, sample, neuron], of layers with delays
      kPartials + 2 * kQuarters * kClusterSamples * kRow;
  static constexpr int kLineRow = 4 * kClusterSamples * kClusterNeurons;

  POPSNN_DEVICE static unsigned start() { return shared_address(shared_memory()); }
  POPSNN_DEVICE static unsigned barrier(int buffer, int index) {
    return static_cast<unsigned>(kBarriers + 8 * (buffer * kBlocks + index));
  }
  POPSNN_DEVICE static unsigned message(int buffer, int block) {
    return static_cast<unsigned>(kMessages + (buffer * kBlocks + block) * kBytes);
  }
  POPSNN_DEVICE static unsigned partial(int buffer, int quarter, int sample) {
    return static_cast<unsigned>(
        kPartials + ((buffer * kQuarters + quarter) * kClusterSamples + sample) * kRow);
  }
};

struct ClusterArguments : RecurrentArguments {
  // Different from RecurrentArguments:
  //   weight          Sixteen [N, pitch], 0 beyond N
  //   grad_parameter  [clusters, parameters, N]
  int samples;  // of a cluster; the last cluster may have fewer
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

// The first neuron of a lane that steps cells; the second is 32 further. So the two halves of a
// word of bits or of values belong to neighbours in memory.
POPSNN_DEVICE int neuron_of_lane(int lane) { return lane % 16 * 2 + lane / 16; }

// The n-th message from a block: its buffer, and the parity of its barrier's phase.
struct MessageTurn {
  int number;

  POPSNN_DEVICE int buffer() const { return number & 1; }
  POPSNN_DEVICE unsigned parity() const { return static_cast<unsigned>(number >> 1 & 1); }
};

POPSNN_DEVICE void wait_for_messages(const RecurrentArguments& a, unsigned barrier,
                                     MessageTurn turn) {
  Timeout timeout(a);
  while (!phase_ended(barrier, turn.parity()) && !timeout.expired()) {
  }
}

}  // namespace popsnn
