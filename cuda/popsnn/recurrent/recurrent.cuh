// A recurrent layer as a single kernel over all steps: common code of forward and backward.
//
// The weights stay in registers. A block owns kTiles tiles of 8 neurons. At step u (time u forward,
// T - 1 - u backward) every block needs what all others have published of step u - 1, spikes
// forward and gradients backward, for each group of samples in turn: while the messages of a group
// are in flight, the block works on another group. There is no barrier over the blocks: a message
// has an address that nothing else uses, is stored once, and contains a flag that it has arrived,
// so that a reader polls it. All blocks must therefore run at once.
//
// Roles of the warps of a block:
//   product  12 warps; of a batch in parts up to 16 forward, 4 or 8 backward. Each has the weights
//            from a fraction of the senders to the block's outputs as operands of tensor cores, and
//            writes partial sums to shared memory.
//   cells    a warp adds up the sums of some neurons, steps them and publishes the outcome; where
//            warps are left, kSets sets of such warps have every kSets-th group each.
//
// A step's groups, step after step, are the items that a block works on.
//
// Backward, where messages are large, two blocks divide the work: resident/pair.cuh. Forward, up to
// 8 samples are the operand's columns: resident/octet.cuh. GPUs without
// what compute capability 9.0 added, weights of float32 and neurons of more states have another
// product, and no transfer of registers: portable/portable.cuh.
#pragma once

#include <popsnn/device/stage_ring.cuh>
#include <popsnn/recurrent/sixteen.cuh>

namespace popsnn {

constexpr int kGroup = 16;              // samples of a tile of the tensor cores
constexpr int kProductWarps = 12;       // of a block
constexpr int kRecurrentThreads = 512;  // of a block, unless a batch is in parts
constexpr int kRecurrentStates = 12;
constexpr int kRecurrentParameters = 16;

// Where a step is a single group of 8 samples: clocks from a block's publishing to its first poll
// of the messages of others. A poll takes bandwidth from them, and a poll that is too early delays
// the next. On an H200, N = 2944, T = 100, 400 is best of 0 to 800 in both directions: 167 us
// forward for 177 without, 198 backward for 242.
constexpr int kFirstPoll = 400;

// Forward. Four blocks are a quad, whose messages of a step and group lie together. With kPart, of
// a batch in parts, a product warp has one quad and keeps up with more groups: the warps of a block
// share its tensor cores, and while some wait for messages others multiply. There are as many as
// quads: a warp without one makes the warps of a scheduler uneven. On an H200, 1024 neurons, 256
// samples, 100 steps forward: 257 us with 11, and 285 us with 12 of which one has no quad.
template <int kTilesOfBlock, int kWarps = popsnn::kProductWarps, bool kPart = false>
struct RecurrentShape {
  static constexpr int kTiles = kTilesOfBlock;  // of 8 neurons, owned by a block
  static constexpr int kQuadNeurons = 32 * kTiles;
  // Of a part as many as registers allow. On an H200, 256 samples, 100 steps forward: 1024 neurons
  // 259 us with 3 sets, 295 with 2; 1500 neurons, of more product warps, before: 589 and 574.
  static constexpr int kSetsOfPart = kTiles < 3 ? 4 : kWarps > popsnn::kProductWarps ? 2 : 3;
  static constexpr int kSets = kPart ? kSetsOfPart : kTiles > 1 ? 1 : 3;
  static constexpr int kThreads = kPart ? 32 * (kWarps + kSets * kTiles) : kRecurrentThreads;
  static constexpr int kAhead = 0;  // steps from a prefetch of an input to its load
  static constexpr int kProductWarps = kWarps;
  // setmaxnreg redistributes the 128 registers of each of 512 threads; 0: every warp keeps its own.
  static constexpr int kProductRegisters = kPart ? 0 : kTiles > 2 ? 152 : 136;
  static constexpr int kCellRegisters = kTiles > 2 ? 56 : 104;
  static constexpr int kBuffers = 2 * kSets;    // of partial sums, which take turns
  static constexpr int kQuads = kPart ? 1 : 3;  // of a product warp, at most
  static constexpr bool kEarly = kPart;         // whether polls of the next item begin at once
  static constexpr int kBlocks = 2 * kTiles;    // of 16 neurons in a quad
  static constexpr int kOuts = kTiles;          // tiles that a block has sums of
  static constexpr int kCellWarps = kTiles;     // of a set
  static constexpr int kReceived = 0;
  static constexpr int kTaps = 1;
  static constexpr bool kInParts = kPart;
  static_assert(kPart ||
                    kProductWarps * kProductRegisters + (16 - kProductWarps) * kCellRegisters <=
                        2048,
                "the registers of a multiprocessor");
  static_assert(16 + 16 * kBuffers + 8 <= 512, "the tile of the barriers");

