// The host version of cuda/popsnn/device/hopper.cuh: the threads of all blocks take turns, each
// until it ends or waits for others.
#pragma once

#include <popsnn/device/block.cuh>
#include <popsnn/races.cuh>

#include <array>
#include <functional>
#include <map>
#include <memory>

#define PERSISTENT_KERNEL(threads) extern "C" void
#define COOPERATIVE_KERNEL(threads) extern "C" void

namespace popsnn {

struct alignas(8) Words2 {
  unsigned word[2];
};

struct alignas(16) Words4 {
  unsigned word[4];
};

namespace host {

// Counts arrivals; `round` is incremented when all have arrived.
struct Meeting {
  int arrived = 0;
  unsigned round = 0;
  Arrivals arrivals;

  void arrive(int all) {
    if (++arrived < all) return;
    arrived = 0;
    ++round;
  }
};

// A barrier in shared memory that counts arrivals and bytes.
struct CountingBarrier {
  int count = 0;
  int arrived = 0;
  int bytes = 0;
  unsigned phase = 0;
  Arrivals arrivals;

  void check() {
    if (arrived < count || bytes != 0) return;
    arrived = 0;
    ++phase;
  }
};

inline float float_of(unsigned short bits, Bf16) {
  return bits_to_float(static_cast<unsigned>(bits) << 16);
}
inline float float_of(unsigned short bits, Half) { return half_to_float(bits); }

constexpr std::size_t kMostBytes = 64;  // that a lane exchanges with its warp

struct Warp {
  Meeting meeting;
  std::array<std::array<unsigned char, kMostBytes>, 32> values[2];
};

struct Block {
  std::vector<unsigned char> shared;
  std::vector<Warp> warps;
  Races races;
  Meeting meetings[16];
  Arrivals of_cluster;
  std::map<unsigned, CountingBarrier> barriers;
};

struct Fiber {
  ucontext_t context;
  std::unique_ptr<unsigned char[]> stack;
  const unsigned* word = nullptr;  // runs again when it is no longer `value`
  unsigned value = 0;
  bool ended = false;
  Copies copies;
};

constexpr std::size_t kStack = 1 << 18;

struct Grid {
  std::vector<Block> blocks;
  std::vector<Fiber> fibers;
  int cluster = 1;  // blocks
  std::vector<Meeting> clusters;
  std::vector<std::function<void()>> later;  // messages in flight between blocks
  std::size_t current = 0;
  unsigned long long rounds = 0;  // of all fibers

  Block& block() { return blocks[static_cast<std::size_t>(machine.block)]; }
  Warp& warp() { return block().warps[static_cast<std::size_t>(machine.thread / 32)]; }
  void yield() { swapcontext(&fibers[current].context, &machine.scheduler); }

