// A recurrent layer from the registers and the shared memory of a GPU of compute capability 8.0 or
// more: recurrent.cuh without what 9.0 added. No warp takes registers of another one, no block
// writes to another block's shared memory.
//
// All threads have 128 registers. A product warp has the weights from a twelfth of the senders to
// the block's neurons, of as many units of senders as its registers hold, and those of the others
// in shared memory. In both directions weights are the tensor cores' operand of 16 rows, messages
// that of 8 columns, so that a group has 8 samples. Backward every block reads all gradients.
//
// Weights of float32 are three terms of bf16, backward gradients too. A batch in parts runs on
// blocks of its own for each part, which read the messages of fewer samples.
#pragma once

#include <popsnn/recurrent/portable/messages.cuh>

namespace popsnn {

// `kUnitsOfWarp` are those of senders, of which registers have the weights of `kInRegisters`.
// kPart: the batch is in parts.
// python/popsnn/cuda/recurrent/portable/plan.py chooses them.
template <class KindOfMessages, int kTilesOfBlock, int kUnitsOfWarp, int kInRegisters,
          int kBuffersOfBlock, bool kPart = false>
struct PortableShape : OctetShape<kTilesOfBlock> {
  using Kind = KindOfMessages;
  static constexpr int kTiles = kTilesOfBlock;  // of 16 neurons, owned by a block
  static constexpr int kProductWarps = 12;
  static constexpr int kProductRegisters = 0;  // every warp keeps those of the launch
  static constexpr int kSets = 4 / kTiles;
  static constexpr int kBuffers = kBuffersOfBlock;
  static constexpr int kUnits = kUnitsOfWarp;
  static constexpr int kHeldUnits = kInRegisters;
  static constexpr int kUnit = Kind::kUnit;
  static constexpr int kTerms = Kind::kTerms;
  static constexpr bool kInParts = kPart;
  static constexpr int kUnitWords4 = 32;  // of a unit's gradients of a group, of a term
  static constexpr int kDepth = 0;        // of items whose messages are copied ahead
  static constexpr int kWeights = Kind::kBlocks * kTiles * Kind::kWeightTerms;  // of a unit
  static constexpr int kReceived = kProductWarps * (kUnits - kHeldUnits) * kWeights;

  POPSNN_DEVICE static int groups(int batch) { return (batch + 7) / 8; }
  POPSNN_DEVICE static int units(int neurons) { return (neurons + kUnit - 1) / kUnit; }
  POPSNN_DEVICE static int quads(int neurons) { return units(neurons); }

  // Columns are samples.
  POPSNN_DEVICE static void arrange(float (&sum)[4]) {
    const float second = sum[2];
    sum[2] = sum[1];
    sum[1] = second;
#pragma unroll
    for (float& x : sum) x *= Kind::kScale;
  }
};

// The work of the product warps; a warp has every 12th unit.
template <class Shape>
class PortableProduct {
 public:
  using Kind = typename Shape::Kind;

  // Each lane reads the weights of its own.
  POPSNN_DEVICE static void bring(const RecurrentArguments&, int) {}

  POPSNN_DEVICE PortableProduct(const RecurrentArguments& a, int block)
      : a_(a), warp_(in_register(thread_index() / 32)) {
    const int left =
        (Shape::units(a.neurons) - warp_ + Shape::kProductWarps - 1) / Shape::kProductWarps;
    count_ = left < 0 ? 0 : left < Shape::kUnits ? left : Shape::kUnits;
#pragma unroll
    for (int i = 0; i < Shape::kUnits; ++i) {
#pragma unroll
      for (int tile = 0; tile < Shape::kTiles; ++tile) {
#pragma unroll
        for (int term = 0; term < Kind::kWeightTerms; ++term) {
          Words4 weight[Kind::kBlocks];
          Kind::load(a, term, Shape::neuron(block, tile), warp_ + i * Shape::kProductWarps, weight);
#pragma unroll
          for (int k = 0; k < Kind::kBlocks; ++k) {
            if (i < Shape::kHeldUnits) {
              weight_[i][k][tile][term] = weight[k];
            } else {
              store_shared(address(i, k, tile, term), weight[k]);
            }
          }
        }
      }
      sync_warp();  // registers do not hold what is in flight of several units
    }
  }

