// Weights and messages stream through shared memory: two threads have the copy engine copy them,
// the messages as others publish them, and 8 warps multiply.
#pragma once

#include <popsnn/recurrent/streamed/operands.cuh>

namespace popsnn {

// kTransposed: the product is with the transpose of weight [to, from]. kLimited: the 8 warps wait
// for all blocks behind each step.
template <class Shape, bool kTransposed, class Walk, bool kLimited = false>
class WeightStream {
 public:
  using Operands = StreamedOperands<Shape, kTransposed>;
  using Accumulators = typename Operands::Accumulators;

  // By all threads.
  POPSNN_DEVICE WeightStream(const StreamedMaps& maps, const StreamedArguments& a,
                             const StreamedTeam<Shape>& team)
      : maps_(maps),
        a_(a),
        team_(team),
        weights_(shared_address(shared_memory()) + Shape::kFront),
        messages_(weights_ + Shape::kWeightStages * Shape::kWeightBytes),
        weight_ring_(weights_ - Shape::kFront + 16),
        message_ring_(weights_ - Shape::kFront + 16 + 16 * Shape::kWeightStages),
        walk_(a, team.chunks, team.tiles(a.tiles)) {
    if (thread_index() == 0) {
      weight_ring_.make(1, Shape::kWarps);
      message_ring_.make(1, Shape::kWarps);
      if constexpr (kLimited) make_barrier(limited_steps(), 1);
      publish_barriers();
    }
    sync_block();
  }

  // By one thread.
  POPSNN_DEVICE void copy_weights() {
    const int steps = a_.steps - a_.products_from(a_.begin_step());
    for (int left = steps * walk_.count(); left > 0; --left) {
      const unsigned to = weights_ + weight_ring_.stage() * Shape::kWeightBytes;
      const int out = tile() * Shape::kOuts;
      const int sender = chunk() * Shape::kDepth;
      int rows = 0;  // of other taps
      if constexpr (Walk::kTaps) rows = walk_.tap() * taps_of(a_).tap_rows;
      weight_ring_.wait_until_empty();
      arrive_with(weight_ring_.full(), Shape::kWeightBytes);
      if constexpr (kTransposed) {
#pragma unroll
        for (int box = 0; box < Shape::kOuts / Shape::kDepth; ++box) {
          copy_box(to + box * Operands::kBoxBytes, maps_.weights, rows + sender,
                   out + box * Shape::kDepth, weight_ring_.full());
        }
      } else {
        copy_box(to, maps_.weights, rows + out, sender, weight_ring_.full());
      }
      weight_ring_.advance();
      walk_.advance();
    }
  }

  // By one thread: `cells.row` is the first sample's row of a step's messages in their map.
  template <class Cells>
  POPSNN_DEVICE void copy_messages(const Cells& cells) {
    const int begin = a_.begin_step();
    for (int step = a_.products_from(begin); step < a_.steps; ++step) {
      if (!Walk::kTaps && step > begin) wait_for_steps(step - begin);
      const MatrixMap& map = Walk::kTaps || step > 0 ? maps_.messages : maps_.before;
      for (int left = walk_.count(); left > 0; --left) {
        // Older messages are there since the wait of the step before.
        if constexpr (Walk::kTaps) {
          if (step > begin && walk_.position() == first_newest()) wait_for_steps(step - begin);
        }
        const unsigned to = messages_ + message_ring_.stage() * Shape::kMessageBytes;
        message_ring_.wait_until_empty();
        arrive_with(message_ring_.full(), Shape::kMessageBytes);
#pragma unroll
        for (int plane = 0; plane < Shape::kPlanes; ++plane) {
          copy_box(to + plane * (Shape::kMessageBytes / Shape::kPlanes), map,
                   plane * a_.plane_rows + cells.row(step, walk_.tap()), chunk() * Shape::kDepth,
                   message_ring_.full());
        }
        message_ring_.advance();
        walk_.advance();
      }
    }
  }

  // By the 8 warps, before the products of a step: `copy_messages` waits for what they need.
  template <class Cells>
  POPSNN_DEVICE void begin(int, const Cells&) const {}

  // By the 8 warps, behind a step: no message exceeds the capacity.
  POPSNN_DEVICE void limited() const {
    if (thread_index() == 0) arrive(limited_steps());
  }

  // Of the next product, or of the next copy.
  POPSNN_DEVICE int tile() const { return team_.team + walk_.tile() * team_.teams; }

  // Adds the product of the next tile's weights and messages; by the 8 warps.
  //
  // A stage is released behind the wait for the next one, when the tensor cores have taken all that
  // was loaded from it. Released at the end of its own product, the arrival overtook the last loads
  // of it where memory was busy, and the copy engine overwrote their weights: with 8 tiles of
  // samples, whose compiled code used the last operand behind the arrival, one forward pass of 250
  // was wrong on an H200 that other processes used too.
  POPSNN_DEVICE void multiply(Accumulators sums) {
    unsigned weights_empty = 0;
    unsigned messages_empty = 0;
    for (int left = products(); left > 0; --left) {
      weight_ring_.wait_until_full();
      message_ring_.wait_until_full();
      if (left < products()) release(weights_empty, messages_empty);
      Operands::multiply(weights_ + weight_ring_.stage() * Shape::kWeightBytes,
                         messages_ + message_ring_.stage() * Shape::kMessageBytes, sums);
      weights_empty = weight_ring_.empty();
      messages_empty = message_ring_.empty();
      weight_ring_.advance();
      message_ring_.advance();
      walk_.advance();
    }
    if (products() > 0) release(weights_empty, messages_empty);
  }

 private:
  static_assert(Shape::kWeightStages > 1 && Shape::kMessageStages > 1);  // one is kept meanwhile
  POPSNN_DEVICE int chunk() const { return team_.rank + walk_.chunk() * a_.ranks; }

  // Of a tile. Without taps read from the team, so that those kernels keep their machine code.
  POPSNN_DEVICE int products() const {
    if constexpr (Walk::kTaps) return walk_.of_tile();
    return team_.chunks;
  }

  // The first position in a step whose messages are those of the step before.
  POPSNN_DEVICE int first_newest() const { return walk_.of_tile() - team_.chunks; }

  // Waits until all blocks have published so many steps.
  POPSNN_DEVICE void wait_for_steps(int steps) const {
    if constexpr (kLimited) {
      wait_for_phase(limited_steps(), static_cast<unsigned>(steps - 1) & 1u);
      see_in_copies();
      return;
    }
    wait_for_arrivals(a_, team_.arrivals(a_), static_cast<unsigned>(a_.blocks()) * steps);
    see_in_copies();
  }

  // The barrier whose phases are the steps after their limit: the last of kFront, behind the
  // rings'.
  POPSNN_DEVICE unsigned limited_steps() const { return weights_ - 16; }

  POPSNN_DEVICE static void release(unsigned weights_empty, unsigned messages_empty) {
    sync_warp();
    if (thread_index() % 32 == 0) {
      arrive(weights_empty);
      arrive(messages_empty);
    }
  }

  const StreamedMaps& maps_;
  const StreamedArguments& a_;
  const StreamedTeam<Shape>& team_;
  unsigned weights_;   // their stages in shared memory
  unsigned messages_;  // likewise
  Ring<Shape::kWeightStages> weight_ring_;
  Ring<Shape::kMessageStages> message_ring_;
  Walk walk_;
};

}  // namespace popsnn
