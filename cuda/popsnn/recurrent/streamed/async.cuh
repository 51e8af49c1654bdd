// The stream of GPUs without a copy engine, from compute capability 8.0 on: the 8 warps that
// multiply also start asynchronous copies of what they multiply a few chunks later.
//
// Where shared memory has room for all weights of a block they are read once. Else copies of those
// of the next step are in flight while the block waits for its messages.
#pragma once

#include <popsnn/recurrent/streamed/operands.cuh>

namespace popsnn {

// Stages for weights and for messages: the launcher gives as many as shared memory holds.
template <class WeightType, int kSampleTilesOfGroup, int kRowTilesOfWarp, int kPlanesOfMessage,
          int kWeightStagesOfBlock, int kMessageStagesOfBlock>
struct StreamedAsyncShape
    : StreamedTile<WeightType, kSampleTilesOfGroup, kRowTilesOfWarp, kPlanesOfMessage> {
  using Tile = StreamedTile<WeightType, kSampleTilesOfGroup, kRowTilesOfWarp, kPlanesOfMessage>;
  static constexpr bool kCopyEngine = false;
  static constexpr int kThreads = Tile::kSteppers;
  static constexpr int kWeightStages = kWeightStagesOfBlock;
  static constexpr int kMessageStages = kMessageStagesOfBlock;
};

// kTransposed: the product is with the transpose of weight [to, from]. kLimited: the warps have
// waited for all blocks behind each step.
template <class Shape, bool kTransposed, class Walk, bool kLimited = false>
class AsyncStream {
 public:
  using Operands = StreamedOperands<Shape, kTransposed>;
  using Accumulators = typename Operands::Accumulators;
  using W = typename Shape::W;

  // By all threads.
  POPSNN_DEVICE AsyncStream(const StreamedArguments& a, const StreamedTeam<Shape>& team)
      : a_(a),
        team_(team),
        weights_(shared_address(shared_memory()) + Shape::kFront),
        messages_(weights_ + Shape::kWeightStages * Shape::kWeightBytes),
        walk_(a, team.chunks, team.tiles(a.tiles)),
        weight_walk_(walk_),
        message_walk_(walk_),
        resident_(walk_.count() <= Shape::kWeightStages),
        weights_left_((resident_ ? 1 : a.steps - a.products_from(a.begin_step())) * walk_.count()) {
    for (int i = 0; i < (resident_ ? walk_.count() : Shape::kWeightStages - 1); ++i) copy_weights();
  }

  // Waits for the messages of a step, and starts to copy the first of them. `cells.row` is the
  // first sample's row of a step's messages.
  template <class Cells>
  POPSNN_DEVICE void begin(int step, const Cells& cells) {
    const int done = step - a_.begin_step();
    if (!kLimited && done > 0) {
      if (thread_index() == 0) {
        wait_for_arrivals(a_, team_.arrivals(a_), static_cast<unsigned>(a_.blocks()) * done);
      }
      wait_for_steppers<Shape>();
    }
    const bool first = Walk::kTaps || step == 0;  // `before` has the messages of all taps
    from_ = static_cast<const Sixteen*>(first ? a_.before : a_.messages) +
            static_cast<long long>(cells.row(step, 0)) * a_.pitch;
    if constexpr (Walk::kTaps) {
      of_tap_ = static_cast<long long>(cells.row(step, 1) - cells.row(step, 0)) * a_.pitch;
    }
    messages_left_ = walk_.count();
    for (int i = 0; i < Shape::kMessageStages - 1; ++i) {
      copy_messages();
      commit_copies();
    }
  }

  POPSNN_DEVICE void limited() const {}

  // Of the next product.
  POPSNN_DEVICE int tile() const { return tile_of(walk_); }

  // Adds the product of the next tile's weights and messages.
  POPSNN_DEVICE void multiply(Accumulators sums) {
    for (int left = walk_.of_tile(); left > 0; --left) {
      // What this thread has copied, then what all have; and all have read the chunk before.
      wait_for_copies<kPending>();
      wait_for_steppers<Shape>();
      copy_weights();
      copy_messages();
      commit_copies();
      const int weights = resident_ ? walk_.position() : weight_stage_;
      Operands::multiply(weights_ + weights * Shape::kWeightBytes,
                         messages_ + message_stage_ * Shape::kMessageBytes, sums);
      advance(weight_stage_, Shape::kWeightStages);
      advance(message_stage_, Shape::kMessageStages);
      walk_.advance();
    }
  }

 private:
  static_assert(Shape::kWeightStages > 1 && Shape::kMessageStages > 1,
                "a stage is read while the next is copied");
  // Groups of copies, one for each chunk, that the next product does not need.
  static constexpr int kPending =
      (Shape::kWeightStages < Shape::kMessageStages ? Shape::kWeightStages
                                                    : Shape::kMessageStages) -
      2;

