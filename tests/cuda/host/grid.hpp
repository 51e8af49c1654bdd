// The blocks that run, and the threads of them.
#pragma once

#include <popsnn/machine.cuh>
#include <popsnn/races.cuh>

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

#include "context.hpp"

namespace popsnn {
namespace host {

inline std::size_t index(long long i) { return static_cast<std::size_t>(i); }

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

struct Warp {
  Meeting meeting;
  alignas(16) unsigned char values[2][32][kMostBytes];  // of the last two rounds
};

struct Block {
  std::vector<unsigned char> shared;
  std::vector<Warp> warps;
  Races races;
  Meeting meetings[16];
  Arrivals of_cluster;
  std::unordered_map<unsigned, CountingBarrier> barriers;
};

struct Fiber {
  Context context;
  const unsigned* word = nullptr;  // runs again when it is no longer `value`
  unsigned value = 0;
  bool ended = false;
  Copies copies;
};

// What runs at once: all blocks, or one after another.
struct Grid {
  Body body = nullptr;
  const void* kernel = nullptr;
  const void* arguments = nullptr;
  bool together = false;
  Context scheduler;
  std::vector<Fiber> fibers;
  std::size_t current = 0;
  std::vector<Block> blocks;
  std::vector<Meeting> clusters;
  std::vector<std::function<void()>> later;  // messages in flight between blocks
  unsigned long long rounds = 0;             // of all fibers

  Block& block() { return blocks[index(machine.block)]; }
  Warp& warp() { return block().warps[index(machine.thread / 32)]; }
  void begin(std::size_t fiber);
  void go_on(std::size_t fiber);
  void yield() { Context::swap(fibers[current].context, scheduler); }

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

extern Grid grid;

// `shared_memory` as a block's own threads see it.
unsigned char* start_of(unsigned char* shared);

}  // namespace host
}  // namespace popsnn