  void wait_while(const unsigned& word, unsigned value) {
    Fiber& own = fibers[current];
    while (word == value) {
      own.word = &word;
      own.value = value;
      yield();
    }
    own.word = nullptr;
  }
};

inline Grid grid;

inline void begin_fiber() {
  machine.body(machine.kernel, machine.arguments);
  grid.fibers[grid.current].ended = true;
}

inline void begin(Fiber& fiber) {
  fiber.stack.reset(new unsigned char[kStack]);  // of which few pages are touched
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack.get();
  fiber.context.uc_stack.ss_size = kStack;
  fiber.context.uc_link = &machine.scheduler;
  makecontext(&fiber.context, begin_fiber, 0);
}

// About half of the messages in flight arrive.
inline void deliver(unsigned long long random) {
  std::vector<std::function<void()>> still;
  for (std::size_t i = 0; i < grid.later.size(); ++i) {
    if (random >> (i * 7 % 64) & 1u) {
      still.push_back(std::move(grid.later[i]));
    } else {
      grid.later[i]();
    }
  }
  grid.later = std::move(still);
}

// The first error of any block, or null.
inline const char* first_error() {
  for (const Block& block : grid.blocks) {
    if (!block.races.first().empty()) return block.races.first().c_str();
  }
  return nullptr;
}

// In another order in every round, until the first error.
inline void run_fibers() {
  const std::size_t count = grid.fibers.size();
  unsigned long long random = 1;
  for (bool left = true; left && first_error() == nullptr; ++grid.rounds) {
    left = false;
    random = random * 6364136223846793005ull + 1442695040888963407ull;
    deliver(random);
    const std::size_t first = (random >> 33) % count;
    const std::size_t apart = 8191;  // a prime that no number of threads is a multiple of
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = (first + k * apart) % count;
      Fiber& fiber = grid.fibers[i];
      if (fiber.ended) continue;
      left = true;
      if (fiber.word != nullptr && *fiber.word == fiber.value) continue;
      grid.current = i;
      machine.block = static_cast<long long>(i) / machine.threads;
      machine.thread = static_cast<int>(static_cast<long long>(i) % machine.threads);
      machine.shared_start = grid.block().shared.data();
      machine.copies = &fiber.copies;
      swapcontext(&machine.scheduler, &fiber.context);
    }
  }
}

// The values of all lanes of the warp, in the order of the lanes.
template <class T>
std::array<T, 32> exchange(const T& mine) {
  static_assert(sizeof(T) <= kMostBytes);
  Warp& warp = grid.warp();
  const unsigned round = warp.meeting.round;
  std::memcpy(warp.values[round % 2][static_cast<std::size_t>(machine.thread % 32)].data(), &mine,
              sizeof mine);
  warp.meeting.arrive(32);
  grid.wait_while(warp.meeting.round, round);
  std::array<T, 32> all;
  for (std::size_t i = 0; i < 32; ++i) {
    std::memcpy(&all[i], warp.values[round % 2][i].data(), sizeof mine);
  }
  return all;
}

// Waits for all threads of the block.
inline void sync_threads();

// Runs all blocks at once, as clusters of `cluster` blocks. Returns the first error, or null.
template <class Arguments>
const char* run_together(void (*kernel)(Arguments), const Arguments& arguments, long long blocks,
                         int threads, int bytes, int cluster = 1) {
  machine.threads = threads;
  machine.kernel = reinterpret_cast<const void*>(kernel);
  machine.arguments = &arguments;
  machine.body = [](const void* function, const void* arguments) {
    reinterpret_cast<void (*)(Arguments)>(const_cast<void*>(function))(
        *static_cast<const Arguments*>(arguments));
  };
  machine.sync_together = sync_threads;
  machine.exchange_together = [](unsigned x) { return exchange(x); };
  grid.cluster = cluster;
  grid.clusters.assign(static_cast<std::size_t>(blocks / cluster), {});
  grid.later.clear();
  grid.blocks.clear();
  grid.blocks.resize(static_cast<std::size_t>(blocks));
  for (Block& block : grid.blocks) {
    block.shared.assign(static_cast<std::size_t>(bytes) + 16, 0x7f);
    block.warps.resize(static_cast<std::size_t>(threads / 32));
    block.races.begin(threads, bytes);
  }
  grid.fibers.clear();
  grid.fibers.resize(static_cast<std::size_t>(blocks * threads));
  for (Fiber& fiber : grid.fibers) begin(fiber);
  run_fibers();
  return first_error();
}

inline unsigned char* shared_at(unsigned address) { return shared_memory() + address; }

inline void read_shared(void* to, unsigned from, int bytes) {
  if (!grid.block().races.read(machine.thread, from, bytes)) return;
  std::memcpy(to, shared_at(from), static_cast<std::size_t>(bytes));
}

inline void write_shared(unsigned to, const void* from, int bytes) {
  if (!grid.block().races.write(machine.thread, to, bytes)) return;
  std::memcpy(shared_at(to), from, static_cast<std::size_t>(bytes));
}

// `shared_memory` as a block's own threads see it.
inline unsigned char* start_of(Block& block) {
  auto address = reinterpret_cast<std::uintptr_t>(block.shared.data());
  return reinterpret_cast<unsigned char*>((address + 15) & ~std::uintptr_t{15});
}

// A barrier that was not initialised counts nothing.
inline CountingBarrier& barrier_at(Block& block, unsigned address) {
  CountingBarrier& barrier = block.barriers[address];
  if (barrier.count == 0) {
    block.races.report("thread " + std::to_string(machine.thread) + " uses the barrier at byte " +
                       std::to_string(address) + " of shared memory, which nobody made");
  }
  return barrier;
}

inline CountingBarrier& barrier_at(unsigned address) { return barrier_at(grid.block(), address); }

}  // namespace host

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
  if (!host::grid.block().races.write(host::machine.thread, to, 16)) return;
  std::vector<host::Copy>& open = host::machine.copies->open;
  open.push_back({host::shared_at(to), from, bytes});
  static const unsigned char zeros[16] = {};
  open.push_back({host::shared_at(to) + bytes, zeros, 16 - bytes});
}

inline void copy_async(unsigned to, const void* from) { copy_async(to, from, 16); }

inline void store_shared(unsigned to, const float (&x)[4]) { host::write_shared(to, x, sizeof x); }
inline void store_shared(unsigned to, const Words4& x) { host::write_shared(to, &x, sizeof x); }
inline void load_shared(unsigned from, float (&x)[4]) { host::read_shared(x, from, sizeof x); }

inline float load_shared_float(unsigned from) {
  float x;
  host::read_shared(&x, from, sizeof x);
  return x;
}

inline void store_shared(unsigned to, const Words2& x) { host::write_shared(to, &x, sizeof x); }

inline void store_shared_word(unsigned to, unsigned x) { host::write_shared(to, &x, sizeof x); }