  // Samples, of which a lane of the cells has two, g and g + 8.
  static constexpr int kSamples = kGroup;
  static constexpr int kHalf = 8;
  static constexpr int kFirstMask = 4;  // lanes of the same neurons
  static constexpr int kLastMask = 16;

  POPSNN_DEVICE static int sample() { return thread_index() % 32 / 4; }
  POPSNN_DEVICE static int neuron(int block, int tile) {
    return (block * kTiles + tile) * 8 + thread_index() % 4 * 2;
  }
  POPSNN_DEVICE static int groups(int batch) { return (batch + kSamples - 1) / kSamples; }

  // Permutes a lane's sums to the order of its cells, and scales them.
  POPSNN_DEVICE static void arrange([[maybe_unused]] float (&sum)[4]) {
    if constexpr (SpikeOperand<Sixteen>::kSumScale != 1.0f) {
#pragma unroll
      for (float& x : sum) x *= SpikeOperand<Sixteen>::kSumScale;
    }
  }

  POPSNN_DEVICE static int quads(int neurons) {
    return (neurons + kQuadNeurons - 1) / kQuadNeurons;
  }
};

// Of a layer with delays of its weights, streamed/taps.cuh: the sources of a block are the quads of
// all taps, whose messages are those of earlier steps. The weights are [taps, N, N], and so many
// steps but one of messages lie before those of the first.
template <int kTapsOfLayer, int kQuadsOfWarp>
struct TapShape : RecurrentShape<1> {
  static constexpr int kTaps = kTapsOfLayer;
  static constexpr int kQuads = kQuadsOfWarp;
};

// The quads that a block has the weights from.
template <class Shape>
POPSNN_DEVICE int source_quads(int neurons) {
  return Shape::kTaps * Shape::quads(neurons);
}

// [T, B, N] is time-major. Of a batch that is split over launches or parts, B is that of one and
// `row` the elements of a step of the whole batch. Pointers may be null: states at rest, an output
// that is not requested, no gradient.
struct RecurrentArguments {
  const void* x;                           // [T, B, N]; backward of float16 `GradientScale`
  const void* weight;                      // [N, N]: to, from
  void* spikes;                            // [T, B, N]
  void* spikes16;                          // Sixteen [T, B, N], for the weights' gradient
  float* membrane;                         // [T, B, N]
  float* extra[kRecurrentStates - 2];      // [T, B, N] each: states other than membrane and spikes
  const float* initial[kRecurrentStates];  // [B, N] each
  float* final[kRecurrentStates];          // [B, N] each
  const void* grad_spikes;                 // [T, B, N]
  const void* grad_membrane;               // [T, B, N]
  const float* grad_final[kRecurrentStates];     // [B, N] each
  void* grad_x;                                  // [T, B, N]
  void* grad_x16;                                // Sixteen [T, B, N]
  float* grad_initial[kRecurrentStates];         // [B, N] each
  float* grad_parameter[kRecurrentParameters];   // [N] each, summed over T and B
  const float* parameter[kRecurrentParameters];  // [N] each, or null for `scalar`
  void* messages;                                // [T, groups, words of all neurons]
  void* sums;                                    // where blocks write partial sums to memory
  int* status;                                   // set where a wait timed out
  long long row;                                 // elements of a step
  long long timeout;                             // nanoseconds that a wait may last
  float scalar[kRecurrentParameters];
  float surrogate;
  float grad_threshold;
  int steps;    // T
  int batch;    // B
  int neurons;  // N
  int first;    // samples of parts before, in [.., B, N]: kernels of parts set it
};

constexpr int kParts = 4;  // of a batch at most: arguments of 4 KB

// A batch in parts, each on blocks of its own: of a layer that needs a fraction of the GPU's.
struct RecurrentParts {
  RecurrentArguments part[kParts];
  int blocks;  // of a part, an even number
};
static_assert(sizeof(RecurrentParts) <= 4096, "arguments of a kernel");

// The arguments of the part that a block works on, and the number of the block in it.
template <class Arguments>
struct RecurrentPart {
  Arguments arguments;
  int block;
};

POPSNN_DEVICE RecurrentPart<const RecurrentArguments&> part_of_block(const RecurrentArguments& a) {
  return {a, in_register(static_cast<int>(block_index()))};
}

// The arguments of the first part, but for what differs: an argument at an index that is not known
// to the compiler takes an instruction and its latency at each use. Parts but the last have as many
// samples as the first.
POPSNN_DEVICE RecurrentPart<RecurrentArguments> part_of_block(const RecurrentParts& a) {
  const int block = in_register(static_cast<int>(block_index()));
  const int part = block / a.blocks;
  const RecurrentArguments& own = a.part[part];
  RecurrentPart<RecurrentArguments> result = {a.part[0], in_register(block - part * a.blocks)};
  result.arguments.first = part * a.part[0].batch;
  result.arguments.batch = own.batch;
  result.arguments.messages = own.messages;
#pragma unroll
  for (int i = 0; i < kRecurrentParameters; ++i)
    result.arguments.grad_parameter[i] = own.grad_parameter[i];
  return result;
}

// A neuron's state of all steps for backward, [T, B, N]; spikes follow from the other states.
template <class Neuron>
POPSNN_DEVICE float* saved(const RecurrentArguments& a, int state) {
  static_assert(Neuron::kStates <= kRecurrentStates && Neuron::kSpiking &&
                    Neuron::kSaved == Neuron::kStates - 1,
                "a neuron whose last state are its spikes");
  if (state == Neuron::kMembrane) return a.membrane;
  return a.extra[state < Neuron::kMembrane ? state : state - 1];
}

// x, in kernels of parts pinned in a register. Other cell warps have none left for it: with float32
// tensors a spill of 16 bytes took the forward pass of 2944 neurons from 297 us to 365 on an H200.
template <class Shape>
POPSNN_DEVICE int in_register_of_part(int x) {
  if constexpr (Shape::kInParts) return in_register(x);
  return x;
}

// Whether sets of warps tell the phases of their buffers of partial sums apart.
//
// From its last group of a step a set goes on to its first of the next step, up to 2 kSets - 1
// items later. With fewer buffers it would pass over an item of another set that has the same
// buffer as its next one. A barrier only tells phases apart that follow each other, so that the set
// could take that buffer as full before it is.
template <class Shape>
constexpr bool kBuffersSuffice = Shape::kSets == 1 || Shape::kBuffers >= 2 * Shape::kSets - 1;

// Advances by so many buffers, at most all: of parts without a loop.
template <class Shape>
POPSNN_DEVICE void advance_by(Ring<Shape::kBuffers>& buffers, int by) {
  if constexpr (Shape::kInParts) {
    buffers.advance(by);
  } else {
    for (int i = 0; i < by; ++i) buffers.advance();
  }
}

// The layout of a block's shared memory, in tiles [lane, 4] of floats as `multiply_tile` returns
// them; python/popsnn/cuda/recurrent/resident/launch.py has the size. A lane uses only its row.
template <class Shape>
class RecurrentShared {
 public:
  static constexpr int kPartials = Shape::kBuffers * Shape::kProductWarps * Shape::kOuts;

