// The host version of cuda/popsnn/device/cluster.cuh: messages arrive some time later, not in the
// order in which they were sent; those of a cluster's second block never do where the runner says
// so.
#pragma once

#include <popsnn/device/bulk_copies.cuh>

#define CLUSTER_KERNEL(threads, blocks) extern "C" void

namespace popsnn {

namespace host {

constexpr int kRankShift = 20;  // of an address; a block's shared memory is smaller

}  // namespace host

inline int block_rank() { return static_cast<int>(host::machine.block) % host::machine.cluster; }

inline unsigned address_in_block(unsigned address, int rank) {
  return address | static_cast<unsigned>(rank) << host::kRankShift;
}

inline void send(unsigned remote, unsigned x, unsigned remote_barrier) {
  host::send(remote, &x, 1, remote_barrier);
}

inline void send(unsigned remote, const Words4& x, unsigned remote_barrier) {
  host::send(remote, x.word, 4, remote_barrier);
}

bool phase_ended(unsigned barrier, unsigned parity);
void sync_cluster();

}  // namespace popsnn
