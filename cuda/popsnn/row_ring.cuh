// A ring of rows in shared memory that each thread fills ahead of itself by asynchronous copies.
//
// Memory is asked for kGroups - 1 groups of kGroupRows rows before it is needed, which hides its
// latency where few neurons leave few warps a multiprocessor. A thread reads only what it has
// copied itself, so no barrier is needed.
#pragma once

#include <popsnn/vectors.cuh>

namespace popsnn {

constexpr int kGroupRows = 4;
constexpr int kGroups = POPSNN_RING_GROUPS;

// kWhole: rows are aligned and whole; else a thread's row has `count` elements, copied one by one.
template <class T, int kLanes, bool kWhole>
class RowRing {
 public:
  using Slot = Row<T, kLanes>;
  static constexpr int kBytesPerThread = kGroups * kGroupRows * static_cast<int>(sizeof(Slot));

  POPSNN_DEVICE RowRing(unsigned char* shared, int count)
      : slots_(reinterpret_cast<Slot*>(shared) + thread_index()), count_(count) {}

  // Asks for `rows` (0 .. kGroupRows) rows from `from` on, `stride` elements apart.
  POPSNN_DEVICE void ask(const T* from, long long stride, int rows) {
#pragma unroll
    for (int u = 0; u < kGroupRows; ++u) {
      if (u < rows) copy_row(slot(asked_, u), from + u * stride);
    }
    commit_copies();
    asked_ = asked_ + 1 == kGroups ? 0 : asked_ + 1;
  }

  // Waits for the oldest group that was asked for and returns it; kGroups - 1 must be on their way.
  POPSNN_DEVICE void take(Slot (&rows)[kGroupRows]) {
    wait_for_copies<kGroups - 2>();
#pragma unroll
    for (int u = 0; u < kGroupRows; ++u) rows[u] = *slot(taken_, u);
    taken_ = taken_ + 1 == kGroups ? 0 : taken_ + 1;
  }

 private:
  POPSNN_DEVICE Slot* slot(int group, int u) const {
    return slots_ + (group * kGroupRows + u) * threads_per_block();
  }

  POPSNN_DEVICE void copy_row(Slot* to, const T* from) const {
    constexpr int kBytes = static_cast<int>(sizeof(Slot));
    if constexpr (kWhole && kBytes >= 4) {
      constexpr int kPiece = vector_alignment(kBytes);
      for (int at = 0; at < kBytes; at += kPiece) {
        copy_async<kPiece>(reinterpret_cast<unsigned char*>(to) + at,
                           reinterpret_cast<const unsigned char*>(from) + at);
      }
    } else {
      // Copies of 2 bytes are not asynchronous.
      auto* elements = reinterpret_cast<T*>(to);
#pragma unroll
      for (int j = 0; j < kLanes; ++j) {
        if (j < count_) elements[j] = from[j];
      }
    }
  }

  Slot* slots_;
  int count_;
  int asked_ = 0;
  int taken_ = 0;
};

}  // namespace popsnn
