// A recurrent layer whose weights do not fit in registers, as a single kernel over all steps.
//
// The weights are read again at each step, from L2 or from memory, in tiles of kOuts neurons that a
// team of blocks works on together: each of its `ranks` blocks multiplies every ranks-th chunk of
// kDepth senders with the weights to all of the tile, writes partial sums to memory, and steps a
// range of the tile's neurons from the sums of all. The messages for the next step are also what
// the weights' gradient needs later: spikes of 16 bits forward, gradients backward.
//
// A step waits twice for other blocks: for the sums of the team, and for what all have published.
// Weights do not depend on either, so that copies of those of the next step are in flight
// meanwhile. The order of the chunks alternates with each step: the last chunks may still be in L2.
//
// Samples are independent. Where the teams do not take all multiprocessors, several groups of
// samples run at once, each with teams of its own.
//
// Weights of float32 are multiplied as the sum of three bf16, which is exact. So are the gradients
// that they propagate; of the nine products three, each at most 2^-25 of the first, are omitted.
#pragma once

#include <popsnn/device/stage_ring.cuh>
#include <popsnn/recurrent/recurrent.cuh>

namespace popsnn {

// kSampleTiles of 8 samples are a group; a warp has kRowTiles of 16 neurons; kPlanes of 16 bits are
// a message.
template <class WeightType, int kSampleTilesOfGroup, int kRowTilesOfWarp, int kPlanesOfMessage>
struct StreamedTile {
  using W = WeightType;
  static constexpr bool kPolled = false;  // barriers say that messages have arrived
  static constexpr int kWarps = 8;
  static constexpr int kSteppers = 32 * kWarps;  // threads that multiply and step neurons
  static constexpr int kSampleTiles = kSampleTilesOfGroup;
  static constexpr int kSamples = 8 * kSampleTiles;
  static constexpr int kRowTiles = kRowTilesOfWarp;
  static constexpr int kWarpOuts = 16 * kRowTiles;
  static constexpr int kOuts = kWarps * kWarpOuts;  // neurons of a tile
  static constexpr int kPlanes = kPlanesOfMessage;
  static constexpr int kWeightPlanes = sizeof(W) == 4 ? 3 : 1;
  static constexpr int kDepth = 128 / static_cast<int>(sizeof(W));  // neurons of a chunk
  // Stages of shared memory; those of weights are aligned to what the copy engine repeats its
  // pattern after.
  static constexpr int kWeightBytes = kOuts * 128;
  static constexpr int kMessageRow = 2 * kDepth;  // of a sample
  static constexpr int kMessageBytes = kPlanes * kSamples * kMessageRow;
  static constexpr int kFront = 1024;
};

// Of a GPU with a copy engine.
template <class WeightType, int kSampleTilesOfGroup, int kRowTilesOfWarp, int kPlanesOfMessage>
struct StreamedShape
    : StreamedTile<WeightType, kSampleTilesOfGroup, kRowTilesOfWarp, kPlanesOfMessage> {
  using Tile = StreamedTile<WeightType, kSampleTilesOfGroup, kRowTilesOfWarp, kPlanesOfMessage>;
  static constexpr bool kCopyEngine = true;
  // And a warpgroup that copies. Of the 168 registers that a launch allocates for each thread, the
  // steppers use most.
  static constexpr int kThreads = Tile::kSteppers + 128;
  static constexpr int kStepRegisters = 232;
  static constexpr int kCopyRegisters = 40;
  static constexpr int kMessageStages = 5;  // of which the last product keeps one
  // Behind the barriers.
  static constexpr int kRoom = 232448 - Tile::kFront - kMessageStages * Tile::kMessageBytes;
  static constexpr int kMostStages = 8;
  static constexpr int kWeightStages =
      kRoom / Tile::kWeightBytes < kMostStages ? kRoom / Tile::kWeightBytes : kMostStages;
  static_assert(16 * (2 + kWeightStages + kMessageStages) <= Tile::kFront,
                "the barriers have room");
};

// Rows of messages are `pitch` elements, a multiple of 8.
struct StreamedArguments : RecurrentArguments {
  // Different from RecurrentArguments:
  //   messages  Sixteen [kPlanes, T, B, pitch]: spikes of a step forward, gradients backward
  //   sums      float [groups of the launch, 2, blocks, kSamples, kOuts]: two tiles in turn
  //   initial   of the state before step 0, which backward reads
  //   grad_parameter  [groups, rows, N]: a row for each of the samples that are stepped at once
  //   batch     samples of all groups and launches
  float* state[kRecurrentStates];  // [B, N] each: before the steps in, after them out; backward
                                   // gradients
  const void* before;              // Sixteen [B, pitch]: spikes before step 0, or null
  unsigned* arrivals;              // [groups of the launch, 1 + teams]: of all blocks, of a team; 0
  const int* begin;                // the first step that is not done yet, or null
  long long plane;                 // elements of a plane of messages
  long long message_row;           // of a step
  int plane_rows;                  // rows of a plane of messages
  int group_samples;               // of a group; the last has what is left
  int first_group;                 // of the launch
  int first_step;                  // that has messages
  int pitch;
  int ranks;
  int teams;
  int tiles;

