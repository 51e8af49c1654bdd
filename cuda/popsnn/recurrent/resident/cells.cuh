// The elements of [B, N] that a lane of a cell warp has: of each group of 16 samples, samples g and
// g + 8, neurons 2 c and 2 c + 1 of its tile, lane 4 g + c. They are its 4 floats, in this order.
#pragma once

#include <popsnn/recurrent/delays.cuh>

namespace popsnn {

// A lane's elements as loaded from memory, to be unpacked where they are needed: earlier, a thread
// would wait for them. kEven: N is even and memory is aligned to two neurons.
template <class T, bool kEven>
struct CellRows {
  static constexpr int kVector = kEven ? 2 : 1;
  Row<T, kVector> row[4 / kVector];

  POPSNN_DEVICE void get(float (&x)[4]) const {
#pragma unroll
    for (int i = 0; i < 4 / kVector; ++i) {
      float values[kVector];
      unpack<T, kVector>(row[i], values);
#pragma unroll
      for (int j = 0; j < kVector; ++j) x[i * kVector + j] = values[j];
    }
  }
};

// Their indices: of the first group of the warp's set, then of the next, and of the first again in
// the next step.
template <class Shape, bool kEven>
class CellIndices {
 public:
  POPSNN_DEVICE CellIndices(const RecurrentArguments& a, int block, int tile, int set)
      : sample_(in_register(Shape::sample())),
        set_(set),
        batch_(a.batch),
        first_(Shape::kInParts ? a.first : 0),
        neurons_(static_cast<unsigned>(a.neurons)),
        neuron_(static_cast<unsigned>(Shape::neuron(block, tile))) {
    const int left = a.neurons - static_cast<int>(neuron_);
    width_ = in_register(left < 0 ? 0 : left < 2 ? left : 2);
    start();
  }

  POPSNN_DEVICE int group() const { return group_; }

  // The distance in groups to the next group.
  POPSNN_DEVICE int next() const {
    if constexpr (Shape::kSets == 1) return 1;
    const int groups = Shape::groups(batch_);
    return group_ + Shape::kSets < groups ? Shape::kSets : groups - group_ + set_;
  }

  // Advances to the next group; returns whether it is the first of the next step.
  POPSNN_DEVICE bool advance() {
    group_ += Shape::kSets;
    row_ += Shape::kSamples * Shape::kSets;
    at_ += Shape::kSamples * Shape::kSets * neurons_;
    if (group_ * Shape::kSamples < batch_) return false;
    start();
    return true;
  }

  // How many of the two neurons of a half's sample exist.
  POPSNN_DEVICE int there(int half) const {
    return row_ + Shape::kHalf * half < batch_ ? width_ : 0;
  }

  // From a step of a tensor. Elements out of range are read from the first element instead.
  template <class T>
  POPSNN_DEVICE CellRows<T, kEven> load(const T* step) const {
    CellRows<T, kEven> x;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int width = there(half);
      const unsigned at = at_ + static_cast<unsigned>(Shape::kHalf * half) * neurons_;
      if constexpr (kEven) {
        x.row[half] = *reinterpret_cast<const Row<T, 2>*>(step + (width > 0 ? at : 0u));
      } else {
        x.row[2 * half] = *reinterpret_cast<const Row<T, 1>*>(step + (width > 0 ? at : 0u));
        x.row[2 * half + 1] = *reinterpret_cast<const Row<T, 1>*>(step + (width > 1 ? at + 1 : 0u));
      }
    }
    return x;
  }

  // The same for elements of other steps, at `rows` for each of the two neurons. Elements out of
  // range are read from `known`, which has been written.
  template <class T>
  POPSNN_DEVICE CellRows<T, false> load_from(const T* step, const long long (&rows)[2],
                                             long long known) const {
    CellRows<T, false> x;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const unsigned at = at_ + static_cast<unsigned>(Shape::kHalf * (j / 2)) * neurons_;
      const bool is = j % 2 < there(j / 2);
      x.row[j] =
          *reinterpret_cast<const Row<T, 1>*>(step + (is ? at + j % 2 + rows[j % 2] : known));
    }
    return x;
  }

  // Begins to load a step's elements from memory to L2.
  template <class T>
  POPSNN_DEVICE void prefetch(const T* step) const {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (there(half) == 0) continue;
      prefetch_to_l2(step + at_ + static_cast<unsigned>(Shape::kHalf * half) * neurons_);
    }
  }

  // Half of a lane's elements, at least one of which must exist.
  template <class T>
  POPSNN_DEVICE void store(T* step, int half, const float (&x)[4]) const {
    const float pair[2] = {x[2 * half], x[2 * half + 1]};
    const unsigned at = at_ + static_cast<unsigned>(Shape::kHalf * half) * neurons_;
    popsnn::store<T, 2, kEven>(step + at, pair, width_);
  }

  template <class T>
  POPSNN_DEVICE void store(T* step, const float (&x)[4]) const {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (there(half) > 0) store(step, half, x);
    }
  }

  // The number of neuron 2 c + h, or 0 beyond the layer.
  POPSNN_DEVICE int neuron(int h) const { return h < width_ ? static_cast<int>(neuron_) + h : 0; }

  // Parameters of neurons 2 c and 2 c + 1.
  template <int kParameters>
  POPSNN_DEVICE void load_parameters(const RecurrentArguments& a,
                                     float (&parameter)[2][kParameters]) const {
#pragma unroll
    for (int i = 0; i < kParameters; ++i) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        parameter[h][i] = a.scalar[i];
        if (a.parameter[i] != nullptr) {
          parameter[h][i] = h < width_ ? a.parameter[i][neuron_ + h] : 0.0f;
        }
      }
    }
  }

  // Adds up what the lanes of a neuron have and stores it, [sets, parameters, N].
  POPSNN_DEVICE void store_sums(float* to, int parameters, float first, float second) const {
    to += static_cast<unsigned>(set_ * parameters) * neurons_;
#pragma unroll
    for (int mask = Shape::kFirstMask; mask <= Shape::kLastMask; mask *= 2) {
      first += shuffle_xor(first, mask);
      second += shuffle_xor(second, mask);
    }
    if (sample_ != 0) return;
    if (width_ > 0) to[neuron_] = first;
    if (width_ > 1) to[neuron_ + 1] = second;
  }

 private:
  POPSNN_DEVICE void start() {
    group_ = Shape::kSets == 1 ? 0 : set_;
    row_ = sample_ + Shape::kSamples * group_;
    at_ = static_cast<unsigned>(first_ + row_) * neurons_ + neuron_;
  }

  int sample_;  // of the first group
  int set_;
  int batch_;
  int first_;  // samples before the batch
  unsigned neurons_;
  unsigned neuron_;
  int width_;  // neurons that are there
  int group_;
  int row_;      // the sample of the first half
  unsigned at_;  // its index in a step, which has fewer than 2^32 elements
};

}  // namespace popsnn
