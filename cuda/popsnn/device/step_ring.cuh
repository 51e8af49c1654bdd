// What a thread reads at the coming steps, on its way to shared memory. Few samples leave few
// threads a multiprocessor, which wait for memory unless they ask for it many steps ahead.
#pragma once

#include <popsnn/device/vectors.cuh>

namespace popsnn {

// kBytes a thread and step, kDepth steps. A thread reads only what it has copied itself, so no
// barrier is needed; `commit_copies` ends what it asks for at once.
template <int kBytes, int kDepth>
class StepRing {
 public:
  // `shared` has room for kBytes * kDepth a thread.
  POPSNN_DEVICE StepRing(unsigned char* shared, int threads)
      : mine_(shared + thread_index() * kPiece), stride_(threads * kPiece) {}

  // Asks for what follows what was asked for before.
  POPSNN_DEVICE void ask(const void* from) {
#pragma unroll
    for (int p = 0; p < kPieces; ++p) {
      copy_async<kPiece>(mine_ + asked_ + p * stride_,
                         static_cast<const unsigned char*>(from) + p * kPiece);
    }
  }
  POPSNN_DEVICE void asked() { asked_ = next_slot(asked_); }

  // The oldest that was asked for and is not passed yet.
  POPSNN_DEVICE Raw<kBytes> oldest() const { return read(oldest_); }
  POPSNN_DEVICE void pass() { oldest_ = next_slot(oldest_); }

  // The same by the number of a step, in the place of the one kDepth before, a power of two: that
  // takes fewer instructions where only one ring turns.
  POPSNN_DEVICE void ask(const void* from, int step) {
#pragma unroll
    for (int p = 0; p < kPieces; ++p) {
      copy_async<kPiece>(mine_ + place_of(step) + p * stride_,
                         static_cast<const unsigned char*>(from) + p * kPiece);
    }
  }
  POPSNN_DEVICE Raw<kBytes> at(int step) const { return read(place_of(step)); }

 private:
  static constexpr int kPiece = vector_alignment(kBytes);
  static constexpr int kPieces = kBytes / kPiece;

  POPSNN_DEVICE Raw<kBytes> read(int from) const {
    Raw<kBytes> row;
#pragma unroll
    for (int p = 0; p < kPieces; ++p) {
      reinterpret_cast<Raw<kPiece>*>(&row)[p] =
          *reinterpret_cast<const Raw<kPiece>*>(mine_ + from + p * stride_);
    }
    return row;
  }

  POPSNN_DEVICE int place_of(int step) const { return (step & (kDepth - 1)) * kPieces * stride_; }

  // Pieces of neighbouring threads lie side by side, so that no bank is asked for twice.
  POPSNN_DEVICE int next_slot(int at) const {
    const int next = at + kPieces * stride_;
    return next == kDepth * kPieces * stride_ ? 0 : next;
  }

  unsigned char* mine_;
  int stride_;
  int asked_ = 0;  // where the next goes, in bytes
  int oldest_ = 0;
};

}  // namespace popsnn
