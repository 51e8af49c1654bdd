// Built-ins that persistent kernels use, in addition to block.cuh: loads and stores that other
// multiprocessors see, tensor cores, barriers of some of a block's warps. Compute capability 8.0
// has all but those that move registers between warps, which 9.0 has.
#pragma once

#include <popsnn/device/block.cuh>

// Of compute capability 9.0 and no other; and of any from 8.0 on.
#define PERSISTENT_KERNEL(threads) extern "C" __global__ void __launch_bounds__(threads, 1)
#define COOPERATIVE_KERNEL(threads) extern "C" __global__ void __launch_bounds__(threads, 1)

namespace popsnn {

constexpr unsigned kAllLanes = 0xffffffffu;

// x, pinned in a register: where registers are few the compiler would compute it again at each use,
// and the instruction that reads a thread's index waits behind those of shared memory.
POPSNN_DEVICE int in_register(int x) {
  asm volatile("" : "+r"(x));
  return x;
}

POPSNN_DEVICE const unsigned char* in_register(const unsigned char* x) {
  asm volatile("" : "+l"(x));
  return x;
}

struct alignas(8) Words2 {
  unsigned word[2];
};

struct alignas(16) Words4 {
  unsigned word[4];
};

// Registers of each thread of a warpgroup, a multiple of 8; all its warps must call it.
template <int kRegisters>
POPSNN_DEVICE void grow_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

template <int kRegisters>
POPSNN_DEVICE void shrink_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

// Starts to copy 16 bytes from global to shared memory, of which the first `bytes` are read and the
// others become 0.
POPSNN_DEVICE void copy_async(unsigned to, const void* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes)
               : "memory");
}

// The same of all 16 bytes.
POPSNN_DEVICE void copy_async(unsigned to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

// An address in shared memory, pinned in a register by `in_register`.
POPSNN_DEVICE unsigned shared_address(const void* shared) {
  return static_cast<unsigned>(in_register(static_cast<int>(__cvta_generic_to_shared(shared))));
}

POPSNN_DEVICE void store_shared(unsigned to, const float (&x)[4]) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(to), "f"(x[0]), "f"(x[1]),
               "f"(x[2]), "f"(x[3])
               : "memory");
}

POPSNN_DEVICE void store_shared(unsigned to, const Words4& x) {
  asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(x.word[0]), "r"(x.word[1]),
               "r"(x.word[2]), "r"(x.word[3])
               : "memory");
}

POPSNN_DEVICE void load_shared(unsigned from, float (&x)[4]) {
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(x[0]), "=f"(x[1]), "=f"(x[2]), "=f"(x[3])
               : "r"(from)
               : "memory");
}

POPSNN_DEVICE float load_shared_float(unsigned from) {
  float x;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(from) : "memory");
  return x;
}

POPSNN_DEVICE void load_shared_pair(unsigned from, float (&x)[2]) {
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(x[0]), "=f"(x[1]) : "r"(from) : "memory");
}

POPSNN_DEVICE void store_shared(unsigned to, const Words2& x) {
  asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(to), "r"(x.word[0]), "r"(x.word[1])
               : "memory");
}

POPSNN_DEVICE void store_shared_word(unsigned to, unsigned x) {
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(to), "r"(x) : "memory");
}

POPSNN_DEVICE unsigned load_shared_word(unsigned from) {
  unsigned x;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(from) : "memory");
  return x;
}

POPSNN_DEVICE void load_shared(unsigned from, Words2& x) {
  asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
               : "=r"(x.word[0]), "=r"(x.word[1])
               : "r"(from)
               : "memory");
}

POPSNN_DEVICE void load_shared(unsigned from, Words4& x) {
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(x.word[0]), "=r"(x.word[1]), "=r"(x.word[2]), "=r"(x.word[3])
               : "r"(from)
               : "memory");
}

// Four matrices of 8 x 8 16-bit numbers. Lane 8 m + r has the address of row r of matrix m, 16
// bytes. Lane 4 g + c gets row g, columns 2 c and 2 c + 1 of each; transposed, rows 2 c and 2 c + 1
// of column g.
POPSNN_DEVICE Words4 load_matrices(unsigned row) {
  Words4 x;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(x.word[0]), "=r"(x.word[1]), "=r"(x.word[2]), "=r"(x.word[3])
               : "r"(row)
               : "memory");
  return x;
}

POPSNN_DEVICE Words4 load_matrices_transposed(unsigned row) {
  Words4 x;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(x.word[0]), "=r"(x.word[1]), "=r"(x.word[2]), "=r"(x.word[3])
               : "r"(row)
               : "memory");
  return x;
}

// Starts to load the line of an address from memory to L2.
POPSNN_DEVICE void prefetch_to_l2(const void* global) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(global));
}

// Past L1, where stores of other multiprocessors would not be seen.
POPSNN_DEVICE unsigned load_shared_by_all(const unsigned* from) {
  unsigned x;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(from));
  return x;
}