  POPSNN_DEVICE RecurrentShared()
      : lane_(shared_address(shared_memory() + thread_index() % 32 * 16)) {}

  // Where the barriers of the partial sums' buffers are, behind `Timeout::aborted`.
  POPSNN_DEVICE static unsigned barriers() { return shared_address(shared_memory() + 16); }

  // The barrier that the block's cells have published an item, used where a step is a single item.
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

  // The word that `Timeout::aborted` names.
  POPSNN_DEVICE static unsigned aborted() { return shared_address(shared_memory()); }

  // Writes a product warp's partial sums of an item to the next buffer, for the warp that adds
  // them. `empty`: the buffer is known to be.
  POPSNN_DEVICE void hand_over(Ring<Shape::kBuffers>& buffers, int warp,
                               const float (&sum)[Shape::kTiles][4], bool empty = false,
                               int lane = thread_index() % 32) const {
    if (!empty) buffers.wait_until_empty();
#pragma unroll
    for (int tile = 0; tile < Shape::kTiles; ++tile) {
      store_shared(partial(buffers.stage(), warp, tile), sum[tile]);
    }
    sync_warp();
    if (lane == 0) arrive(buffers.full());
    buffers.advance();
  }

  // Adds up those of all product warps, from the first warp's on.
  POPSNN_DEVICE static void add_partials(unsigned from, float (&sum)[4]) {
    float x[Shape::kProductWarps][4];  // all in flight together
#pragma unroll
    for (int w = 0; w < Shape::kProductWarps; ++w) {
      load_shared(from + static_cast<unsigned>(w * 512 * Shape::kOuts), x[w]);
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      sum[j] = Shape::kProductWarps > 1 ? x[0][j] + x[1][j] : x[0][j];
#pragma unroll
      for (int w = 2; w < Shape::kProductWarps; w += 2)
        sum[j] += w + 1 < Shape::kProductWarps ? x[w][j] + x[w + 1][j] : x[w][j];
    }
  }

