// A recurrent layer whose time follows the spikes, as a single kernel over all steps: a step reads
// only the weights of neurons that are active.
//
// Both directions read weights by sender, those of a sender to all neurons as neighbours in memory:
// a transposed copy. A block owns kOuts neurons.
//
// Forward, a step needs the rows of the senders that fired in any sample. Each block publishes a
// list of those it has (lists.cuh). Each of its warps has kWidth of its neurons and reads the lists
// of every kSplits-th block. It copies the rows of the senders that it finds there to shared
// memory, 16 together, and multiplies them on tensor cores (product.cuh).
//
// Backward, the gradient of a spike counts only where its neuron has fired or is above the gradient
// threshold. So a step needs the rows of those neurons alone, and of each the product with the
// gradients of all neurons of the step before. Which these are is known from the forward pass
// (active.cuh); a block copies the rows of its own neurons before the gradients arrive
// (row_copies.cuh, rows.cuh, of one sample dots.cuh).
//
// The sums of the warps meet in shared memory, and the threads step the neurons (cells.cuh). A step
// waits once for other blocks. There is no barrier over the blocks: a message says itself that it
// has arrived. What a step costs is the rows of the union of the samples' active neurons, at the
// bandwidth of the memory or of L2. Where these have been so many for some steps that reading all
// weights in sequence would take less time, the kernel ends, and a streamed kernel does the rest.
#pragma once

#include <popsnn/recurrent/streamed/streamed.cuh>

namespace popsnn {

using Word64 = unsigned long long;

// kListSamples are a group, kSampleTiles tiles of 8. A warp has kOutTiles of 16 neurons, one of the
// block's kColumns such ranges, and kStages of shared memory. kPlanes of 16 bits are a message of
// the backward pass, of which a thread has kVectors times eight neighbours where the group is one
// sample.
template <class WeightType, int kSamplesOfList, int kOutTilesOfWarp, int kColumnsOfBlock,
          int kWarpsOfBlock, int kStagesOfWarp, int kPlanesOfMessage, int kVectorsOfThread>
struct GatheredShape {
  using W = WeightType;
  static constexpr bool kExact = sizeof(W) == 4;
  static constexpr bool kPolled = true;  // messages say themselves that they have arrived
  static constexpr int kWarps = kWarpsOfBlock;
  static constexpr int kThreads = 32 * kWarps;
  static constexpr int kListSamples = kSamplesOfList;
  static constexpr int kSampleTiles = (kListSamples + 7) / 8;
  static constexpr int kSamples = 8 * kSampleTiles;
  static constexpr int kOutTiles = kOutTilesOfWarp;
  static constexpr int kWidth = 16 * kOutTiles;  // neurons of a warp
  static constexpr int kColumns = kColumnsOfBlock;
  static constexpr int kOuts = kColumns * kWidth;    // neurons of a block
  static constexpr int kSplits = kWarps / kColumns;  // warps that share the senders
  static constexpr int kStages = kStagesOfWarp;
  static constexpr int kPlanes = kPlanesOfMessage;
  static constexpr int kVectors = kVectorsOfThread;

  static constexpr int kFront = 256;          // bytes of shared memory: `GatheredFront`
  static constexpr int kSumRow = kWidth + 4;  // floats, of a sample
  static constexpr int kSumBytes = kSamples * kSumRow * 4;  // of a warp

  using Sums = float (&)[kOutTiles][kSampleTiles][4];

  // Writes a warp's sums to its shared memory, [kSamples, kSumRow].
  POPSNN_DEVICE static void store_sums(float* to, const float (&sums)[kOutTiles][kSampleTiles][4]) {
    to += thread_index() % 4 * 2 * kSumRow + thread_index() % 32 / 4;
#pragma unroll
    for (int tile = 0; tile < kSampleTiles; ++tile) {
#pragma unroll
      for (int out = 0; out < kOutTiles; ++out) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          to[(tile * 8 + j % 2) * kSumRow + out * 16 + j / 2 * 8] = sums[out][tile][j];
        }
      }
    }
  }

  static_assert(kWarps % kColumns == 0 && kOuts <= kThreads && kOuts <= 256);
};

struct GatheredArguments : StreamedArguments {
  // Different from StreamedArguments:
  //   weight    [N, pitch]: from, to
  //   messages  backward Sixteen [kPlanes, T, B, pitch]; kUnset where they have not arrived
  Word64* lists;           // [2, blocks, kOuts]: forward, of two steps in turn; 0
  unsigned short* active;  // [T, words of 32 neurons, 2]: backward, bits
  int* counts;             // [T]: backward, active neurons; 0 before
  int* left;               // the first step that is left to a kernel which streams the weights
  int list_blocks;
  int limit;  // rows of a step above which streaming all weights takes less time

  POPSNN_DEVICE int active_words() const { return (neurons + 31) / 32; }
};

// The first words of shared memory.
class GatheredFront {
 public:
  // Whether the block leaves the remaining steps to a kernel that streams.
  POPSNN_DEVICE static volatile int* leaves() { return Timeout::aborted() + 1; }

  // Rows that a warp has read in a step.
  POPSNN_DEVICE static volatile int* rows() { return Timeout::aborted() + 16; }
};

}  // namespace popsnn
