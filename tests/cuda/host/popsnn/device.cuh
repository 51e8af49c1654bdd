// What cuda/popsnn/device.cuh takes from the GPU, on a CPU: threads run one after the other, and a
// copy happens when it is waited for and no sooner.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <vector>

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

namespace host {

struct Copy {
  void* to;
  const void* from;
  int bytes;
};

struct Machine {
  int thread = 0;
  long long block = 0;
  std::vector<unsigned char> shared;
  std::vector<Copy> open;
  std::deque<std::vector<Copy>> groups;
};

inline Machine machine;

// Runs every thread of every block. Shared memory starts as numbers too large to go unnoticed.
template <class Kernel, class Arguments>
void run(Kernel kernel, const Arguments& arguments, long long blocks, int threads, int bytes) {
  for (machine.block = 0; machine.block < blocks; ++machine.block) {
    machine.shared.assign(static_cast<std::size_t>(bytes) + 16, 0x7f);
    for (machine.thread = 0; machine.thread < threads; ++machine.thread) {
      machine.open.clear();
      machine.groups.clear();
      kernel(arguments);
    }
  }
}

}  // namespace host

inline int thread_index() { return host::machine.thread; }
inline long long block_index() { return host::machine.block; }

inline unsigned char* shared_memory() {
  auto address = reinterpret_cast<std::uintptr_t>(host::machine.shared.data());
  return reinterpret_cast<unsigned char*>((address + 15) & ~std::uintptr_t{15});
}

template <int kBytes>
void copy_async(void* shared, const void* global) {
  static_assert(kBytes == 4 || kBytes == 8 || kBytes == 16);
  host::machine.open.push_back({shared, global, kBytes});
}

inline void commit_copies() {
  host::machine.groups.push_back(host::machine.open);
  host::machine.open.clear();
}

template <int kPending>
void wait_for_copies() {
  auto& groups = host::machine.groups;
  for (; groups.size() > kPending; groups.pop_front()) {
    for (const auto& copy : groups.front()) std::memcpy(copy.to, copy.from, copy.bytes);
  }
}

inline float bits_to_float(unsigned bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

inline unsigned float_to_bits(float x) {
  unsigned bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

inline float half_to_float(unsigned short bits) {
  _Float16 x;
  std::memcpy(&x, &bits, sizeof x);
  return static_cast<float>(x);
}

inline unsigned round_to_16(float x, Bf16) {
  const unsigned bits = float_to_bits(x);
  if (std::isnan(x)) return 0x7fffu;
  return (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
}

inline unsigned round_to_16(float x, Half) {
  const auto y = static_cast<_Float16>(x);
  unsigned short bits;
  std::memcpy(&bits, &y, sizeof bits);
  return bits;
}

template <class T>
unsigned pack(float low, float high, T type) {
  return round_to_16(low, type) | round_to_16(high, type) << 16;
}

inline float multiply_add(float a, float b, float c) { return std::fma(a, b, c); }
inline float reciprocal(float x) { return 1.0f / x; }
inline float inverse_root(float x) { return 1.0f / std::sqrt(x); }

// As coarse as that of a GPU: rounded to 11 bits.
inline float hyperbolic_tangent(float x) {
  return bits_to_float((float_to_bits(std::tanh(x)) + 0x800u) & ~0xfffu);
}

inline float power_of_two(float x) { return std::exp2(x); }

}  // namespace popsnn
