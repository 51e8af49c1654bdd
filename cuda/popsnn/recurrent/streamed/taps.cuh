// Delays of each weight, up to D steps: a product for each of D + 1 taps.
//
// Step t has sum over taps of V_k s[t - 1 - k], where V_k are the weights of delay k and 0 for the
// others, or weights that the tap scales. The sources of a step are so those of all taps: chunks of
// senders are of a tap, whose messages are those of k steps earlier. They lie in memory, behind
// those of the D + 1 steps before the first (forward), or in front of as many zeros (backward).
//
// Blocks multiply the oldest messages first. Only the newest, those of the last tap, are those
// that a step has to wait for: while the spikes of a step travel, the products of older ones run.
#pragma once

#include <popsnn/recurrent/delays.cuh>
#include <popsnn/recurrent/streamed/streamed.cuh>

namespace popsnn {

// Different from StreamedArguments:
//   messages  those of the first step; `maps` and `before` have all, from the oldest on
struct StreamedTapArguments : StreamedArguments {
  int taps;      // D + 1, of which tap i has the delay D - i
  int tap_rows;  // of the weights to one tap: N and rows of zeros, whole chunks
};

// The kernels' argument of a layer with taps.
struct StreamedTapLaunch {
  StreamedMaps maps;
  StreamedTapArguments rest;
};

POPSNN_DEVICE const StreamedTapArguments& taps_of(const StreamedArguments& a) {
  return static_cast<const StreamedTapArguments&>(a);
}

// The chunks of a block's tiles in sequence, upwards in a step and downwards in the next.
class ChunkWalk {
 public:
  static constexpr bool kTaps = false;

  POPSNN_DEVICE ChunkWalk(const StreamedArguments&, int chunks, int tiles)
      : chunks_(chunks), last_(chunks * tiles - 1) {}

  POPSNN_DEVICE int tile() const { return at_ / chunks_; }
  POPSNN_DEVICE static int tap() { return 0; }
  POPSNN_DEVICE int chunk() const { return at_ % chunks_; }
  POPSNN_DEVICE int position() const { return at_; }
  POPSNN_DEVICE int count() const { return last_ + 1; }
  POPSNN_DEVICE int of_tile() const { return chunks_; }

  POPSNN_DEVICE void advance() {
    if (at_ == (up_ ? last_ : 0)) {
      up_ = !up_;
    } else {
      at_ += up_ ? 1 : -1;
    }
  }

 private:
  int chunks_;
  int last_;
  int at_ = 0;
  bool up_ = true;
};

// Of each tile those of all taps, from the oldest messages on, in every step.
class TapWalk {
 public:
  static constexpr bool kTaps = true;

  POPSNN_DEVICE TapWalk(const StreamedArguments& a, int chunks, int tiles)
      : chunks_(chunks), of_tile_(chunks * taps_of(a).taps), count_(of_tile_ * tiles) {}

  POPSNN_DEVICE int tile() const { return at_ / of_tile_; }
  POPSNN_DEVICE int tap() const { return at_ % of_tile_ / chunks_; }
  POPSNN_DEVICE int chunk() const { return at_ % chunks_; }
  POPSNN_DEVICE int position() const { return at_; }
  POPSNN_DEVICE int count() const { return count_; }
  POPSNN_DEVICE int of_tile() const { return of_tile_; }

  POPSNN_DEVICE void advance() { at_ = at_ + 1 == count_ ? 0 : at_ + 1; }

 private:
  int chunks_;
  int of_tile_;
  int count_;
  int at_ = 0;
};

template <bool kTaps>
struct WalkOf {
  using Type = ChunkWalk;
};

template <>
struct WalkOf<true> {
  using Type = TapWalk;
};

}  // namespace popsnn
