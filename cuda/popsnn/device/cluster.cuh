// Clusters: blocks that run at once on one processor cluster and write to each other's shared
// memory. The barriers of bulk_copies.cuh count the bytes that arrive.
#pragma once

#include <popsnn/device/bulk_copies.cuh>

// Clusters of so many blocks; a grid is whole clusters. Up to 8 run on every such GPU.
#define CLUSTER_KERNEL(threads, blocks) \
  extern "C" __global__ void __cluster_dims__(blocks, 1, 1) __launch_bounds__(threads, 1)

namespace popsnn {

// Of the block in its cluster.
POPSNN_DEVICE int block_rank() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return in_register(static_cast<int>(rank));
}

// Translates an address of this block's shared memory to that of another block of the cluster.
// Only arguments named `remote` below take such addresses.
POPSNN_DEVICE unsigned address_in_block(unsigned address, int rank) {
  unsigned remote;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(address), "r"(rank));
  return remote;
}

// Starts to store words in another block, which completes their bytes at a barrier of that block;
// who sees the phase end sees them. A message costs the cluster's network about 4 clocks up to 32
// bytes, and of more 16 bytes a clock; neighbouring lanes' words to the same block are coalesced.
POPSNN_DEVICE void send(unsigned remote, unsigned x, unsigned remote_barrier) {
  asm volatile(
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
          remote),
      "r"(x), "r"(remote_barrier)
      : "memory");
}

POPSNN_DEVICE void send(unsigned remote, const Words4& x, unsigned remote_barrier) {
  asm volatile(
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], {%1, %2, %3, %4}, "
      "[%5];" ::"r"(remote),
      "r"(x.word[0]), "r"(x.word[1]), "r"(x.word[2]), "r"(x.word[3]), "r"(remote_barrier)
      : "memory");
}

// Whether the phase of a parity has ended; polls for a while. What was sent is in shared memory: an
// acquire of cluster scope would invalidate L1's lines of global memory.
POPSNN_DEVICE bool phase_ended(unsigned barrier, unsigned parity) {
  unsigned done;
  asm volatile(
      "{\n.reg .pred p;\n"
      "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
      "selp.u32 %0, 1, 0, p;\n}"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done != 0;
}

// A barrier of all threads of all blocks; earlier stores are visible after it. A block must not end
// while others may still store in it.
POPSNN_DEVICE void sync_cluster() {
  asm volatile(
      "barrier.cluster.arrive.release.aligned;\n"
      "barrier.cluster.wait.acquire.aligned;" ::
          : "memory");
}

}  // namespace popsnn
