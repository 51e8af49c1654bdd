#include <cmath>
#include <poplar/Vertex.hpp>

namespace popsparse {

using poplar::Input;
using poplar::Output;
using poplar::Vector;

// The values of popsparse::experimental::SubBlockMask.
constexpr unsigned kZeroUpper = 1, kZeroLower = 2;

// Whether a mask makes an element of a block zero; the block's first column is `offset` beyond its
// first row.
inline bool masks(unsigned masked, int offset, unsigned r, unsigned c) {
  const int column = static_cast<int>(c) + offset, row = static_cast<int>(r);
  return (masked == kZeroUpper && column > row) || (masked == kZeroLower && column < row);
}

// The rows of worker `id`, two at a time: two rows of halves end with a word, which one worker
// writes.
template <class Each>
inline void forRows(unsigned id, unsigned workers, unsigned rows, const Each& each) {
  for (unsigned first = 2 * id; first < rows; first += 2 * workers) {
    for (unsigned r = first; r < first + 2 && r < rows; ++r) each(r);
  }
}

// A block of a product: the sum over pairs of blocks. Workers take turns of its rows.
template <typename T, typename Out>
class BlockProducts : public poplar::MultiVertex {
 public:
  Input<Vector<T>> a;       // (pairs, rows, depth)
  Input<Vector<T>> b;       // (pairs, depth, columns), or (pairs, columns, depth) where transposed
  Output<Vector<Out>> out;  // (rows, columns)
  const unsigned depth, columns;
  const bool transposed;
  const unsigned masked;
  const int offset;

  void compute(unsigned workerId) {
    const unsigned rows = out.size() / columns, pairs = a.size() / (rows * depth);
    forRows(workerId, numWorkers(), rows, [&](unsigned r) {
      for (unsigned first = 0; first < columns; first += kTogether) {
        const unsigned count = first + kTogether < columns ? kTogether : columns - first;
        float total[kTogether] = {};
        for (unsigned p = 0; p < pairs; ++p) add(p, rows, r, first, count, total);
        for (unsigned c = 0; c < count; ++c) {
          const bool zero = masks(masked, offset, r, first + c);
          out[r * columns + first + c] = static_cast<Out>(zero ? 0.0f : total[c]);
        }
      }
    });
  }

 private:
  static constexpr unsigned kTogether = 16;

  // Sums of a block first, as of dense products: the rounding of long sums is smaller.
  void add(unsigned pair, unsigned rows, unsigned r, unsigned first, unsigned count,
           float* total) const {
    const T* const left = &a[(pair * rows + r) * depth];
    const T* const right = &b[pair * depth * columns];
    const unsigned down = transposed ? 1 : columns, across = transposed ? depth : 1;
    float sums[kTogether] = {};
    for (unsigned k = 0; k < depth; ++k) {
      const float x = static_cast<float>(left[k]);
      const T* const row = right + k * down + first * across;
      for (unsigned c = 0; c < count; ++c) sums[c] += x * static_cast<float>(row[c * across]);
    }
    for (unsigned c = 0; c < count; ++c) total[c] += sums[c];
  }
};

template class BlockProducts<float, float>;
template class BlockProducts<float, half>;
template class BlockProducts<half, float>;
template class BlockProducts<half, half>;

// The softmax of the rows of a row of blocks. What a mask takes away is 0, as a whole row of it is.
template <typename T>
class BlockSoftmax : public poplar::MultiVertex {
 public:
  Input<Vector<T>> in;    // (blocks, high, wide)
  Output<Vector<T>> out;  // (blocks, high, wide)
  Vector<int> offsets;    // (blocks,)
  const unsigned high, wide, masked;

  void compute(unsigned workerId) {
    const unsigned blocks = offsets.size();
    forRows(workerId, numWorkers(), high, [&](unsigned r) {
      float largest = -INFINITY, sum = 0;
      for (unsigned i = 0; i < blocks; ++i) {
        for (unsigned c = 0; c < wide; ++c) {
          if (masks(masked, offsets[i], r, c)) continue;
          const float x = static_cast<float>(in[at(i, r, c)]);
          if (x > largest || x != x) largest = x;
        }
      }
      for (unsigned i = 0; i < blocks; ++i) {
        for (unsigned c = 0; c < wide; ++c) sum += power(i, r, c, largest);
      }
      for (unsigned i = 0; i < blocks; ++i) {
        for (unsigned c = 0; c < wide; ++c) {
          const float x = power(i, r, c, largest);
          out[at(i, r, c)] = static_cast<T>(masks(masked, offsets[i], r, c) ? 0.0f : x / sum);
        }
      }
    });
  }

 private:
  unsigned at(unsigned block, unsigned r, unsigned c) const {
    return (block * high + r) * wide + c;
  }

  float power(unsigned block, unsigned r, unsigned c, float largest) const {
    if (masks(masked, offsets[block], r, c)) return 0.0f;
    return std::exp(static_cast<float>(in[at(block, r, c)]) - largest);
  }
};

template class BlockSoftmax<float>;
template class BlockSoftmax<half>;

// p * (g - sum(p * g)) of each row.
template <typename T>
class BlockSoftmaxGrad : public poplar::MultiVertex {
 public:
  Input<Vector<T>> probabilities;  // (blocks, high, wide)
  Input<Vector<T>> gradient;       // (blocks, high, wide)
  Output<Vector<T>> out;           // (blocks, high, wide)
  const unsigned high, wide;

  void compute(unsigned workerId) {
    const unsigned blocks = out.size() / (high * wide);
    forRows(workerId, numWorkers(), high, [&](unsigned r) {
      float sum = 0;
      for (unsigned i = 0; i < blocks; ++i) {
        const unsigned from = (i * high + r) * wide;
        for (unsigned at = from; at < from + wide; ++at) {
          sum += static_cast<float>(probabilities[at]) * static_cast<float>(gradient[at]);
        }
      }
      for (unsigned i = 0; i < blocks; ++i) {
        const unsigned from = (i * high + r) * wide;
        for (unsigned at = from; at < from + wide; ++at) {
          out[at] = static_cast<T>(static_cast<float>(probabilities[at]) *
                                   (static_cast<float>(gradient[at]) - sum));
        }
      }
    });
  }
};

template class BlockSoftmaxGrad<float>;
template class BlockSoftmaxGrad<half>;

}  // namespace popsparse