  POPSNN_DEVICE int blocks() const { return ranks * teams; }  // of a group
  POPSNN_DEVICE int begin_step() const { return begin == nullptr ? 0 : *begin; }
  POPSNN_DEVICE int products_from(int step) const { return step < first_step ? first_step : step; }
};

// In boxes of kDepth columns: kOuts rows of weights forward, kDepth rows backward; kSamples rows of
// messages, [kPlanes T B], and of the spikes before step 0, [B].
struct StreamedMaps {
  MatrixMap weights;
  MatrixMap messages;
  MatrixMap before;
};

// The kernels' argument.
struct StreamedLaunch {
  StreamedMaps maps;
  StreamedArguments rest;
};

// A block's group of samples, its team and its rank.
template <class Shape>
struct StreamedTeam {
  int group;  // of the launch
  int team;
  int rank;
  int teams;
  int chunks;   // of the rank
  int first;    // sample of the group
  int samples;  // of the group

  POPSNN_DEVICE explicit StreamedTeam(const StreamedArguments& a)
      : group(static_cast<int>(block_index()) / a.blocks()),
        team(static_cast<int>(block_index()) % a.blocks() / a.ranks),
        rank(static_cast<int>(block_index()) % a.ranks),
        teams(a.teams),
        first((a.first_group + group) * a.group_samples) {
    const int all = (a.neurons + Shape::kDepth - 1) / Shape::kDepth;
    chunks = (all - rank + a.ranks - 1) / a.ranks;
    const int left = a.batch - first;
    samples = left < a.group_samples ? left : a.group_samples;
  }

  // Of all blocks of the group, then of each team.
  POPSNN_DEVICE unsigned* arrivals(const StreamedArguments& a) const {
    return a.arrivals + group * (1 + teams);
  }

  POPSNN_DEVICE int tiles(int of) const { return (of - team + teams - 1) / teams; }
};

// Of a block's warps that multiply and step neurons.
template <class Shape>
POPSNN_DEVICE void wait_for_steppers() {
  sync_barrier(1, Shape::kSteppers);
}

// Announces that they have written what other blocks wait for.
template <class Shape>
POPSNN_DEVICE void arrive_for_all(unsigned* arrivals) {
  wait_for_steppers<Shape>();
  if (thread_index() == 0) add_and_release(arrivals, 1u);
}

// Waits in a single thread until `count` blocks have arrived; threads that synchronise with it then
// see what those wrote.
POPSNN_DEVICE void wait_for_arrivals(const RecurrentArguments& a, const unsigned* arrivals,
                                     unsigned count) {
  Timeout timeout(a);
  while (load_and_acquire(arrivals) < count && !timeout.expired()) {
  }
}

}  // namespace popsnn
