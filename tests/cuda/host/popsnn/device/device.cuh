// The host version of cuda/popsnn/device/device.cuh: threads run in sequence, each until it ends or
// waits for its block, and a copy happens when it is waited for and no sooner.
#pragma once

#include <popsnn/machine.cuh>

// What kernels call of the C library: with its headers, or all of them precompiled, a kernel takes
// a quarter more time to compile.
extern "C" {
float atanf(float) noexcept;
float cosf(float) noexcept;
float erff(float) noexcept;
float exp2f(float) noexcept;
float expf(float) noexcept;
float expm1f(float) noexcept;
float fabsf(float) noexcept;
float floorf(float) noexcept;
float log1pf(float) noexcept;
float logf(float) noexcept;
float rintf(float) noexcept;
float sinf(float) noexcept;
float sqrtf(float) noexcept;
float tanhf(float) noexcept;
float fmaf(float, float, float) noexcept;
float powf(float, float) noexcept;
}

#define POPSNN_DEVICE inline
#define POPSNN_KERNEL(...) extern "C" void
#define POPSNN_ARGUMENT const

namespace popsnn {

struct Bf16 {
  unsigned short bits;
};

struct Half {
  unsigned short bits;
};

inline int thread_index() { return host::machine.thread; }
inline long long block_index() { return host::machine.block; }

// Threads run one after another: another of the warp is taken to have it for some of them.
inline bool any_of_warp(bool x) {
  return x || (host::machine.thread % 32 == 1 && host::machine.block % 4 == 1);
}

inline unsigned char* shared_memory() {
  auto address = reinterpret_cast<unsigned long>(host::machine.shared_start);
  return reinterpret_cast<unsigned char*>((address + 15) & ~15ul);
}

template <int kBytes>
void copy_async(void* shared, const void* global) {
  static_assert(kBytes == 4 || kBytes == 8 || kBytes == 16);
  host::start_copy(shared, global, kBytes);
}

inline void load_once(const float* from, float (&values)[4]) {
  for (int j = 0; j < 4; ++j) values[j] = from[j];
}

template <int kWords>
void store_whole(void* to, const unsigned (&words)[kWords]) {
  __builtin_memcpy(to, words, sizeof words);
}

void commit_copies();

template <int kPending>
void wait_for_copies() {
  host::wait_for_copies(kPending);
}

// Nothing else runs meanwhile: a count that is too small stays so.
inline void wait_for_count(const unsigned* count, unsigned least, long long) {
  if (static_cast<int>(*count - least) < 0) __builtin_abort();
}

inline void set_count(unsigned* count, unsigned to) { *count = to; }

inline float bits_to_float(unsigned bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

inline unsigned float_to_bits(float x) {
  unsigned bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

inline float half_to_float(unsigned short bits) {
  _Float16 x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return static_cast<float>(x);
}

inline unsigned round_to_16(float x, Bf16) {
  const unsigned bits = float_to_bits(x);
  if (__builtin_isnan(x)) return 0x7fffu;
  return (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
}

inline unsigned round_to_16(float x, Half) {
  if (__builtin_isnan(x)) return 0x7fffu;
  const auto y = static_cast<_Float16>(x);
  unsigned short bits;
  __builtin_memcpy(&bits, &y, sizeof bits);
  return bits;
}

template <class T>
unsigned pack(float low, float high, T type) {
  return round_to_16(low, type) | round_to_16(high, type) << 16;
}

inline float fma(float a, float b, float c) { return fmaf(a, b, c); }
inline float reciprocal(float x) { return 1.0f / x; }
inline float sqrt(float x) { return sqrtf(x); }
inline float rsqrt(float x) { return 1.0f / sqrt(x); }
inline float expm1(float x) { return expm1f(x); }

inline float exp(float x) { return expf(x); }
inline float log(float x) { return logf(x); }

// As coarse as that of a GPU: rounded to 11 bits.
inline float tanh(float x) { return bits_to_float((float_to_bits(tanhf(x)) + 0x800u) & ~0xfffu); }

inline float exp2(float x) { return exp2f(x); }

}  // namespace popsnn