  // Items are a step's groups, step after step; those from `begin` on have messages.
  POPSNN_DEVICE void run(int begin) {
    const int groups = Shape::groups(a_.batch);
    const int items = a_.steps * groups;
    if (count_ == 0 || begin == items) return;
    PortableMessages<Shape> messages(a_, begin, warp_, count_);
    Ring<Shape::kBuffers> buffers(shared_.barriers());
    if (groups > 1) messages.request();
    for (int item = begin; item < items; ++item) {
      if (groups == 1) {
        wait_for_phase(shared_.published(), (item - begin) % 2);
        wait_clocks(kFirstPoll);
        messages.request();
      }
      float sum[Shape::kTiles][4] = {};
      multiply(messages, groups > 1 && item + 1 < items, sum);
      messages.advance();
      shared_.hand_over(buffers, warp_, sum);
    }
  }

 private:
  POPSNN_DEVICE unsigned address(int i, int k, int tile, int term) const {
    constexpr int kInShared = Shape::kUnits - Shape::kHeldUnits;
    const int unit = warp_ * kInShared + i - Shape::kHeldUnits;
    return shared_.weights(
        ((unit * Kind::kBlocks + k) * Shape::kTiles + tile) * Kind::kWeightTerms + term);
  }

  // Adds the product of weights and messages: those of their terms but three of nine, each at most
  // 2^-25 of the first.
  //
  // Tensor cores cut off the bits of a sum that a float does not hold, so that long sums drift,
  // beyond the precision of float32 alone. So they sum the terms of 16 senders, and an addition of
  // float32 adds that.
  POPSNN_DEVICE void add_products(int i, int k, int tile, const unsigned (&b)[Kind::kTerms][2],
                                  float (&sum)[4]) const {
    float of_senders[4] = {};
#pragma unroll
    for (int of = 0; of < Kind::kWeightTerms; ++of) {
      Words4 weight;
      if (i < Shape::kHeldUnits) {
        weight = weight_[i][k][tile][of];
      } else {
        load_shared(address(i, k, tile, of), weight);
      }
#pragma unroll
      for (int j = 0; j < Kind::kTerms && of + j < Kind::kWeightTerms; ++j) {
        multiply_tile(Kind::kWeightTerms > 1 ? of_senders : sum, weight, b[j]);
      }
    }
    if constexpr (Kind::kWeightTerms > 1) {
#pragma unroll
      for (int j = 0; j < 4; ++j) sum[j] += of_senders[j];
    }
  }

  POPSNN_DEVICE void multiply(PortableMessages<Shape>& messages, bool more,
                              float (&sum)[Shape::kTiles][4]) const {
#pragma unroll
    for (int i = 0; i < Shape::kUnits; ++i) {
      if (i > 0 && i >= count_) break;
      if (i % PortableMessages<Shape>::kSlots == 0) messages.take(a_, i);
#pragma unroll
      for (int k = 0; k < Kind::kBlocks; ++k) {
        unsigned b[Kind::kTerms][2];
#pragma unroll
        for (int j = 0; j < Kind::kTerms; ++j) messages.operand(i, j, k, b[j]);
#pragma unroll
        for (int tile = 0; tile < Shape::kTiles; ++tile) add_products(i, k, tile, b, sum[tile]);
      }
      messages.done(i, more);
    }
  }

  const RecurrentArguments& a_;
  const RecurrentShared<Shape> shared_;
  int warp_;
  int count_;  // of the warp's units
  Words4 weight_[Shape::kHeldUnits][Kind::kBlocks][Shape::kTiles][Kind::kWeightTerms];
};

// Without initial spikes the first step has no messages. The arguments are `RecurrentArguments` or
// `RecurrentParts`.
template <class Shape, class Neuron, class T, bool kEven, Delay kDelay = Delay::kNone,
          class Arguments>
POPSNN_DEVICE void recurrent_portable_forward(const Arguments& arguments) {
  using Publisher = typename OctetMessages<Shape>::Publisher;
  const auto part = part_of_block(arguments);
  const RecurrentArguments& a = part.arguments;
  run_recurrent<Shape, PortableProduct<Shape>,
                ForwardCells<Shape, Publisher, Neuron, T, kEven, kDelay>>(
      a, part.block, a.initial[Neuron::kStates - 1] != nullptr ? 0 : Shape::groups(a.batch));
}

// The last step has no messages.
template <class Shape, class Neuron, class Gradient, class T, bool kEven, bool kMembranes,
          bool kLearn, Delay kDelay = Delay::kNone, class Arguments>
POPSNN_DEVICE void recurrent_portable_backward(const Arguments& arguments) {
  const auto part = part_of_block(arguments);
  run_recurrent<Shape, PortableProduct<Shape>,
                BackwardCells<Shape, Neuron, Gradient, T, kEven, kMembranes, kLearn, kDelay>>(
      part.arguments, part.block, Shape::groups(part.arguments.batch));
}

}  // namespace popsnn
