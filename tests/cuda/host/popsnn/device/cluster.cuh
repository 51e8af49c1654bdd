// The host version of cuda/popsnn/device/cluster.cuh: messages arrive some time later, not in the
// order in which they were sent; with POPSNN_HOST_LOSES those of a cluster's second block never do.
#pragma once

#include <popsnn/device/bulk_copies.cuh>

#define CLUSTER_KERNEL(threads, blocks) extern "C" void

namespace popsnn {

namespace host {

constexpr int kRankShift = 20;  // of an address; a block's shared memory is smaller

struct Message {
  int thread;  // that sends it
  int block;
  unsigned to;
  unsigned barrier;
  unsigned words[4];
  int bytes;

  void arrive() const {
    Block& there = grid.blocks[static_cast<std::size_t>(block)];
    if (!there.races.within(thread, "sends to", to, bytes)) return;
    std::memcpy(start_of(there) + to, words, static_cast<std::size_t>(bytes));
    CountingBarrier& state = barrier_at(there, barrier);
    state.bytes -= bytes;
    state.check();
  }
};

inline int first_of_cluster() {
  return static_cast<int>(machine.block) / grid.cluster * grid.cluster;
}

inline void send(unsigned remote, const unsigned* words, int count, unsigned remote_barrier) {
  constexpr unsigned kMask = (1u << kRankShift) - 1u;
  const int rank = static_cast<int>(remote >> kRankShift);
  if (rank >= grid.cluster || remote >> kRankShift != remote_barrier >> kRankShift) {
    grid.block().races.report("thread " + std::to_string(machine.thread) + " sends to block " +
                              std::to_string(rank) + " of a cluster of " +
                              std::to_string(grid.cluster) + ", its barrier in block " +
                              std::to_string(remote_barrier >> kRankShift));
    return;
  }
  Message message = {
      machine.thread, first_of_cluster() + rank, remote & kMask, remote_barrier & kMask, {},
      4 * count};
  std::memcpy(message.words, words, static_cast<std::size_t>(4 * count));
#ifdef POPSNN_HOST_LOSES
  if (machine.block % grid.cluster == 1) return;
#endif
  grid.later.push_back([message] { message.arrive(); });
}

}  // namespace host

inline int block_rank() { return static_cast<int>(host::machine.block) % host::grid.cluster; }

inline unsigned address_in_block(unsigned address, int rank) {
  return address | static_cast<unsigned>(rank) << host::kRankShift;
}

inline void send(unsigned remote, unsigned x, unsigned remote_barrier) {
  host::send(remote, &x, 1, remote_barrier);
}

inline void send(unsigned remote, const Words4& x, unsigned remote_barrier) {
  host::send(remote, x.word, 4, remote_barrier);
}

inline bool phase_ended(unsigned barrier, unsigned parity) {
  host::CountingBarrier& state = host::barrier_at(barrier);
  if (state.phase % 2 == parity) host::grid.yield();
  if (state.phase % 2 == parity) return false;
  host::see_phase(state);
  return true;
}

inline void sync_cluster() {
  host::Meeting& meeting =
      host::grid.clusters[static_cast<std::size_t>(host::machine.block / host::grid.cluster)];
  host::Block& block = host::grid.block();
  const unsigned round = meeting.round;
  block.races.release(host::machine.thread, block.of_cluster, round);
  meeting.arrive(host::grid.cluster * host::machine.threads);
  host::grid.wait_while(meeting.round, round);
  block.races.acquire(host::machine.thread, block.of_cluster, round);
}

}  // namespace popsnn
