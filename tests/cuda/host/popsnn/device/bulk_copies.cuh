// The host version of cuda/popsnn/device/bulk_copies.cuh: a copy happens when it is started.
#pragma once

#include <popsnn/device/hopper.cuh>

namespace popsnn {

// tests/cuda/host_kernels.py makes it.
struct alignas(64) MatrixMap {
  const unsigned char* start;
  int element;  // bytes
  int rows;
  int columns;
  int pitch;  // elements
  int box_rows;
  int box_columns;
  unsigned char unused[96];
};

inline void make_barrier(unsigned barrier, int count) {
  host::Block& block = host::grid.block();
  if (!block.races.within(host::machine.thread, "makes a barrier at", barrier, 8)) return;
  block.barriers[barrier].count = count;
}
inline void publish_barriers() {}
inline void see_in_copies() {}

namespace host {

// Of the last phase that has ended, if any.
inline void see_phase(CountingBarrier& state) {
  if (state.phase > 0) grid.block().races.acquire(machine.thread, state.arrivals, state.phase - 1);
}

}  // namespace host

inline void arrive_with(unsigned barrier, int bytes) {
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

inline void arrive(unsigned barrier) { arrive_with(barrier, 0); }

inline void wait_for_phase(unsigned barrier, unsigned parity) {
  host::CountingBarrier& state = host::barrier_at(barrier);
  while (state.phase % 2 == parity) {
    const unsigned phase = state.phase;
    host::grid.wait_while(state.phase, phase);
  }
  host::see_phase(state);
}

inline bool phase_is_over(unsigned barrier, unsigned parity) {
  host::CountingBarrier& state = host::barrier_at(barrier);
  if (state.phase % 2 == parity) return false;
  host::see_phase(state);
  return true;
}

// The copy engine's swizzle: vectors of 16 bytes are permuted by the number of the row, or by half
// of it where rows are of 64 bytes.
inline void copy_box(unsigned to, const MatrixMap& map, int row, int column, unsigned barrier) {
  const int bytes = map.box_columns * map.element;
  host::Races& races = host::grid.block().races;
  if (!races.write(host::machine.thread, to, bytes * map.box_rows)) return;
  for (int i = 0; i < map.box_rows; ++i) {
    for (int j = 0; j < map.box_columns; ++j) {
      const int at = j * map.element;
      const int vector = at / 16 ^ (bytes == 128 ? i % 8 : i / 2 % 4);
      unsigned char* destination = host::shared_at(to + i * bytes + vector * 16 + at % 16);
      if (row + i < map.rows && column + j < map.columns) {
        const long long from = static_cast<long long>(row + i) * map.pitch + column + j;
        std::memcpy(destination, map.start + from * map.element,
                    static_cast<std::size_t>(map.element));
      } else {
        std::memset(destination, 0, static_cast<std::size_t>(map.element));
      }
    }
  }
  host::CountingBarrier& state = host::barrier_at(barrier);
  races.release(host::machine.thread, state.arrivals, state.phase);
  state.bytes -= bytes * map.box_rows;
  state.check();
}

}  // namespace popsnn