  POPSNN_DEVICE int tile_of(const Walk& walk) const {
    return team_.team + walk.tile() * team_.teams;
  }
  POPSNN_DEVICE int sender_of(const Walk& walk) const {
    return (team_.rank + walk.chunk() * a_.ranks) * Shape::kDepth;
  }

  POPSNN_DEVICE static void advance(int& stage, int stages) {
    if (++stage == stages) stage = 0;
  }

  // Starts to copy 16 bytes of a row, of which elements are left; what is beyond them becomes 0.
  template <class T>
  POPSNN_DEVICE static void copy_vector(unsigned to, const T* from, const T* valid, int left) {
    constexpr int kOfVector = 16 / static_cast<int>(sizeof(T));
    if (left <= 0) return copy_async(to, valid, 0);
    copy_async(to, from, left < kOfVector ? left * static_cast<int>(sizeof(T)) : 16);
  }

  // The weights of the chunk that is kWeightStages - 1 ahead, if there is one.
  POPSNN_DEVICE void copy_weights() {
    if (weights_left_ <= 0) return;
    --weights_left_;
    const int out = tile_of(weight_walk_) * Shape::kOuts;
    const int sender = sender_of(weight_walk_);
    const unsigned to = weights_ + copied_stage_ * Shape::kWeightBytes;
    const W* weight = static_cast<const W*>(a_.weight);
    if constexpr (Walk::kTaps) {
      weight += static_cast<long long>(weight_walk_.tap()) * taps_of(a_).tap_rows * a_.pitch;
    }
#pragma unroll
    for (int i = 0; i < Shape::kOuts * 8 / Shape::kThreads; ++i) {
      const int at = i * Shape::kThreads + thread_index();
      const int vector = at % 8;
      int row = at / 8;
      int neuron = out + row;  // of the row in memory
      const int offset = vector * (16 / static_cast<int>(sizeof(W)));
      int column = sender + offset;
      unsigned box = to;
      if constexpr (kTransposed) {
        box += row / Shape::kDepth * Operands::kBoxBytes;
        neuron = sender + row % Shape::kDepth;
        column = out + row / Shape::kDepth * Shape::kDepth + offset;
        row %= Shape::kDepth;
      }
      copy_vector(box + Operands::weight_offset(row, vector),
                  weight + static_cast<long long>(neuron) * a_.pitch + column, weight,
                  neuron < a_.neurons ? a_.neurons - column : 0);
    }
    advance(copied_stage_, Shape::kWeightStages);
    weight_walk_.advance();
  }

  // The messages of the chunk that is kMessageStages - 1 ahead, if the step has one.
  POPSNN_DEVICE void copy_messages() {
    if (messages_left_ == 0) return;
    --messages_left_;
    constexpr int kVectors = Shape::kMessageRow / 16;
    constexpr int kAll = Shape::kPlanes * Shape::kSamples * kVectors;
    const int sender = sender_of(message_walk_);
    const unsigned to = messages_ + copied_messages_ * Shape::kMessageBytes;
    const Sixteen* rows = from_;
    if constexpr (Walk::kTaps) rows += message_walk_.tap() * of_tap_;
#pragma unroll
    for (int i = 0; i < (kAll + Shape::kThreads - 1) / Shape::kThreads; ++i) {
      const int at = i * Shape::kThreads + thread_index();
      if (at >= kAll) break;
      const int vector = at % kVectors;
      const int sample = at / kVectors % Shape::kSamples;
      const int plane = at / (kVectors * Shape::kSamples);
      const int column = sender + vector * 8;
      const Sixteen* from =
          rows + plane * a_.plane + static_cast<long long>(sample) * a_.pitch + column;
      copy_vector(to + Operands::message_offset(plane, sample, vector), from, from_,
                  sample < team_.samples ? a_.neurons - column : 0);
    }
    advance(copied_messages_, Shape::kMessageStages);
    message_walk_.advance();
  }

  const StreamedArguments& a_;
  const StreamedTeam<Shape>& team_;
  const Sixteen* from_ = nullptr;  // the step's messages of the first sample, of the first tap
  long long of_tap_ = 0;           // elements from a tap's to the next's
  unsigned weights_;               // their stages in shared memory
  unsigned messages_;              // likewise
  Walk walk_;                      // the next product
  Walk weight_walk_;               // the next copies
  Walk message_walk_;
  bool resident_;     // all weights stay in shared memory
  int weights_left_;  // chunks to copy
  int messages_left_ = 0;
  int weight_stage_ = 0;  // of the next product
  int message_stage_ = 0;
  int copied_stage_ = 0;  // of the next copies
  int copied_messages_ = 0;
};

}  // namespace popsnn
