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

void make_barrier(unsigned barrier, int count);
inline void publish_barriers() {}
inline void see_in_copies() {}

void arrive_with(unsigned barrier, int bytes);
inline void arrive(unsigned barrier) { arrive_with(barrier, 0); }

void wait_for_phase(unsigned barrier, unsigned parity);
bool phase_is_over(unsigned barrier, unsigned parity);

// The copy engine's swizzle: vectors of 16 bytes are permuted by the number of the row, or by half
// of it where rows are of 64 bytes.
void copy_box(unsigned to, const MatrixMap& map, int row, int column, unsigned barrier);

}  // namespace popsnn
