// Forward: the product of the rows of the senders that a warp finds in lists, with their spikes.
#pragma once

#include <popsnn/recurrent/gathered/lists.cuh>
#include <popsnn/recurrent/gathered/stamps.cuh>

namespace popsnn {

template <class Shape>
class SpikeProduct {
 public:
  using W = typename Shape::W;
  using Sums = typename Shape::Sums;
  static constexpr int kChunk = 16;  // senders that are copied and multiplied together
  static constexpr int kRowBytes = Shape::kWidth * static_cast<int>(sizeof(W));
  // 16 bytes apart from a multiple of 32 words: eight rows have eight different banks.
  static constexpr int kStageRow = kRowBytes + 16;
  static constexpr int kStageBytes = kChunk * kStageRow;
  static constexpr int kStagesBytes = Shape::kStages * kStageBytes;
  // The sums lie where the stages were.
  static constexpr int kRoomBytes =
      kStagesBytes > Shape::kSumBytes ? kStagesBytes : Shape::kSumBytes;
  // A ring of senders: those of the stages, of a chunk that is not whole, and of 32 words.
  static constexpr int kEntries = (Shape::kStages + 1) * kChunk + 32 <= 128 ? 128 : 256;
  static_assert((Shape::kStages + 1) * kChunk + 32 <= kEntries, "the ring has room");
  static constexpr int kWarpBytes = kRoomBytes + kEntries * 12;

  // `shared`: the warp's memory, kWarpBytes.
  POPSNN_DEVICE SpikeProduct(const GatheredArguments& a, unsigned char* shared, int column)
      : a_(a),
        lane_(thread_index() % 32),
        stages_(shared_address(shared)),
        sums_(reinterpret_cast<float*>(shared)),
        masks_(reinterpret_cast<Word64*>(shared + kRoomBytes)),
        senders_(reinterpret_cast<int*>(shared + kRoomBytes + kEntries * 8)),
        first_(static_cast<int>(block_index()) * Shape::kOuts + column * Shape::kWidth) {
    const unsigned vector = kWhole ? static_cast<unsigned>(lane_) % kVectors : 0u;
    columns_ =
        in_register(static_cast<const unsigned char*>(a.weight) +
                    static_cast<long long>(first_) * static_cast<int>(sizeof(W)) + vector * 16);
    there_ = static_cast<int>(vector * 16) < column_bytes();
  }

  // Writes the warp's sums of a step.
  template <class Reader>
  POPSNN_DEVICE void run(Reader& reader, [[maybe_unused]] int step) {
    entries_ = 0;
    rows_ = 0;
    copied_ = 0;
    multiplied_ = 0;
    float sums[Shape::kOutTiles][Shape::kSampleTiles][4] = {};
    Timeout timeout(a_);
    for (bool more = true; more;) {
      bool taken = false;
      int sender = 0;
      Word64 mask = 0;
      more = reader.next(taken, sender, mask, timeout);
      if (entries_ == 0) stamp<Shape>(a_, step, Phase::kArrived);
      if (!more) {  // the last chunk ends with senders of no weights
        taken = entries_ % kChunk != 0 && entries_ % kChunk + lane_ < kChunk;
        sender = -1;
        mask = 0;
      }
      const unsigned entries = ballot(taken);
      if (taken) put(entries_ + popcount(entries & ((1u << lane_) - 1u)), sender, mask);
      entries_ += popcount(entries);
      if (more) rows_ += popcount(entries);
      sync_warp();
      for (;;) {
        const bool can_copy = entries_ - copied_ * kChunk >= kChunk;
        const bool stages = copied_ - multiplied_ < Shape::kStages;
        if (can_copy && stages) {
          copy();
          continue;
        }
        if (!can_copy && (more || multiplied_ == copied_)) break;
        if (can_copy) {
          wait_for_copies<Shape::kStages - 1>();
        } else {
          wait_for_copies<0>();
        }
        sync_warp();
        multiply(sums);
        sync_warp();  // the stage has been read
      }
    }
    Shape::store_sums(sums_, sums);
    if (lane_ == 0) GatheredFront::rows()[thread_index() / 32] = rows_;
  }

