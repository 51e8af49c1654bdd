// What the host versions of the headers need of the machine that runs kernels: declarations alone,
// of what is compiled once, and optimized (the sources in tests/cuda/host).
#pragma once

namespace popsnn {
namespace host {

// The thread that runs.
struct Machine {
  int thread = 0;
  int threads = 0;
  long long block = 0;
  int cluster = 1;  // blocks
  unsigned char* shared_start = nullptr;
};

extern Machine machine;

using Body = void (*)(const void* kernel, const void* arguments);

template <class Arguments>
void call(const void* kernel, const void* arguments) {
  reinterpret_cast<void (*)(Arguments)>(const_cast<void*>(kernel))(
      *static_cast<const Arguments*>(arguments));
}

// Runs the blocks one after another. Shared memory starts as numbers too large to go unnoticed.
// Returns null.
const char* run(Body body, const void* kernel, const void* arguments, long long blocks, int threads,
                int bytes, int cluster);

// Runs all blocks at once, as clusters of `cluster` blocks. Returns the first error, or null.
const char* run_together(Body body, const void* kernel, const void* arguments, long long blocks,
                         int threads, int bytes, int cluster);

// Copies of the thread that runs happen when they are waited for and no sooner.
void start_copy(void* to, const void* from, int bytes);
void wait_for_copies(unsigned pending);

// What all threads of the warp have handed over. It stays until this thread has called twice more.
const unsigned* exchange_words(unsigned x);

// For blocks that run at once: what lane i has handed over begins kMostBytes * i bytes further on.
constexpr int kMostBytes = 64;
const unsigned char* exchange_bytes(const void* mine, int bytes);

// Lets others run.
void yield();

void read_shared(void* to, unsigned from, int bytes);
void write_shared(unsigned to, const void* from, int bytes);
// A copy that is started, to shared memory of blocks that run at once.
void copy_to_shared(unsigned to, const void* from, int bytes);

void send(unsigned remote, const unsigned* words, int count, unsigned remote_barrier);

unsigned long long turns();  // of all threads of blocks that run at once

}  // namespace host
}  // namespace popsnn
