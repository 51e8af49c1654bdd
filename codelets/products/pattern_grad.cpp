// pattern_grad: the weight gradient of one time step, dense in the inputs.
//
//   weight_grad[i] += sum over groups g of sums[g, patterns[g, i]]  for every input i
//   bias_grad += sum over groups of the sums of all their samples, of a layer's first source
//
// weight_grad is the sparse variant. Each worker takes a range of the inputs.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"
#include "pattern_loops.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

// pattern_loops_ipu.hpp loads from a row and from a sum in one bundle, and stores to the row.
#ifdef __IPU__
#define POPSNN_APART [[poplar::constraint("elem(*weight_grad) != elem(*sums)")]]
#else
#define POPSNN_APART
#endif

class POPSNN_APART PatternGrad : public MultiVertex {
 public:
  Input<Vector<unsigned, ONE_PTR, 4>> patterns;         // [groups, pattern_words(inputs)]
  Input<Vector<float, ONE_PTR, 8>> sums;                // [groups, pattern_rows, neurons]
  InOut<Vector<float, ONE_PTR, 16, true>> weight_grad;  // [inputs, neurons] interleaved
  Vector<InOut<Vector<float, ONE_PTR, 8>>> bias_grad;   // [1][neurons], or [1][1]
  const unsigned batch;
  const unsigned inputs;
  const unsigned neurons;
  const unsigned biased;  // 0 or 1: bias_grad is summed

  bool compute(unsigned worker) {
    const unsigned words = pattern_words(inputs), begin = worker_begin(words, worker, numWorkers());
    const unsigned first = begin * kPatternsOfWord;
    const unsigned next = worker_begin(words, worker + 1, numWorkers()) * kPatternsOfWord;
    const unsigned end = next < inputs ? next : inputs;
    const unsigned bits = pattern_bits(batch), rows = group_rows(bits);
    for (unsigned g = 0; g < pattern_groups(batch); ++g) {
      if (first < end)
        add_sums(&weight_grad[first * neurons], neurons,
                 reinterpret_cast<const unsigned char*>(&patterns[g * words + begin]), end - first,
                 &sums[g * rows * neurons]);
      if (biased == 0) continue;
      const float* const all = &sums[(g * rows + (1u << group_size(batch, bits, g)) - 1) * neurons];
      float* const bias = &bias_grad[0][0];
      const unsigned last = worker_begin(neurons, worker + 1, numWorkers());
      for (unsigned j = worker_begin(neurons, worker, numWorkers()); j < last; ++j)
        bias[j] += all[j];
    }
    return true;
  }
};

}  // namespace popsnn
