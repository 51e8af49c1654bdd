// The host version of cuda/popsnn/device/device.cuh: threads run in sequence, each until it ends or
// waits for its block, and a copy happens when it is waited for and no sooner.
#pragma once

#include <ucontext.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
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

// Those that a thread has started.
struct Copies {
  std::vector<Copy> open;
  std::deque<std::vector<Copy>> groups;
};

struct Thread {
  ucontext_t context;
  std::vector<unsigned char> stack = std::vector<unsigned char>(1 << 17);
  bool ended = false;
  Copies copies;
};

struct Machine {
  int thread = 0;
  int threads = 0;
  long long block = 0;
  std::vector<unsigned char> shared;
  unsigned char* shared_start = nullptr;
  std::deque<Thread> of_block;
  Copies* copies = nullptr;  // of the thread that runs
  ucontext_t scheduler;
  void (*body)(const void*, const void*) = nullptr;
  const void* kernel = nullptr;
  const void* arguments = nullptr;
  // How threads of blocks that run at once wait and exchange numbers (hopper.cuh); null where
  // blocks run in sequence.
  void (*sync_together)() = nullptr;
  std::array<unsigned, 32> (*exchange_together)(unsigned) = nullptr;

  Thread& own() { return of_block[static_cast<std::size_t>(thread)]; }

  // Runs the other threads; returns when each has reached its next wait.
  void wait() { swapcontext(&own().context, &scheduler); }
};

inline Machine machine;

inline void begin_thread() {
  machine.body(machine.kernel, machine.arguments);
  machine.own().ended = true;
}

inline void run_block() {
  for (int i = 0; i < machine.threads; ++i) {
    Thread& thread = machine.of_block[static_cast<std::size_t>(i)];
    thread.ended = false;
    thread.copies = {};
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.data();
    thread.context.uc_stack.ss_size = thread.stack.size();
    thread.context.uc_link = &machine.scheduler;
    makecontext(&thread.context, begin_thread, 0);
  }
  for (bool left = true; left;) {
    left = false;
    for (machine.thread = 0; machine.thread < machine.threads; ++machine.thread) {
      if (machine.own().ended) continue;
      machine.copies = &machine.own().copies;
      swapcontext(&machine.scheduler, &machine.own().context);
      left = left || !machine.own().ended;
    }
  }
}

// Runs every thread of every block. Shared memory starts as numbers too large to go unnoticed.
template <class Arguments>
void run(void (*kernel)(Arguments), const Arguments& arguments, long long blocks, int threads,
         int bytes) {
  machine.sync_together = nullptr;
  machine.exchange_together = nullptr;
  machine.threads = threads;
  machine.of_block.resize(static_cast<std::size_t>(threads));
  machine.kernel = reinterpret_cast<const void*>(kernel);
  machine.arguments = &arguments;
  machine.body = [](const void* function, const void* arguments) {
    reinterpret_cast<void (*)(Arguments)>(const_cast<void*>(function))(
        *static_cast<const Arguments*>(arguments));
  };
  for (machine.block = 0; machine.block < blocks; ++machine.block) {
    machine.shared.assign(static_cast<std::size_t>(bytes) + 16, 0x7f);
    machine.shared_start = machine.shared.data();
    run_block();
  }
}

}  // namespace host

inline int thread_index() { return host::machine.thread; }
inline long long block_index() { return host::machine.block; }

// Threads run one after another: another of the warp is taken to have it for some of them.
inline bool any_of_warp(bool x) {
  return x || (host::machine.thread % 32 == 1 && host::machine.block % 4 == 1);
}

inline unsigned char* shared_memory() {
  auto address = reinterpret_cast<std::uintptr_t>(host::machine.shared_start);
  return reinterpret_cast<unsigned char*>((address + 15) & ~std::uintptr_t{15});
}

template <int kBytes>
void copy_async(void* shared, const void* global) {
  static_assert(kBytes == 4 || kBytes == 8 || kBytes == 16);
  host::machine.copies->open.push_back({shared, global, kBytes});
}

inline void commit_copies() {
  host::Copies& own = *host::machine.copies;
  own.groups.push_back(own.open);
  own.open.clear();
}

template <int kPending>
void wait_for_copies() {
  auto& groups = host::machine.copies->groups;
  for (; groups.size() > kPending; groups.pop_front()) {
    for (const auto& copy : groups.front()) std::memcpy(copy.to, copy.from, copy.bytes);
  }
}

// Nothing else runs meanwhile: a count that is too small stays so.
inline void wait_for_count(const unsigned* count, unsigned least, long long) {
  if (static_cast<int>(*count - least) < 0) std::abort();
}

inline void set_count(unsigned* count, unsigned to) { *count = to; }

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
  if (std::isnan(x)) return 0x7fffu;
  const auto y = static_cast<_Float16>(x);
  unsigned short bits;
  std::memcpy(&bits, &y, sizeof bits);
  return bits;
}

template <class T>
unsigned pack(float low, float high, T type) {
  return round_to_16(low, type) | round_to_16(high, type) << 16;
}

inline float fma(float a, float b, float c) { return std::fma(a, b, c); }
inline float reciprocal(float x) { return 1.0f / x; }
inline float sqrt(float x) { return std::sqrt(x); }
inline float rsqrt(float x) { return 1.0f / sqrt(x); }
inline float expm1(float x) { return std::expm1(x); }

inline float exp(float x) { return std::exp(x); }
inline float log(float x) { return std::log(x); }

// As coarse as that of a GPU: rounded to 11 bits.
inline float tanh(float x) {
  return bits_to_float((float_to_bits(std::tanh(x)) + 0x800u) & ~0xfffu);
}

inline float exp2(float x) { return std::exp2(x); }

}  // namespace popsnn