inline unsigned load_shared_word(unsigned from) {
  unsigned x;
  host::read_shared(&x, from, sizeof x);
  return x;
}

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
  std::memcpy(x, from, sizeof x);
}

inline void store_for_all(unsigned* to, unsigned x) { *to = x; }
inline void store_for_all(Words2* to, const Words2& x) { *to = x; }
inline void store_for_all(unsigned short* to, unsigned short x) { *to = x; }
inline void store_for_all(unsigned long long* to, unsigned long long x) { *to = x; }
inline void add_and_release(unsigned* to, unsigned x) { *to += x; }

inline unsigned load_and_acquire(const unsigned* from) {
  host::grid.yield();
  return *from;
}

inline void set_bits_for_all(unsigned* to, unsigned bits) { *to |= bits; }
inline void store_for_host(int* to, int x) { *to = x; }

// A microsecond for each turn of all threads.
inline unsigned long long nanoseconds() { return 1 + 1000 * host::grid.rounds; }

inline void wait_clocks(int) {}

// Kernels run one after another.
inline void wait_for_earlier_kernel() {}
inline void let_next_kernel_start() {}

inline unsigned ballot(bool x) {
  const auto all = host::exchange(x);
  unsigned bits = 0;
  for (std::size_t i = 0; i < 32; ++i) bits |= static_cast<unsigned>(all[i]) << i;
  return bits;
}

inline bool all(bool x) { return ballot(x) == 0xffffffffu; }

inline float shuffle_xor(float x, int mask) {
  return host::exchange(x)[static_cast<std::size_t>(host::machine.thread % 32 ^ mask)];
}

// Lane 4 g + c has rows g and g + 8 of `a`, column g of `b`, of numbers of type T.
template <class T>
void multiply_tile(float (&sum)[4], const Words4& a, const unsigned (&b)[2], T type) {
  struct Operands {
    Words4 a;
    unsigned b[2];
  };
  const auto all = host::exchange(Operands{a, {b[0], b[1]}});
  const auto number = [type](unsigned word, int k) {
    return host::float_of(static_cast<unsigned short>(k % 2 == 0 ? word : word >> 16), type);
  };
  const int lane = host::machine.thread % 32;
  for (int j = 0; j < 4; ++j) {
    const int column = lane % 4 * 2 + j % 2;
    for (int k = 0; k < 16; ++k) {
      const int half = k / 8;
      const Operands& row = all[static_cast<std::size_t>(lane / 4 * 4 + k % 8 / 2)];
      const Operands& of_column = all[static_cast<std::size_t>(column * 4 + k % 8 / 2)];
      sum[j] += number(row.a.word[2 * half + j / 2], k) * number(of_column.b[half], k);
    }
  }
}

inline Words4 load_matrices(unsigned row) {
  const auto rows = host::exchange(row);
  const int lane = host::machine.thread % 32;
  Words4 x;
  for (int m = 0; m < 4; ++m) {
    const unsigned at = rows[static_cast<std::size_t>(8 * m + lane / 4)] + lane % 4 * 4;
    host::read_shared(&x.word[m], at, 4);
  }
  return x;
}

inline Words4 load_matrices_transposed(unsigned row) {
  const auto rows = host::exchange(row);
  const int lane = host::machine.thread % 32;
  Words4 x;
  for (int m = 0; m < 4; ++m) {
    unsigned short pair[2];
    for (int j = 0; j < 2; ++j) {
      const unsigned at = rows[static_cast<std::size_t>(8 * m + lane % 4 * 2 + j)] + lane / 4 * 2;
      host::read_shared(&pair[j], at, 2);
    }
    x.word[m] = pair[0] | static_cast<unsigned>(pair[1]) << 16;
  }
  return x;
}

inline void arrive_barrier(int barrier, int threads) {
  host::Block& block = host::grid.block();
  host::Meeting& meeting = block.meetings[barrier];
  block.races.release(host::machine.thread, meeting.arrivals, meeting.round);
  meeting.arrive(threads);
}

inline void sync_barrier(int barrier, int threads) {
  host::Block& block = host::grid.block();
  host::Meeting& meeting = block.meetings[barrier];
  const unsigned round = meeting.round;
  arrive_barrier(barrier, threads);
  host::grid.wait_while(meeting.round, round);
  block.races.acquire(host::machine.thread, meeting.arrivals, round);
}

inline void host::sync_threads() { sync_barrier(0, machine.threads); }

inline void sync_warp() {
  host::Races& races = host::grid.block().races;
  host::Meeting& meeting = host::grid.warp().meeting;
  const unsigned round = meeting.round;
  races.release(host::machine.thread, meeting.arrivals, round);
  host::exchange(0);
  races.acquire(host::machine.thread, meeting.arrivals, round);
}

}  // namespace popsnn