  // The buffer of sums that a warp of the cells receives, and the barrier that they have arrived.
  POPSNN_DEVICE unsigned received(int slot, int of) const {
    return tile(1 + kPartials + slot * Shape::kCellWarps + of);
  }
  POPSNN_DEVICE static unsigned arrival(int slot) {
    return published() + 8 + 8 * static_cast<unsigned>(slot);
  }

  // Where messages of a unit of a product warp are copied to, behind the sums.
  POPSNN_DEVICE unsigned copied(int slot, int warp, int unit) const {
    return tile(1 + kPartials + Shape::kCopied +
                (slot * Shape::kProductWarps + warp) * Shape::kUnits + unit);
  }

  // A tile of what is `Shape::kReceived` otherwise.
  POPSNN_DEVICE unsigned weights(int index) const { return tile(1 + kPartials + index); }

  // The states of the cells between steps: the k-th of `count` tiles of a tile and group.
  POPSNN_DEVICE unsigned state(int count, int k, int group, int of) const {
    return tile(1 + kPartials + Shape::kReceived + (group * count + k) * Shape::kCellWarps + of);
  }

 private:
  POPSNN_DEVICE unsigned tile(int index) const {
    return lane_ + static_cast<unsigned>(index) * 512u;
  }

  unsigned lane_;
};

// A bounded wait: `expired` returns true where it has lasted too long, here or elsewhere in the
// block. The kernel then continues with NaN, so that nothing waits for ever, and the host reads the
// status.
class Timeout {
 public:
  POPSNN_DEVICE explicit Timeout(const RecurrentArguments& a) : a_(a) {}

  // The block's first word of shared memory: whether a wait timed out. Then all waits are aborted.
  POPSNN_DEVICE static volatile int* aborted() {
    return reinterpret_cast<volatile int*>(shared_memory());
  }

  POPSNN_DEVICE bool expired() {
    if (*aborted() != 0) return true;
    if (++polls_ % kPollsPerCheck != 0) return false;
    const auto now = static_cast<long long>(nanoseconds());
    if (since_ == 0) since_ = now;
    if (now - since_ <= a_.timeout) return false;
    *aborted() = 1;
    store_for_host(a_.status, 1);
    return true;
  }

 private:
  static constexpr unsigned kPollsPerCheck = 256;  // a poll takes about 0.4 us

  const RecurrentArguments& a_;
  unsigned polls_ = 0;
  long long since_ = 0;
};

POPSNN_DEVICE float quiet_nan() { return bits_to_float(0x7fffffffu); }

}  // namespace popsnn
