// Shared memory of blocks that run at once: accesses, barriers, and what arrives from elsewhere.
#include <popsnn/device/cluster.cuh>

#include <cstring>
#include <string>

#include "grid.hpp"

extern "C" int popsnn_host_loses;

namespace popsnn {
namespace host {

static unsigned char* shared_at(unsigned address) { return shared_memory() + address; }

void read_shared(void* to, unsigned from, int bytes) {
  if (!grid.block().races.read(machine.thread, from, bytes)) return;
  std::memcpy(to, shared_at(from), index(bytes));
}

void write_shared(unsigned to, const void* from, int bytes) {
  if (!grid.block().races.write(machine.thread, to, bytes)) return;
  std::memcpy(shared_at(to), from, index(bytes));
}

void copy_to_shared(unsigned to, const void* from, int bytes) {
  if (!grid.block().races.write(machine.thread, to, 16)) return;
  start_copy(shared_at(to), from, bytes);
  static const unsigned char zeros[16] = {};
  start_copy(shared_at(to) + bytes, zeros, 16 - bytes);
}

// A barrier that was not initialised counts nothing.
static CountingBarrier& barrier_at(Block& block, unsigned address) {
  CountingBarrier& barrier = block.barriers[address];
  if (barrier.count == 0) {
    block.races.report("thread " + std::to_string(machine.thread) + " uses the barrier at byte " +
                       std::to_string(address) + " of shared memory, which no thread has made");
  }
  return barrier;
}

static CountingBarrier& barrier_at(unsigned address) { return barrier_at(grid.block(), address); }

// Of the last phase that has ended, if any.
static void see_phase(CountingBarrier& state) {
  if (state.phase > 0) grid.block().races.acquire(machine.thread, state.arrivals, state.phase - 1);
}

struct Message {
  int thread;  // that sends it
  long long block;
  unsigned to;
  unsigned barrier;
  unsigned words[4];
  int bytes;

  void arrive() const {
    Block& there = grid.blocks[index(block)];
    if (!there.races.within(thread, "sends to", to, bytes)) return;
    std::memcpy(start_of(there.shared.data()) + to, words, index(bytes));
    CountingBarrier& state = barrier_at(there, barrier);
    state.bytes -= bytes;
    state.check();
  }
};

void send(unsigned remote, const unsigned* words, int count, unsigned remote_barrier) {
  constexpr unsigned kMask = (1u << kRankShift) - 1u;
  const int rank = static_cast<int>(remote >> kRankShift);
  if (rank >= machine.cluster || remote >> kRankShift != remote_barrier >> kRankShift) {
    grid.block().races.report("thread " + std::to_string(machine.thread) + " sends to block " +
                              std::to_string(rank) + " of a cluster of " +
                              std::to_string(machine.cluster) + ", its barrier in block " +
                              std::to_string(remote_barrier >> kRankShift));
    return;
  }
  const long long first = machine.block / machine.cluster * machine.cluster;
  Message message = {machine.thread,         first + rank, remote & kMask,
                     remote_barrier & kMask, {},           4 * count};
  std::memcpy(message.words, words, index(4 * count));
  if (popsnn_host_loses != 0 && machine.block % machine.cluster == 1) return;
  grid.later.push_back([message] { message.arrive(); });
}

}  // namespace host

void make_barrier(unsigned barrier, int count) {
  host::Block& block = host::grid.block();
  if (!block.races.within(host::machine.thread, "makes a barrier at", barrier, 8)) return;
  block.barriers[barrier].count = count;
}

void arrive_with(unsigned barrier, int bytes) {
  host::CountingBarrier& state = host::barrier_at(barrier);
  if (state.arrived == state.count) {
    host::grid.block().races.report("thread " + std::to_string(host::machine.thread) +
                                    " arrives at the barrier at byte " + std::to_string(barrier) +
                                    " of shared memory, of whose phase all have arrived");
  }
  host::grid.block().races.release(host::machine.thread, state.arrivals, state.phase);
  state.bytes += bytes;
  ++state.arrived;
  state.check();
}

void wait_for_phase(unsigned barrier, unsigned parity) {
  host::CountingBarrier& state = host::barrier_at(barrier);
  while (state.phase % 2 == parity) {
    const unsigned phase = state.phase;
    host::grid.wait_while(state.phase, phase);
  }
  host::see_phase(state);
}

bool phase_is_over(unsigned barrier, unsigned parity) {
  host::CountingBarrier& state = host::barrier_at(barrier);
  if (state.phase % 2 == parity) return false;
  host::see_phase(state);
  return true;
}

bool phase_ended(unsigned barrier, unsigned parity) {
  if (host::barrier_at(barrier).phase % 2 == parity) host::yield();
  return phase_is_over(barrier, parity);
}

void copy_box(unsigned to, const MatrixMap& map, int row, int column, unsigned barrier) {
  const int bytes = map.box_columns * map.element;
  host::Races& races = host::grid.block().races;
  if (!races.write(host::machine.thread, to, bytes * map.box_rows)) return;
  for (int i = 0; i < map.box_rows; ++i) {
    for (int j = 0; j < map.box_columns; ++j) {
      const int at = j * map.element;
      const int vector = at / 16 ^ (bytes == 128 ? i % 8 : i / 2 % 4);
      const int place = i * bytes + vector * 16 + at % 16;
      unsigned char* destination = host::shared_at(to + static_cast<unsigned>(place));
      if (row + i < map.rows && column + j < map.columns) {
        const long long from = static_cast<long long>(row + i) * map.pitch + column + j;
        std::memcpy(destination, map.start + from * map.element, host::index(map.element));
      } else {
        std::memset(destination, 0, host::index(map.element));
      }
    }
  }
  host::CountingBarrier& state = host::barrier_at(barrier);
  races.release(host::machine.thread, state.arrivals, state.phase);
  state.bytes -= bytes * map.box_rows;
  state.check();
}

void arrive_barrier(int barrier, int threads) {
  host::Block& block = host::grid.block();
  host::Meeting& meeting = block.meetings[barrier];
  block.races.release(host::machine.thread, meeting.arrivals, meeting.round);
  meeting.arrive(threads);
}

void sync_barrier(int barrier, int threads) {
  host::Block& block = host::grid.block();
  host::Meeting& meeting = block.meetings[barrier];
  const unsigned round = meeting.round;
  arrive_barrier(barrier, threads);
  host::grid.wait_while(meeting.round, round);
  block.races.acquire(host::machine.thread, meeting.arrivals, round);
}

void sync_warp() {
  host::Races& races = host::grid.block().races;
  host::Meeting& meeting = host::grid.warp().meeting;
  const unsigned round = meeting.round;
  races.release(host::machine.thread, meeting.arrivals, round);
  const unsigned char nothing = 0;
  host::exchange_bytes(&nothing, 1);
  races.acquire(host::machine.thread, meeting.arrivals, round);
}

void sync_cluster() {
  host::Meeting& meeting =
      host::grid.clusters[host::index(host::machine.block / host::machine.cluster)];
  host::Block& block = host::grid.block();
  const unsigned round = meeting.round;
  block.races.release(host::machine.thread, block.of_cluster, round);
  meeting.arrive(host::machine.cluster * host::machine.threads);
  host::grid.wait_while(meeting.round, round);
  block.races.acquire(host::machine.thread, block.of_cluster, round);
}

}  // namespace popsnn
