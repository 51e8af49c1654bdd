// A ring of a thread's inputs of the next steps, copied ahead to shared memory. Few samples leave
// few threads a multiprocessor, which wait for memory unless they request it many steps ahead.
#pragma once

#include <popsnn/device/vectors.cuh>

namespace popsnn {

// kBytes a thread and step, kDepth steps. A thread reads only what it has copied itself, so no
// barrier is needed; `commit_copies` ends a group of requests.
template <int kBytes, int kDepth>
class StepRing {
 public:
  // `shared` has room for kBytes * kDepth a thread.
  POPSNN_DEVICE StepRing(unsigned char* shared, int threads)
      : mine_(shared + thread_index() * kTransferBytes), stride_(threads * kTransferBytes) {}

  // Requests the step behind the last requested step.
  POPSNN_DEVICE void request(const void* from) { request_tensor<kBytes>(0, from); }

  // The same of one of several tensors, of each of which a step has kPart bytes.
  template <int kPart>
  POPSNN_DEVICE void request_tensor(int tensor, const void* from) {
    static_assert(kPart % kTransferBytes == 0, "a tensor has whole transfers");
    constexpr int kCount = kPart / kTransferBytes;
#pragma unroll
    for (int p = 0; p < kCount; ++p) {
      copy_async<kTransferBytes>(mine_ + requested_ + (tensor * kCount + p) * stride_,
                                 static_cast<const unsigned char*>(from) + p * kTransferBytes);
    }
  }
  POPSNN_DEVICE void requested() { requested_ = next_slot(requested_); }

  // The oldest step that was requested and is not passed yet.
  POPSNN_DEVICE Raw<kBytes> oldest() const { return read<kBytes>(oldest_); }
  template <int kPart>
  POPSNN_DEVICE Raw<kPart> oldest_tensor(int tensor) const {
    return read<kPart>(oldest_ + tensor * (kPart / kTransferBytes) * stride_);
  }
  POPSNN_DEVICE void pass() { oldest_ = next_slot(oldest_); }

  // The same by the number of a step, in the slot of the step kDepth before, a power of two: that
  // takes fewer instructions where there is a single ring.
  POPSNN_DEVICE void request(const void* from, int step) {
#pragma unroll
    for (int p = 0; p < kTransfers; ++p) {
      copy_async<kTransferBytes>(mine_ + slot_of(step) + p * stride_,
                                 static_cast<const unsigned char*>(from) + p * kTransferBytes);
    }
  }
  POPSNN_DEVICE Raw<kBytes> at(int step) const { return read<kBytes>(slot_of(step)); }

 private:
  static constexpr int kTransferBytes = vector_alignment(kBytes);
  static constexpr int kTransfers = kBytes / kTransferBytes;

  template <int kPart>
  POPSNN_DEVICE Raw<kPart> read(int from) const {
    Raw<kPart> row;
#pragma unroll
    for (int p = 0; p < kPart / kTransferBytes; ++p) {
      reinterpret_cast<Raw<kTransferBytes>*>(&row)[p] =
          *reinterpret_cast<const Raw<kTransferBytes>*>(mine_ + from + p * stride_);
    }
    return row;
  }

  POPSNN_DEVICE int slot_of(int step) const { return (step & (kDepth - 1)) * kTransfers * stride_; }

  // Transfers of neighbouring threads are neighbours in memory, so there are no bank conflicts.
  POPSNN_DEVICE int next_slot(int at) const {
    const int next = at + kTransfers * stride_;
    return next == kDepth * kTransfers * stride_ ? 0 : next;
  }

  unsigned char* mine_;
  int stride_;
  int requested_ = 0;  // offset of the next step in bytes
  int oldest_ = 0;
};

}  // namespace popsnn
