// weight_grad: the weight gradient of one step, scattered where the weights live.
//
//   weight_grad[id] += current_grad[b]  for every input id that fired
//   bias_grad += current_grad[b], of a layer's first source
//
// Each worker owns a share of the inputs and its stretch of every list (list_shares): no private
// copies, no races, and the order of summation does not depend on the schedule. On the IPU a share
// may be fewer columns of more inputs.
#include <poplar/Vertex.hpp>

#include "column_groups.hpp"
#include "neuron.hpp"
#include "rows.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class WeightGrad : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids;                   // [batch, slots]
  Input<Vector<unsigned, ONE_PTR, 4>> shares;          // [batch, kShares + 1]
  Input<Vector<float, ONE_PTR, 8>> current_grad;       // [batch, neurons]
  InOut<Vector<float, ONE_PTR, 8>> weight_grad;        // [inputs, neurons]
  Vector<InOut<Vector<float, ONE_PTR, 8>>> bias_grad;  // [0 or 1][neurons]
  const unsigned batch;
  const unsigned slots;
  const unsigned neurons;

  bool compute(unsigned worker) {
    for (unsigned share = worker; share < kShares; share += numWorkers()) add_share(share);
    return true;
  }

 private:
  void add_share(unsigned share) {
#ifdef __IPU__
    const bool in_assembly = sizeof(Id) == sizeof(unsigned short) && neurons % 2 == 0;
    const unsigned groups = in_assembly && neurons > 2 ? column_groups(neurons, slots) : 1;
    if (groups > 1)
      add_columns(share, groups);
    else
#endif
      add_rows(share);
    if (bias_grad.size() > 0) add_bias(share);
  }

  void add_rows(unsigned share) {
    const float* const grad = &current_grad[0];
    for (unsigned b = 0; b < batch; ++b) {
      const unsigned* begin = &shares[b * (kShares + 1) + share];
      scatter_rows(&weight_grad[0], neurons, &ids[b * slots] + begin[0], begin[1] - begin[0],
                   grad + b * neurons);
    }
  }

#ifdef __IPU__
  // One of `groups` of columns, for the ids of as many shares.
  void add_columns(unsigned share, unsigned groups) {
    const unsigned wide = group_columns(neurons, groups);
    const unsigned j = share % groups * wide;
    if (j >= neurons) return;
    const unsigned columns = neurons - j < wide ? neurons - j : wide;
    const float* const grad = &current_grad[j];
    for (unsigned b = 0; b < batch; ++b) {
      const unsigned* begin = &shares[b * (kShares + 1) + share / groups * groups];
      ipu::scatter_columns(&weight_grad[j], neurons, columns, &ids[b * slots] + begin[0],
                           begin[groups] - begin[0], grad + b * neurons);
    }
  }
#endif

  void add_bias(unsigned share) {
    const float* const grad = &current_grad[0];
    float* const sums = &bias_grad[0][0];
    const unsigned end = share_begin(neurons, share + 1);
    for (unsigned i = share_begin(neurons, share); i < end; ++i) {
      float sum = 0.0f;
      for (unsigned b = 0; b < batch; ++b) sum += grad[b * neurons + i];
      sums[i] += sum;
    }
  }
};

template class WeightGrad<unsigned short>;
template class WeightGrad<unsigned>;

}  // namespace popsnn
