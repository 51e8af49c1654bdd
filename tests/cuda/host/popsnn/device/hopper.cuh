// The host version of cuda/popsnn/device/hopper.cuh: the threads of all blocks take turns, each
// until it ends or waits for others.
#pragma once

#include <popsnn/device/block.cuh>

#define PERSISTENT_KERNEL(threads) extern "C" void
#define COOPERATIVE_KERNEL(threads) extern "C" void

namespace popsnn {

struct alignas(8) Words2 {
  unsigned word[2];
};

struct alignas(16) Words4 {
  unsigned word[4];
};

inline int in_register(int x) { return x; }
inline const unsigned char* in_register(const unsigned char* x) { return x; }

template <int kRegisters>
void grow_registers() {}

template <int kRegisters>
void shrink_registers() {}

inline unsigned shared_address(const void* shared) {
  return static_cast<unsigned>(static_cast<const unsigned char*>(shared) - shared_memory());
}

// Shared memory counts as written when the copy is started.
inline void copy_async(unsigned to, const void* from, int bytes) {
  host::copy_to_shared(to, from, bytes);
}
inline void copy_async(unsigned to, const void* from) { host::copy_to_shared(to, from, 16); }

inline void store_shared(unsigned to, const float (&x)[4]) { host::write_shared(to, x, sizeof x); }
inline void store_shared(unsigned to, const Words4& x) { host::write_shared(to, &x, sizeof x); }
inline void store_shared(unsigned to, const Words2& x) { host::write_shared(to, &x, sizeof x); }
inline void store_shared_word(unsigned to, unsigned x) { host::write_shared(to, &x, sizeof x); }

inline float load_shared_float(unsigned from) {
  float x;
  host::read_shared(&x, from, sizeof x);
  return x;
}

inline unsigned load_shared_word(unsigned from) {
  unsigned x;
  host::read_shared(&x, from, sizeof x);
  return x;
}

inline void load_shared(unsigned from, float (&x)[4]) { host::read_shared(x, from, sizeof x); }
inline void load_shared(unsigned from, Words2& x) { host::read_shared(&x, from, sizeof x); }
inline void load_shared(unsigned from, Words4& x) { host::read_shared(&x, from, sizeof x); }

inline void load_shared_pair(unsigned from, float (&x)[2]) { host::read_shared(x, from, sizeof x); }

inline void prefetch_to_l2(const void*) {}
inline unsigned load_shared_by_all(const unsigned* from) { return *from; }
inline Words2 load_shared_by_all(const Words2* from) { return *from; }
inline Words4 load_shared_by_all(const Words4* from) { return *from; }
inline unsigned long long load_shared_by_all(const unsigned long long* from) { return *from; }

template <int kCount>
void load_from_others(const float* from, float (&x)[kCount]) {
  __builtin_memcpy(x, from, sizeof x);
}

inline void store_for_all(unsigned* to, unsigned x) { *to = x; }
inline void store_for_all(Words2* to, const Words2& x) { *to = x; }
inline void store_for_all(unsigned short* to, unsigned short x) { *to = x; }
inline void store_for_all(unsigned long long* to, unsigned long long x) { *to = x; }
inline void add_and_release(unsigned* to, unsigned x) { *to += x; }

inline unsigned load_and_acquire(const unsigned* from) {
  host::yield();
  return *from;
}

inline void set_bits_for_all(unsigned* to, unsigned bits) { *to |= bits; }
inline void store_for_host(int* to, int x) { *to = x; }

// A microsecond for each turn of all threads.
inline unsigned long long nanoseconds() { return 1 + 1000 * host::turns(); }

inline void wait_clocks(int) {}

// Kernels run one after another.
inline void wait_for_earlier_kernel() {}
inline void let_next_kernel_start() {}

inline bool all(bool x) { return ballot(x) == 0xffffffffu; }
float shuffle_xor(float x, int mask);

// Lane 4 g + c has rows g and g + 8 of `a`, column g of `b`, of numbers of the last type.
void multiply_tile(float (&sum)[4], const Words4& a, const unsigned (&b)[2], Bf16);
void multiply_tile(float (&sum)[4], const Words4& a, const unsigned (&b)[2], Half);

Words4 load_matrices(unsigned row);
Words4 load_matrices_transposed(unsigned row);

void arrive_barrier(int barrier, int threads);
void sync_barrier(int barrier, int threads);
void sync_warp();

}  // namespace popsnn
