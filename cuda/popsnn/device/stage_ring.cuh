// Stages of shared memory that some threads fill and others empty, in turn.
#pragma once

#include <popsnn/device/bulk_copies.cuh>

namespace popsnn {

// Each stage has two barriers: for "full" and for "empty".
template <int kStages>
class Ring {
 public:
  POPSNN_DEVICE explicit Ring(unsigned barriers) : barriers_(barriers) {}

  // By one thread of the block; a stage is full after so many arrivals, and empty likewise.
  POPSNN_DEVICE void make(int to_fill, int to_empty) const {
    for (int i = 0; i < kStages; ++i) {
      make_barrier(barriers_ + 16 * i, to_fill);
      make_barrier(barriers_ + 16 * i + 8, to_empty);
    }
  }

  POPSNN_DEVICE int stage() const { return stage_; }
  POPSNN_DEVICE unsigned full() const { return barriers_ + 16 * stage_; }
  POPSNN_DEVICE unsigned empty() const { return full() + 8; }
  POPSNN_DEVICE void wait_until_full() const { wait_for_phase(full(), parity_); }

  POPSNN_DEVICE bool is_full() const { return phase_is_over(full(), parity_); }

  // In the first round no phase has to end: the phase before the first counts as ended.
  POPSNN_DEVICE void wait_until_empty() const { wait_for_phase(empty(), parity_ ^ 1u); }

  POPSNN_DEVICE bool is_empty() const { return phase_is_over(empty(), parity_ ^ 1u); }

  POPSNN_DEVICE void advance() {
    if (++stage_ < kStages) return;
    stage_ = 0;
    parity_ ^= 1u;
  }

  // By so many stages, at most all.
  POPSNN_DEVICE void advance(int by) {
    stage_ += by;
    const bool around = stage_ >= kStages;
    stage_ -= around ? kStages : 0;
    parity_ ^= around ? 1u : 0u;
  }

 private:
  unsigned barriers_;
  int stage_ = 0;
  unsigned parity_ = 0;
};

}  // namespace popsnn