 private:
  static constexpr unsigned kVectors = kRowBytes / 16;
  static constexpr unsigned kCopies = kChunk * kVectors;
  static constexpr bool kWhole = 32 % kVectors == 0;

  // From the warp's first neuron to the end of a row of weights.
  POPSNN_DEVICE int column_bytes() const {
    return (a_.pitch - first_) * static_cast<int>(sizeof(W));
  }

  POPSNN_DEVICE void put(int entry, int sender, Word64 mask) const {
    masks_[entry % kEntries] = mask;
    senders_[entry % kEntries] = sender;
  }

  // Starts to copy the rows of the next 16 senders; a row of no sender becomes 0.
  POPSNN_DEVICE void copy() {
    const unsigned to = stages_ + copied_ % Shape::kStages * kStageBytes;
    const int* senders = senders_ + copied_ * kChunk % kEntries;
    const auto row_bytes = static_cast<unsigned>(a_.pitch) * static_cast<unsigned>(sizeof(W));
    const auto lane = static_cast<unsigned>(lane_);
#pragma unroll
    for (unsigned i = 0; i < (kCopies + 31) / 32; ++i) {
      const unsigned at = i * 32 + lane;
      if (kCopies % 32 != 0 && at >= kCopies) break;
      // Where a load has whole rows, the lane's vector is the same in each.
      const unsigned row = kWhole ? i * (32 / kVectors) + lane / kVectors : at / kVectors;
      const unsigned vector = kWhole ? lane % kVectors : at % kVectors;
      const int sender = senders[row];
      const unsigned char* from = columns_ + (kWhole ? 0 : vector * 16);
      const bool there =
          sender >= 0 && (kWhole ? there_ : static_cast<int>(vector * 16) < column_bytes());
      copy_async(to + row * kStageRow + vector * 16,
                 from + static_cast<unsigned long long>(static_cast<unsigned>(sender)) * row_bytes,
                 there ? 16 : 0);
    }
    commit_copies();
    ++copied_;
  }

  // Adds the product of the oldest stage.
  POPSNN_DEVICE void multiply(Sums sums) {
    const unsigned stage = stages_ + multiplied_ % Shape::kStages * kStageBytes;
    // Operands of the samples: senders 2 c, 2 c + 1, 2 c + 8 and 2 c + 9, sample g of a tile. Byte
    // i of a half of a mask, then moved by g, has sample 8 i + g in its lowest bit.
    const Word64* masks = masks_ + multiplied_ * kChunk % kEntries + lane_ % 4 * 2;
    unsigned b[Shape::kSampleTiles][2];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const Word64 low = masks[h * 8] >> lane_ / 4;
      const Word64 high = masks[h * 8 + 1] >> lane_ / 4;
#pragma unroll
      for (int tile = 0; tile < Shape::kSampleTiles; ++tile) {
        const int half = tile / 4 * 32;
        const unsigned both =
            select_bytes(static_cast<unsigned>(low >> half), static_cast<unsigned>(high >> half),
                         static_cast<unsigned>(tile % 4) * 0x0101u + 0x0400u);
        b[tile][h] = (both & 0x00010001u) * SpikeOperand<Sixteen>::kOne;
      }
    }
#pragma unroll
    for (int out = 0; out < Shape::kOutTiles; ++out) {
      if constexpr (Shape::kExact) {
        Words4 weight[3];
        read_exact(stage, out, weight);
#pragma unroll
        for (int tile = 0; tile < Shape::kSampleTiles; ++tile) {
          // Tensor cores cut off the bits of a sum that a float does not hold, so that long sums
          // drift; they add the products of 16 senders, and float32 additions these.
          float part[4] = {};
#pragma unroll
          for (int plane = 2; plane >= 0; --plane) multiply_tile(part, weight[plane], b[tile]);
#pragma unroll
          for (int j = 0; j < 4; ++j) sums[out][tile][j] += part[j];
        }
      } else {
        const int matrix = lane_ / 8;
        const Words4 weight = load_matrices_transposed(
            stage + (matrix / 2 * 8 + lane_ % 8) * kStageRow + (out * 16 + matrix % 2 * 8) * 2);
#pragma unroll
        for (int tile = 0; tile < Shape::kSampleTiles; ++tile) {
          multiply_tile(sums[out][tile], weight, b[tile]);
        }
      }
    }
    ++multiplied_;
  }

