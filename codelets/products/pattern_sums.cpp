// pattern_sums: sums of dL/d(current) over the patterns of each group of samples.
//
//   sums[g, pattern] = sum of current_grad[bits * g + b] over the pattern's bits b
//
// Workers take a group's blocks in turn. A block is four patterns that differ in the group's first
// two samples: the other samples' rows are summed once for a block.
#include <poplar/Vertex.hpp>

#include "pattern_loops.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class PatternSums : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> current_grad;  // [batch, neurons]
  Output<Vector<float, ONE_PTR, 8>> sums;         // [groups, pattern_rows, neurons]
  const unsigned batch;
  const unsigned neurons;

  bool compute(unsigned worker) {
    const unsigned bits = pattern_bits(batch), rows = group_rows(bits);
    for (unsigned g = 0; g < pattern_groups(batch); ++g) {
      const unsigned size = group_size(batch, bits, g);
      // A smaller group has fewer patterns.
      const unsigned blocks = size < 2 ? 1u : (1u << size) / kPatternBlock;
      for (unsigned h = worker; h < blocks; h += numWorkers())
        add_block(&current_grad[g * bits * neurons], size, h,
                  &sums[(g * rows + kPatternBlock * h) * neurons]);
    }
    return true;
  }

 private:
  void add_block(const float* grads,  // [size, neurons]
                 unsigned size, unsigned block,
                 float* to) {  // [kPatternBlock, neurons]
    const unsigned n = neurons;
    unsigned short samples[kPatternBits];
    unsigned count = 0;
    for (unsigned b = 2; b < size; ++b)
      if ((block >> (b - 2) & 1) != 0) samples[count++] = static_cast<unsigned short>(b);
    for (unsigned j = 0; j < n; ++j) to[j] = 0.0f;
    gather_rows(grads, n, samples, count, to);
    sum_block(grads, size < 2 ? grads : grads + n, n, to);
  }
};

}  // namespace popsnn
