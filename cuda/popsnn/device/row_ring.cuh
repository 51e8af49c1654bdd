// A ring of rows in shared memory that each thread fills ahead of itself by asynchronous copies.
//
// Memory is asked for kDepth - 1 groups of kGroupRows rows before it is needed, which hides its
// latency where few neurons leave few warps a multiprocessor. A thread reads only what it has
// copied itself, so no barrier is needed.
#pragma once

#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kThreads = 32;  // of a block
constexpr int kGroupRows = 8;
constexpr int kGroups = 4;  // 24 rows on their way

// Where few neurons leave a thread one word of a row, a step takes less time than memory's latency
// over 24. With 56 rows on their way, and the groups without tests of scan_forward.cuh, a forward
// pass over 8192 neurons of 16 bits and 4096 steps takes 81 microseconds, and took 121.
constexpr int kNarrowBytes = 4;
constexpr int kDeepGroups = 8;

// kWhole: rows are aligned and whole; else a thread's row has `count` elements, copied one by one.
template <class T, int kVector, bool kWhole, int kDepth = kGroups>
class RowRing {
 public:
  using Slot = Row<T, kVector>;
  static constexpr int kBytes = kThreads * kDepth * kGroupRows * static_cast<int>(sizeof(Slot));

  POPSNN_DEVICE RowRing(unsigned char* shared, int count)
      : slots_(reinterpret_cast<Slot*>(shared) + thread_index()), count_(count) {}

  // Asks for `rows` (0 .. kGroupRows) rows from `from` on, `stride` elements apart.
  POPSNN_DEVICE void ask(const T* from, long long stride, int rows) {
    if (rows >= kGroupRows) {  // a test per row would cost as much as the copy
      ask(from, stride);
    } else {
      Slot* to = slots_ + asked_;
#pragma unroll
      for (int u = 0; u < kGroupRows - 1; ++u) {
        if (u < rows) copy_row(to + u * kThreads, from + u * stride);
      }
      skip();
    }
  }

  // Asks for a whole group.
  POPSNN_DEVICE void ask(const T* from, long long stride) {
    Slot* to = slots_ + asked_;
#pragma unroll
    for (int u = 0; u < kGroupRows; ++u) copy_row(to + u * kThreads, from + u * stride);
    skip();
  }

  // Asks for nothing, which counts as a group too.
  POPSNN_DEVICE void skip() {
    commit_copies();
    asked_ = next_slot(asked_);
  }

  // Waits for the oldest group that was asked for and returns it; kDepth - 1 must be on their way.
  POPSNN_DEVICE void take(Slot (&rows)[kGroupRows]) {
    wait_for_copies<kDepth - 2>();
#pragma unroll
    for (int u = 0; u < kGroupRows; ++u) rows[u] = slots_[taken_ + u * kThreads];
    taken_ = next_slot(taken_);
  }

 private:
  POPSNN_DEVICE static int next_slot(int group) {
    return group == (kDepth - 1) * kGroupRows * kThreads ? 0 : group + kGroupRows * kThreads;
  }

  POPSNN_DEVICE void copy_row(Slot* to, const T* from) const {
    constexpr int kSize = static_cast<int>(sizeof(Slot));
    if constexpr (kWhole && kSize >= 4) {
      constexpr int kPiece = vector_alignment(kSize);
#pragma unroll
      for (int at = 0; at < kSize; at += kPiece) {
        copy_async<kPiece>(reinterpret_cast<unsigned char*>(to) + at,
                           reinterpret_cast<const unsigned char*>(from) + at);
      }
    } else {
      // Copies of 2 bytes are not asynchronous.
      auto* elements = reinterpret_cast<T*>(to);
#pragma unroll
      for (int j = 0; j < kVector; ++j) {
        if (j < count_) elements[j] = from[j];
      }
    }
  }

  Slot* slots_;
  int count_;
  int asked_ = 0;  // where the next group goes, in slots
  int taken_ = 0;
};

}  // namespace popsnn
