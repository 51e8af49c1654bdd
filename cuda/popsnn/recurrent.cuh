// A recurrent layer as one kernel over all steps: what its two directions share.
//
// The weights stay in registers. A block owns kTiles tiles of 8 neurons; four blocks are a quad. At
// step u (time u forward, T - 1 - u backward) every block needs what all others have published of
// step u - 1, spikes forward and gradients backward, for each group of 16 samples in turn: while
// one group's messages are on their way, the block works on another's. There is no barrier over
// the blocks: a message lies where nothing else does, is stored once, and says itself that it is
// there, so that a reader looks until it sees it. All blocks must therefore run at once.
//
// Roles of the warps of a block:
//   product  8 or 12 warps. Each has the weights from its quads to the block's outputs as operands
//            of tensor cores, and leaves partial sums in shared memory.
//   cells    1 warp a tile adds up the sums, steps its neurons and publishes the outcome; where
//            warps are left, kSets sets of such warps have every kSets-th group each.
//   senders  where blocks share a product, 1 warp for each adds up the sums that it is sent.
//
// The weights of a block are those of all quads to its own tiles (kRanks = 1), or, where messages
// are large, those of each kRanks-th quad to the tiles of kRanks blocks, a team. Then a block reads
// only 1 / kRanks of the messages, and sends its sums to the blocks of the team that own the tiles.
#pragma once

#include <popsnn/stage_ring.cuh>
#include <popsnn/vectors.cuh>

namespace popsnn {

constexpr int kGroup = 16;  // samples of a tile of the tensor cores
constexpr int kRecurrentStates = 4;
constexpr int kRecurrentParameters = 4;

template <int kTilesOfBlock, int kRanksOfTeam>
struct RecurrentShape {
  static constexpr int kTiles = kTilesOfBlock;  // of 8 neurons, owned by a block
  static constexpr int kRanks = kRanksOfTeam;   // blocks that share a product
  static constexpr int kQuadNeurons = 32 * kTiles;
  // Warpgroups of 4: of products, one of cells, one of senders. setmaxnreg shares out the 128
  // registers that the launch gives each of 512 threads.
  static constexpr bool kSent = kRanks > 1;
  static constexpr int kThreads = 512;
  static constexpr int kProductWarps = kSent ? 8 : 12;
  static constexpr int kProductRegisters = kSent ? 200 : kTiles > 2 ? 152 : 136;
  static constexpr int kCellRegisters = kSent ? 72 : kTiles > 2 ? 56 : 104;
  static constexpr int kSenderRegisters = 40;
  static constexpr int kSets = kSent || kTiles > 1 ? 1 : 3;
  static constexpr int kBuffers = 2 * kSets;  // of partial sums, which take turns
  static constexpr int kQuads =               // of a product warp: 32 at most in all
      (32 / kRanks + kProductWarps - 1) / kProductWarps;
  static constexpr int kBlocks = 2 * kTiles;     // of 16 neurons in a quad
  static constexpr int kOuts = kRanks * kTiles;  // tiles that a block has sums of

  POPSNN_DEVICE static int quads(int neurons) {
    return (neurons + kQuadNeurons - 1) / kQuadNeurons;
  }
};

// [T, B, N] is time-major; of a batch that is run in parts, B is that of this part and `row` the
// elements of a step of the whole. Pointers may be null: at rest, not asked for, no gradient.
struct RecurrentArguments {
  const void* x;                                // [T, B, N]
  const void* weight;                           // [N, N]: to, from
  void* spikes;                                 // [T, B, N]
  void* spikes16;                               // bf16 [T, B, N], for the weights' gradient
  float* membrane;                              // [T, B, N]
  float* beside[kRecurrentStates - 2];          // [T, B, N] each: states beside membrane and spikes
  const float* initial[kRecurrentStates];       // [B, N] each
  float* final[kRecurrentStates];               // [B, N] each
  const void* grad_spikes;                      // [T, B, N]
  const void* grad_membrane;                    // [T, B, N]
  const float* grad_final[kRecurrentStates];    // [B, N] each
  void* grad_x;                                 // [T, B, N]
  void* grad_x16;                               // bf16 [T, B, N]
  float* grad_initial[kRecurrentStates];        // [B, N] each
  float* grad_parameter[kRecurrentParameters];  // [N] each, summed over T and B
  const float* parameter[kRecurrentParameters];  // [N] each, or null for `scalar`
  void* messages;                                // [T, groups, quads, words of a quad]
  void* sums;          // [2, groups, blocks, kRanks, kTiles, 128]: two steps have places
  int* status;         // set where a wait was given up
  long long row;       // elements of a step
  long long patience;  // nanoseconds that a wait may last
  float scalar[kRecurrentParameters];
  float surrogate;
  float gate;
  int steps;    // T
  int batch;    // B
  int neurons;  // N