POPSNN_DEVICE Words2 load_shared_by_all(const Words2* from) {
  Words2 x;
  asm volatile("ld.relaxed.gpu.global.v2.u32 {%0, %1}, [%2];"
               : "=r"(x.word[0]), "=r"(x.word[1])
               : "l"(from));
  return x;
}

POPSNN_DEVICE Words4 load_shared_by_all(const Words4* from) {
  Words4 x;
  asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(x.word[0]), "=r"(x.word[1]), "=r"(x.word[2]), "=r"(x.word[3])
               : "l"(from));
  return x;
}

POPSNN_DEVICE unsigned long long load_shared_by_all(const unsigned long long* from) {
  unsigned long long x;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(from));
  return x;
}

POPSNN_DEVICE void load_from_others(const float* from, float (&x)[1]) {
  asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];" : "=f"(x[0]) : "l"(from));
}

POPSNN_DEVICE void load_from_others(const float* from, float (&x)[4]) {
  asm volatile("ld.relaxed.gpu.global.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(x[0]), "=f"(x[1]), "=f"(x[2]), "=f"(x[3])
               : "l"(from));
}

POPSNN_DEVICE void store_for_all(unsigned* to, unsigned x) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(x) : "memory");
}

POPSNN_DEVICE void store_for_all(Words2* to, const Words2& x) {
  asm volatile("st.relaxed.gpu.global.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(x.word[0]),
               "r"(x.word[1])
               : "memory");
}

POPSNN_DEVICE void store_for_all(unsigned short* to, unsigned short x) {
  asm volatile("st.relaxed.gpu.global.u16 [%0], %1;" ::"l"(to), "h"(x) : "memory");
}

POPSNN_DEVICE void store_for_all(unsigned long long* to, unsigned long long x) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(x) : "memory");
}

// Adds to a counter. A thread that then loads it by `load_and_acquire` sees what this thread saw or
// wrote.
POPSNN_DEVICE void add_and_release(unsigned* to, unsigned x) {
  __threadfence();
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(to), "r"(x) : "memory");
}

POPSNN_DEVICE unsigned load_and_acquire(const unsigned* from) {
  unsigned x;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(from) : "memory");
  return x;
}

POPSNN_DEVICE void set_bits_for_all(unsigned* to, unsigned bits) {
  asm volatile("red.relaxed.gpu.global.or.b32 [%0], %1;" ::"l"(to), "r"(bits) : "memory");
}

// Seen by the host too.
POPSNN_DEVICE void store_for_host(int* to, int x) {
  asm volatile("st.relaxed.sys.global.s32 [%0], %1;" ::"l"(to), "r"(x) : "memory");
}

POPSNN_DEVICE unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

// Waits for at least `clocks` clocks.
POPSNN_DEVICE void wait_clocks(int clocks) {
  const long long begin = clock64();
  while (clock64() - begin < clocks) {
  }
}

// In a kernel that is launched before an earlier kernel of the stream has ended: waits for its end,
// and for all that it wrote. Before, a kernel may read only what was written before the earlier one
// began; one that is not launched early begins when all kernels before it have ended.
POPSNN_DEVICE void wait_for_earlier_kernel() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Lets the next kernel of the stream be launched, if it is one that waits for this one itself.
POPSNN_DEVICE void let_next_kernel_start() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

POPSNN_DEVICE bool all(bool x) { return __all_sync(kAllLanes, x) != 0; }
POPSNN_DEVICE float shuffle_xor(float x, int mask) { return __shfl_xor_sync(kAllLanes, x, mask); }

// sum [16, 8] += a [16, 16] b [16, 8], operands of 16 bits. Lane 4 g + c has of a the rows g and
// g + 8 in turn, columns 2 c and 2 c + 1, then both rows of columns 2 c + 8 and 2 c + 9; of b
// column g, the same rows as a's columns; of sum row g, then g + 8, columns 2 c and 2 c + 1.
POPSNN_DEVICE void multiply_tile(float (&sum)[4], const Words4& a, const unsigned (&b)[2], Bf16) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a.word[0]), "r"(a.word[1]), "r"(a.word[2]), "r"(a.word[3]), "r"(b[0]), "r"(b[1]));
}

POPSNN_DEVICE void multiply_tile(float (&sum)[4], const Words4& a, const unsigned (&b)[2], Half) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a.word[0]), "r"(a.word[1]), "r"(a.word[2]), "r"(a.word[3]), "r"(b[0]), "r"(b[1]));
}

// A named barrier of the block, of `threads` threads: those that arrive need not wait.
POPSNN_DEVICE void arrive_barrier(int barrier, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

POPSNN_DEVICE void sync_barrier(int barrier, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

POPSNN_DEVICE void sync_warp() { __syncwarp(); }

}  // namespace popsnn
