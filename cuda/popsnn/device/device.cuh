// The GPU's built-ins that kernels use: thread indices, asynchronous copies, 16-bit floats and
// fast arithmetic. Only this header, block.cuh, hopper.cuh, bulk_copies.cuh and cluster.cuh are
// more than C++17; headers of the same names in tests/cuda/host run the same kernels on a CPU.
#pragma once

#define POPSNN_DEVICE __device__ __forceinline__
#define POPSNN_KERNEL(...) extern "C" __global__ void __launch_bounds__(__VA_ARGS__)
#define POPSNN_ARGUMENT const __grid_constant__

namespace popsnn {

struct Bf16 {
  unsigned short bits;
};

struct Half {
  unsigned short bits;
};

POPSNN_DEVICE int thread_index() { return static_cast<int>(threadIdx.x); }
POPSNN_DEVICE long long block_index() { return blockIdx.x; }

// Whether x is true in a thread of this warp; threads that have returned do not count.
POPSNN_DEVICE bool any_of_warp(bool x) { return __any_sync(0xffffffffu, x) != 0; }

POPSNN_DEVICE unsigned char* shared_memory() {
  extern __shared__ __align__(1024) unsigned char popsnn_shared[];
  return popsnn_shared;
}

// Starts to copy kBytes (4, 8 or 16) from global to shared memory.
template <int kBytes>
POPSNN_DEVICE void copy_async(void* shared, const void* global) {
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  if constexpr (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(global), "n"(kBytes)
                 : "memory");
  }
}

// Loads 16 bytes past L1. No other thread reads them, and no kernel writes them meanwhile.
POPSNN_DEVICE void load_once(const float* from, float (&values)[4]) {
  asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(values[0]), "=f"(values[1]), "=f"(values[2]), "=f"(values[3])
               : "l"(from));
}

// Stores 8 or 16 bytes of global memory at once: an assignment becomes words in some kernels.
template <int kWords>
POPSNN_DEVICE void store_whole(void* to, const unsigned (&words)[kWords]) {
  static_assert(kWords == 2 || kWords == 4, "a vector");
  if constexpr (kWords == 2) {
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(words[0]), "r"(words[1])
                 : "memory");
  } else {
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(words[0]), "r"(words[1]),
                 "r"(words[2]), "r"(words[3])
                 : "memory");
  }
}

// Ends a group of copies; an empty group is complete at once.
POPSNN_DEVICE void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until all but the last kPending groups of this thread are complete.
template <int kPending>
POPSNN_DEVICE void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

// Waits until the count, which another GPU writes too, is at least `least`; that GPU's earlier
// writes are then visible. Traps where that takes more than `timeout` nanoseconds.
POPSNN_DEVICE void wait_for_count(const unsigned* count, unsigned least, long long timeout) {
  unsigned long long since = 0;
  for (;;) {
    unsigned value;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(count) : "memory");
    if (static_cast<int>(value - least) >= 0) return;
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (since == 0) since = now;
    if (static_cast<long long>(now - since) > timeout) asm volatile("trap;");
  }
}

// Sets a count, which another GPU reads too, after all that the block wrote before its last wait.
POPSNN_DEVICE void set_count(unsigned* count, unsigned to) {
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(count), "r"(to) : "memory");
}

POPSNN_DEVICE float bits_to_float(unsigned bits) { return __uint_as_float(bits); }
POPSNN_DEVICE unsigned float_to_bits(float x) { return __float_as_uint(x); }

POPSNN_DEVICE float half_to_float(unsigned short bits) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}

// Two floats, rounded to nearest even, as 16 + 16 bits; `low` lies at the lower address.
POPSNN_DEVICE unsigned pack(float low, float high, Bf16) {
  unsigned word;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  return word;
}

POPSNN_DEVICE unsigned pack(float low, float high, Half) {
  unsigned word;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  return word;
}

// A fused multiply-add with one rounding: forward and backward must compute the same membrane.
POPSNN_DEVICE float fma(float a, float b, float c) { return __fmaf_rn(a, b, c); }

// 1 / x within 1 ulp, one instruction.
POPSNN_DEVICE float reciprocal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

POPSNN_DEVICE float sqrt(float x) { return __fsqrt_rn(x); }
POPSNN_DEVICE float rsqrt(float x) { return __frcp_rn(sqrt(x)); }

// e^x - 1, also where that is small.
POPSNN_DEVICE float expm1(float x) { return expm1f(x); }

POPSNN_DEVICE float exp(float x) { return expf(x); }
POPSNN_DEVICE float log(float x) { return logf(x); }

// 2^x within 2 ulp, one instruction.
POPSNN_DEVICE float exp2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// Within 2^-11 of its value, one instruction.
POPSNN_DEVICE float tanh(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

}  // namespace popsnn