  // Weights of float32 as operands, each the sum of three bf16.
  POPSNN_DEVICE void read_exact(unsigned stage, int out, Words4 (&weight)[3]) const {
#pragma unroll
    for (int j = 0; j < 4; ++j) {  // rows g and g + 8 in turn, of columns 2 c, then 2 c + 8
      const int sender = lane_ % 4 * 2 + j / 2 * 8;
      const int to = out * 16 + lane_ / 4 + j % 2 * 8;
      const unsigned at = stage + sender * kStageRow + to * 4;
      unsigned terms[3];
      split(load_shared_float(at), load_shared_float(at + kStageRow), terms);
#pragma unroll
      for (int plane = 0; plane < 3; ++plane) weight[plane].word[j] = terms[plane];
    }
  }

  const GatheredArguments& a_;
  int lane_;
  unsigned stages_;
  float* sums_;
  Word64* masks_;                 // a ring [kEntries], of the samples in which a sender fired
  int* senders_;                  // likewise
  int first_;                     // the warp's first neuron
  const unsigned char* columns_;  // of those, or of the lane's, in the first row
  bool there_;                    // whether the lane's are
  int entries_ = 0;               // of the ring
  int rows_ = 0;                  // of these, senders
  int copied_ = 0;                // chunks
  int multiplied_ = 0;            // likewise
};

// What a block does forward to know the spikes of others, in GatheredBlock.
template <class Shape, int kWindow, int kLoads>
class SpikeExchange {
 public:
  using Product = SpikeProduct<Shape>;

  POPSNN_DEVICE SpikeExchange(const GatheredArguments& a, unsigned char* shared, int warp)
      : a_(a),
        shared_(shared),
        list_(a, shared + Shape::kWarps * Product::kWarpBytes),
        product_(a, shared + warp * Product::kWarpBytes, warp / Shape::kSplits),
        reader_(a, warp % Shape::kSplits) {}

  POPSNN_DEVICE void set(int out, int sample, float spike) const { list_.set(out, sample, spike); }

  // By all threads: publishes what was set for a step.
  POPSNN_DEVICE void publish(int step) { list_.publish(step); }

  // Begins to wait for what a step needs.
  POPSNN_DEVICE void begin(int step) { reader_.begin(step - 1); }

  // Writes a warp's sums of the step that began.
  POPSNN_DEVICE void multiply(int step) {
    product_.run(reader_, step);
    stamp<Shape>(a_, step, Phase::kMultiplied);
  }

  // The rows of a step, those that the warps of a column have read.
  POPSNN_DEVICE int rows(int) const {
    int count = 0;
    for (int split = 0; split < Shape::kSplits; ++split) count += GatheredFront::rows()[split];
    return count;
  }

  // Adds the sums of all warps, in their order, for neighbours of a sample.
  template <int kVector>
  POPSNN_DEVICE void add_sums(int out, int sample, float (&sum)[kVector]) const {
    const int column = out / Shape::kWidth;
    const unsigned char* from = shared_ + column * Shape::kSplits * Product::kWarpBytes;
    const int at = sample * Shape::kSumRow + out % Shape::kWidth;
#pragma unroll
    for (int split = 0; split < Shape::kSplits; ++split) {
      float part[kVector];
      load<kVector, true>(reinterpret_cast<const float*>(from + split * Product::kWarpBytes) + at,
                          part, kVector);
#pragma unroll
      for (int j = 0; j < kVector; ++j) sum[j] += part[j];
    }
  }

 private:
  const GatheredArguments& a_;
  unsigned char* shared_;
  SpikeList<Shape> list_;
  Product product_;
  ListReader<Shape, kWindow, kLoads> reader_;
};

}  // namespace popsnn
