// lif_scan_grad: backward pass of lif_scan.
//
//   dL/dv[t] = Lif::grad(dL/dv[t+1], dL/ds[t]),  dL/d(current[t]) = dL/dv[t]
//
// Spikes follow from the membranes. Parameters' gradients are summed over the steps, by sample.
#include <poplar/Vertex.hpp>

#include "lif.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class LifScanGrad : public MultiVertex {
  static constexpr unsigned kBlock = 16;  // as lif_scan's

 public:
  Input<Vector<float, ONE_PTR, 8>> spike_grad;       // [steps, batch, neurons]
  Input<Vector<float, ONE_PTR, 8>> membrane;         // [steps, batch, neurons]
  Input<Vector<float, ONE_PTR, 8>> parameters;       // [3, neurons]
  Output<Vector<float, ONE_PTR, 8>> current_grad;    // [steps, batch, neurons]
  Output<Vector<float, ONE_PTR, 8>> parameter_grad;  // [batch, 2, neurons]
  const unsigned steps;
  const unsigned batch;
  const unsigned neurons;
  const unsigned reset;         // popsnn::Reset
  const unsigned detach_reset;  // 0 or 1
  const unsigned surrogate;     // popsnn::Surrogate
  const float surrogate_parameter;

  bool compute(unsigned worker) {
    switch (Surrogate(surrogate)) {
      case Surrogate::SuperSpike:
        return scan_back<Surrogate::SuperSpike>(worker);
      case Surrogate::Sigmoid:
        return scan_back<Surrogate::Sigmoid>(worker);
      case Surrogate::ATan:
        return scan_back<Surrogate::ATan>(worker);
      case Surrogate::Triangle:
        return scan_back<Surrogate::Triangle>(worker);
      case Surrogate::Rectangle:
        return scan_back<Surrogate::Rectangle>(worker);
    }
    return false;
  }

 private:
  template <Surrogate kind>
  bool scan_back(unsigned worker) {
    const NeuronOptions options = {Reset(reset), detach_reset == 0 ? 1.0f : 0.0f,
                                   surrogate_parameter};
    with_reset(options, [&](auto options_of) {
      unsigned turn = 0;
      for (unsigned b = 0; b < batch; ++b)
        for (unsigned i = 0; i < neurons; i += kBlock) {
          if (turn == worker)
            block_back<kind>(b, i, neurons - i < kBlock ? neurons - i : kBlock, options_of());
          turn = turn + 1 < numWorkers() ? turn + 1 : 0;
        }
    });
    return true;
  }

  template <Surrogate kind>
  void block_back(unsigned b, unsigned first, unsigned size, const NeuronOptions options) {
    const NeuronRows<Lif::kParameters> parameter_rows(&parameters[first], neurons);
    float dv[kBlock] = {};
    float dp[kBlock][Lif::kLearnable] = {};
    for (unsigned t = steps; t-- > 0;) {
      const unsigned at = (t * batch + b) * neurons + first;
      for (unsigned i = 0; i < size; ++i) {
        const auto p = parameter_rows[i];
        const float v = membrane[at + i];
        const bool spiked = Lif::fires(p.value, &v);
        const bool active = spiked | Lif::near(p.value, &v);
        Lif::grad<kind>(options, p.value, &v, spiked, active, spike_grad[at + i], &dv[i], dp[i]);
        current_grad[at + i] = dv[i];
      }
    }
    float* const sums = &parameter_grad[b * Lif::kLearnable * neurons + first];
    for (unsigned i = 0; i < size; ++i)
      for (unsigned k = 0; k < Lif::kLearnable; ++k) sums[k * neurons + i] = dp[i][k];
  }
};

}  // namespace popsnn
