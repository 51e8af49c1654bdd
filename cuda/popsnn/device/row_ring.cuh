// A ring of rows in shared memory that each thread fills ahead of itself by asynchronous copies.
//
// Groups of kGroupRows rows are requested kDepth - 1 groups ahead, which hides the latency of
// memory where few neurons leave few warps a multiprocessor. A thread reads only what it has copied
// itself, so no barrier is needed.
#pragma once

#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kThreads = 32;  // of a block
constexpr int kGroupRows = 8;
constexpr int kGroups = 4;  // 24 rows in flight

// Where few neurons leave a thread one word of a row, a step takes less time than memory's latency
// over 24. With 56 rows in flight, and the groups without tests of scan/scan.cuh, a forward
// pass over 8192 neurons of 16 bits and 4096 steps takes 81 microseconds, and took 121.
constexpr int kNarrowBytes = 4;
constexpr int kDeepGroups = 8;

// kWhole: rows are aligned and whole; else a thread's row has `count` elements, copied separately.
template <class T, int kVector, bool kWhole, int kDepth = kGroups>
class RowRing {
 public:
  using Slot = Row<T, kVector>;
  static constexpr int kBytes = kThreads * kDepth * kGroupRows * static_cast<int>(sizeof(Slot));

  POPSNN_DEVICE RowRing(unsigned char* shared, int count)
      : slots_(reinterpret_cast<Slot*>(shared) + thread_index()), count_(count) {}

  // Requests `rows` (0 .. kGroupRows) rows from `from` on, `stride` elements apart.
  POPSNN_DEVICE void request(const T* from, long long stride, int rows) {
    if (rows >= kGroupRows) {  // a test per row would cost as much as the copy
      request(from, stride);
    } else {
      Slot* to = slots_ + requested_;
#pragma unroll
      for (int u = 0; u < kGroupRows - 1; ++u) {
        if (u < rows) copy_row(to + u * kThreads, from + u * stride);
      }
      skip();
    }
  }

  // Requests a whole group.
  POPSNN_DEVICE void request(const T* from, long long stride) {
    Slot* to = slots_ + requested_;
#pragma unroll
    for (int u = 0; u < kGroupRows; ++u) copy_row(to + u * kThreads, from + u * stride);
    skip();
  }

  // Requests an empty group.
  POPSNN_DEVICE void skip() {
    commit_copies();
    requested_ = next_slot(requested_);
  }

  // Waits for the oldest group that was requested and returns it; kDepth - 1 must be in flight.
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
      constexpr int kTransferBytes = vector_alignment(kSize);
#pragma unroll
      for (int at = 0; at < kSize; at += kTransferBytes) {
        copy_async<kTransferBytes>(reinterpret_cast<unsigned char*>(to) + at,
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
  int requested_ = 0;  // slot of the next group
  int taken_ = 0;
};

}  // namespace popsnn
