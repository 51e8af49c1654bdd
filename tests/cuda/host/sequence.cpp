// Blocks one after another, whose threads run in sequence.
#include <popsnn/device/hopper.cuh>

#include <cstdint>
#include <cstring>
#include <utility>

#include "grid.hpp"

namespace popsnn {
namespace host {

Machine machine;
Grid grid;

unsigned char* start_of(unsigned char* shared) {
  const auto address = reinterpret_cast<std::uintptr_t>(shared);
  return reinterpret_cast<unsigned char*>((address + 15) & ~std::uintptr_t{15});
}

static void first() {
  grid.body(grid.kernel, grid.arguments);
  grid.fibers[grid.current].ended = true;
  grid.yield();
}

void Grid::begin(std::size_t fiber) {
  fibers[fiber].ended = false;
  fibers[fiber].context.begin(stack_of(fiber), first);
}

void Grid::go_on(std::size_t fiber) {
  current = fiber;
  Context::swap(scheduler, fibers[fiber].context);
}

void yield() { grid.yield(); }
unsigned long long turns() { return grid.rounds; }

void start_copy(void* to, const void* from, int bytes) {
  grid.fibers[grid.current].copies.open.push_back({to, from, bytes});
}

void wait_for_copies(unsigned pending) {
  auto& groups = grid.fibers[grid.current].copies.groups;
  for (; groups.size() > pending; groups.pop_front()) {
    for (const Copy& copy : groups.front()) std::memcpy(copy.to, copy.from, index(copy.bytes));
  }
}

// How often each thread has reached a sum and a barrier, and the numbers that it wrote for the last
// two sums: those of sum n are read by all threads before any thread reaches sum n + 2.
struct Meetings {
  std::vector<unsigned> left[2];
  std::vector<int> sums;
  std::vector<int> waits;
};

static Meetings meetings;

static void arrive(std::vector<int>& counts, int first, int end) {
  const int mine = ++counts[index(machine.thread)];
  for (int i = first; i < end; ++i) {
    while (counts[index(i)] < mine) grid.yield();
  }
}

static void run_block() {
  const auto count = index(machine.threads);
  meetings.sums.assign(count, 0);
  meetings.waits.assign(count, 0);
  for (auto& numbers : meetings.left) numbers.assign(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    grid.fibers[i].copies = {};
    grid.begin(i);
  }
  for (bool left = true; left;) {
    left = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (grid.fibers[i].ended) continue;
      machine.thread = static_cast<int>(i);
      grid.go_on(i);
      left = left || !grid.fibers[i].ended;
    }
  }
}

const char* run(Body body, const void* kernel, const void* arguments, long long blocks, int threads,
                int bytes, int cluster) {
  grid.body = body;
  grid.kernel = kernel;
  grid.arguments = arguments;
  grid.together = false;
  grid.fibers.resize(index(threads));
  machine.threads = threads;
  machine.cluster = cluster;
  std::vector<unsigned char> shared;
  for (machine.block = 0; machine.block < blocks; ++machine.block) {
    shared.assign(index(bytes) + 16, 0x7f);
    machine.shared_start = shared.data();
    run_block();
  }
  return nullptr;
}

const unsigned* exchange_words(unsigned x) {
  const int first = machine.thread / kWarp * kWarp;
  auto& left = meetings.left[(meetings.sums[index(machine.thread)] + 1) & 1];
  left[index(machine.thread)] = x;
  arrive(meetings.sums, first, first + kWarp);
  return left.data() + first;
}

// What `add` makes of 0 and x of this thread's warp, of its first threads.
template <class Add>
unsigned fold_over_warp(unsigned x, int threads, Add add) {
  unsigned sum = 0;
  if (grid.together) {
    const unsigned char* all = exchange_bytes(&x, sizeof x);
    for (int i = 0; i < threads; ++i) {
      unsigned other;
      std::memcpy(&other, all + i * kMostBytes, sizeof other);
      sum = add(sum, other);
    }
  } else {
    const unsigned* all = exchange_words(x);
    for (int i = 0; i < threads; ++i) sum = add(sum, all[i]);
  }
  return sum;
}

static unsigned plus(unsigned a, unsigned b) { return a + b; }

}  // namespace host

void commit_copies() {
  host::Copies& own = host::grid.fibers[host::grid.current].copies;
  own.groups.push_back(std::move(own.open));
  own.open.clear();
}

unsigned warp_sum(unsigned x) { return host::fold_over_warp(x, kWarp, host::plus); }

unsigned ballot(bool x) {
  const unsigned lane = static_cast<unsigned>(thread_index()) % kWarp;
  return host::fold_over_warp(x ? 1u << lane : 0u, kWarp, host::plus);
}

unsigned warp_max(unsigned x) {
  return host::fold_over_warp(x, kWarp, [](unsigned a, unsigned b) { return a > b ? a : b; });
}

unsigned warp_sum_so_far(unsigned x) {
  return host::fold_over_warp(x, host::machine.thread % kWarp + 1, host::plus);
}

void sync_block() {
  if (host::grid.together) {
    sync_barrier(0, host::machine.threads);
  } else {
    host::arrive(host::meetings.waits, 0, host::machine.threads);
  }
}

}  // namespace popsnn
