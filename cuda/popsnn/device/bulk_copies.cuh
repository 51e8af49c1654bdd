// Copies of tiles of a matrix to shared memory by the copy engine of a GPU of compute capability
// 9.0, and the counting barriers in shared memory that such copies and warps complete.
#pragma once

#include <popsnn/device/hopper.cuh>

namespace popsnn {

// The result of cuTensorMapEncodeTiled for a matrix; a member of a kernel's arguments.
struct alignas(64) MatrixMap {
  unsigned char opaque[128];
};

// A barrier is 8 bytes of shared memory, named by its address. Each phase needs `count` arrivals
// and the bytes that were announced. A phase is identified by its parity; that of the first is 0.
POPSNN_DEVICE void make_barrier(unsigned barrier, int count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}

// Lets the copy engine see barriers that this thread made.
POPSNN_DEVICE void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

POPSNN_DEVICE void arrive(unsigned barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// Arrives and announces bytes.
POPSNN_DEVICE void arrive_with(unsigned barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}

// Whether the phase has ended, without a wait.
POPSNN_DEVICE bool phase_is_over(unsigned barrier, unsigned parity) {
  unsigned done;
  asm volatile(
      "{\n.reg .pred p;\n"
      "mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
      "selp.u32 %0, 1, 0, p;\n}"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done != 0;
}

// Waits for the end of the phase of a parity: of the current phase or of that before.
POPSNN_DEVICE void wait_for_phase(unsigned barrier, unsigned parity) {
#if __CUDA_ARCH__ >= 900
  unsigned done;
  do {
    asm volatile(
        "{\n.reg .pred p;\n"
        "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p;\n}"
        : "=r"(done)
        : "r"(barrier), "r"(parity)
        : "memory");
  } while (done == 0);
#else
  while (!phase_is_over(barrier, parity)) {
  }
#endif
}

// Starts to copy the map's box at (row, column), which completes its bytes at a barrier; elements
// beyond the matrix are 0.
POPSNN_DEVICE void copy_box(unsigned to, const MatrixMap& map, int row, int column,
                            unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
      "[%1, {%2, %3}], [%4];" ::"r"(to),
      "l"(&map), "r"(column), "r"(row), "r"(barrier)
      : "memory");
}

// Lets copies that this thread starts see what it sees of other threads' stores.
POPSNN_DEVICE void see_in_copies() { asm volatile("fence.proxy.async.global;" ::: "memory"); }

}  // namespace popsnn