  POPSNN_DEVICE int groups() const { return (batch + kGroup - 1) / kGroup; }
};

// Where backward finds a neuron's state of all steps, [T, B, N]; spikes follow from the others.
template <class Neuron>
POPSNN_DEVICE float* kept(const RecurrentArguments& a, int state) {
  static_assert(Neuron::kStates <= kRecurrentStates && Neuron::kSpiking &&
                    Neuron::kKept == Neuron::kStates - 1,
                "a neuron whose last state are its spikes");
  if (state == Neuron::kMembrane) return a.membrane;
  return a.beside[state < Neuron::kMembrane ? state : state - 1];
}

// Where the parts of a block's shared memory lie, in tiles [lane, 4] of floats as `multiply_tile`
// leaves them; python/popsnn/cuda/recurrent_launch.py has the size. Each lane has its own place.
template <class Shape>
class RecurrentShared {
 public:
  static constexpr int kPartials = Shape::kBuffers * Shape::kProductWarps * Shape::kOuts;

  POPSNN_DEVICE RecurrentShared()
      : lane_(shared_address(shared_memory() + thread_index() % 32 * 16)) {}

  // Where the barriers of the partial sums' buffers are, behind `Patience::lost`.
  POPSNN_DEVICE static unsigned barriers() { return shared_address(shared_memory() + 16); }

  // The barrier that the block's cells have published an item, of use where a step is one item.
  POPSNN_DEVICE static unsigned published() { return barriers() + 16 * Shape::kBuffers; }

  // Partial sums of a product warp.
  POPSNN_DEVICE unsigned partial(int buffer, int warp, int out) const {
    return tile(1 + (buffer * Shape::kProductWarps + warp) * Shape::kOuts + out);
  }

  // Makes all of a product warp's partial sums 0.
  POPSNN_DEVICE void clear_partials(int warp) const {
    const float zeros[4] = {};
    for (int buffer = 0; buffer < Shape::kBuffers; ++buffer) {
      for (int out = 0; out < Shape::kOuts; ++out) store_shared(partial(buffer, warp, out), zeros);
    }
  }

  // What the cells carry from step to step: the k-th of `count` tiles of a tile and group.
  POPSNN_DEVICE unsigned state(int count, int k, int group, int of) const {
    return tile(1 + kPartials + (group * count + k) * Shape::kTiles + of);
  }

 private:
  POPSNN_DEVICE unsigned tile(int index) const {
    return lane_ + static_cast<unsigned>(index) * 512u;
  }

  unsigned lane_;
};

// A wait that ends: `over` says that it has lasted too long, here or elsewhere in the block. The
// kernel then runs on with NaN, so that nothing waits for ever, and the host reads the status.
class Patience {
 public:
  POPSNN_DEVICE explicit Patience(const RecurrentArguments& a) : a_(a) {}

  // The block's first word of shared memory: whether a wait was given up. Then all are.
  POPSNN_DEVICE static volatile int* lost() {
    return reinterpret_cast<volatile int*>(shared_memory());
  }

  POPSNN_DEVICE bool over() {
    if (*lost() != 0) return true;
    if (++polls_ % kPollsPerLook != 0) return false;
    const auto now = static_cast<long long>(nanoseconds());
    if (since_ == 0) since_ = now;
    if (now - since_ <= a_.patience) return false;
    *lost() = 1;
    store_for_host(a_.status, 1);
    return true;
  }

 private:
  static constexpr unsigned kPollsPerLook = 256;  // a poll takes about 0.4 us

  const RecurrentArguments& a_;
  unsigned polls_ = 0;
  long long since_ = 0;
};

POPSNN_DEVICE float not_a_number() { return bits_to_float(0x7fffffffu); }

}  // namespace popsnn
