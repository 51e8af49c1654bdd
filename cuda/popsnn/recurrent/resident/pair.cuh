// The backward pass of a recurrent layer in pairs of blocks: common code.
//
// All gradients of a step are too many for every multiprocessor to read in time. Two blocks, a
// cluster, divide a product: each reads every other unit of 32 neurons' gradients, and multiplies
// them with the weights to the neurons of both. It sends the sums of the other block's neurons
// through shared memory, and uses those of its own.
//
// The weights stay in registers, as the tensor cores' operand of 16 rows; the messages are that of
// 8 columns, so that groups are of 8 samples. The rest is as in recurrent.cuh: groups take turns,
// messages have addresses that nothing else uses and contain a flag that they have arrived.
#pragma once

#include <popsnn/device/cluster.cuh>
#include <popsnn/recurrent/resident/cells.cuh>

namespace popsnn {

constexpr int kPairSets = 2;         // of warps that step neurons, where most warps multiply
constexpr int kPairUnits = 4;        // of a product warp, at most
constexpr int kPairCellsOfPart = 8;  // warps that step neurons, where a batch is in parts
constexpr int kPairDepth = 2;        // items of which product warps of parts copy messages ahead

// Of a batch in parts `kWarps` product warps have `kUnitsOfPart` units each. Fewer of them leave
// fewer partial sums to add on the path from message to message. On an H200, 256 samples, 100 steps
// backward and the weights' gradient: 1024 neurons 397 us with 4 and 406 with 8, 768 neurons 318
// and 371, before copies began late.
template <int kTilesOfBlock, int kUnitsOfPart = 0, int kWarps = popsnn::kProductWarps>
struct PairShape {
  static constexpr int kTiles = kTilesOfBlock;  // of 16 neurons, which a pair owns
  static constexpr bool kInParts = kUnitsOfPart > 0;
  static constexpr int kAllWarps = kInParts ? kWarps + kPairCellsOfPart : kRecurrentThreads / 32;
  static constexpr int kThreads = 32 * kAllWarps;
  static constexpr int kProductWarps = kWarps;
  // Of 128 that each thread begins with, or 168 of fewer than 16 warps.
  static constexpr int kProductRegisters = !kInParts ? 136 : kAllWarps < 16 ? 200 : 152;
  static constexpr int kCellRegisters = 104;
  static constexpr int kCellWarps = (kTiles + 1) / 2;  // of a set
  // Of warps that step neurons, which have every kSets-th group each.
  static constexpr int kSets = kInParts ? kPairCellsOfPart / kCellWarps : kPairSets;
  static constexpr int kBuffers = 2 * kSets;
  static constexpr int kOuts = kTiles;  // tiles that a block has sums of
  static constexpr int kUnit = 32;      // senders that a lane has 8 of
  static constexpr int kUnits = kInParts ? kUnitsOfPart : kPairUnits;
  static constexpr int kDepth = kInParts ? kPairDepth : 0;
  // Whether copies begin when a product is done, and not before it. A copy that is too early misses
  // its message, and the poll that follows takes longer than a product. On an H200, 768 neurons,
  // 256 samples: 303 us and 321.
  static constexpr bool kCopiesLate = kInParts && kUnits < 4;
  static constexpr int kUnitWords4 = 8 * kUnit / 8;  // of a unit's messages of a group
  static constexpr int kTerms = 1;                   // of 16 bits, that a gradient is sent as
  static constexpr int kReceivedSlots = 24;  // of the other block's sums: two steps' groups at most
  static constexpr int kCopied = kReceivedSlots * kCellWarps;  // behind these, messages
  static constexpr int kReceived = kCopied + kDepth * kProductWarps * kUnits;
  static_assert(kProductWarps * kProductRegisters + (kAllWarps - kProductWarps) * kCellRegisters <=
                    2048,
                "the registers of a multiprocessor");
  static_assert(16 + 16 * kBuffers + 8 + 8 * kReceivedSlots <= 512, "the tile of the barriers");
  static constexpr int kWeightRow = 32 * kTiles + 16;  // bytes of a sender's weights
  static constexpr int kSumBytes = 256 * kTiles;       // that a block sends the other

  // Samples, of which a lane has two neighbours.
  static constexpr int kSamples = 8;
  static constexpr int kHalf = 1;
  static constexpr int kFirstMask = 1;  // lanes of the same neurons
  static constexpr int kLastMask = 2;

  // The tile of a pair that a warp of a block's cells has, or half of it.
  POPSNN_DEVICE static int tile(int rank, int of) {
    return half(of) ? of : rank == 0 ? of : kTiles - 1 - of;
  }
  POPSNN_DEVICE static bool half(int of) { return kTiles % 2 == 1 && of == kCellWarps - 1; }

  // The lane of `multiply_tile` whose elements of the tile a lane of the cells has, or none.
  POPSNN_DEVICE static int lane(int rank, int of) {
    return half(of) ? thread_index() % 16 + 16 * rank : thread_index() % 32;
  }
  POPSNN_DEVICE static bool there(int of) { return !half(of) || thread_index() % 32 < 16; }

  POPSNN_DEVICE static int sample() { return thread_index() % 4 * 2; }

  // The first of a lane's two neighbours, or a number beyond every layer.
  POPSNN_DEVICE static int neuron(int block, int of) {
    const int rank = block % 2;
    const int at = block / 2 * (16 * kTiles) + tile(rank, of) * 16 + lane(rank, of) / 4 * 2;
    return there(of) ? at : 1 << 30;
  }

  POPSNN_DEVICE static int groups(int batch) { return (batch + kSamples - 1) / kSamples; }
  POPSNN_DEVICE static int units(int neurons) { return (neurons + kUnit - 1) / kUnit; }
};

}  // namespace popsnn
