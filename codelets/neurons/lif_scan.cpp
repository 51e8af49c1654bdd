// lif_scan: all time steps of LIF neurons that are driven by currents, on one tile, from rest.
//
// Neurons do not interact, so that a whole sequence is one vertex: a membrane stays in a register
// from one time step to the next. Workers take blocks of a sample's neurons in turn.
#include <poplar/Vertex.hpp>

#include "lif.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class LifScan : public MultiVertex {
  static constexpr unsigned kBlock = 16;  // neurons whose membranes are in registers

 public:
  Input<Vector<float, ONE_PTR, 8>> current;     // [steps, batch, neurons]
  Input<Vector<float, ONE_PTR, 8>> parameters;  // [3, neurons]
  Output<Vector<float, ONE_PTR, 8>> membrane;   // [steps, batch, neurons]
  Output<Vector<float, ONE_PTR, 8>> spikes;     // [steps, batch, neurons]
  const unsigned steps;
  const unsigned batch;
  const unsigned neurons;
  const unsigned reset;  // popsnn::Reset

  bool compute(unsigned worker) {
    with_reset({Reset(reset), 0.0f, 0.0f}, [&](auto options_of) {
      unsigned turn = 0;  // of the worker that takes the next block
      for (unsigned b = 0; b < batch; ++b)
        for (unsigned i = 0; i < neurons; i += kBlock) {
          if (turn == worker)
            scan(b * neurons, i, neurons - i < kBlock ? neurons - i : kBlock, options_of());
          turn = turn + 1 < numWorkers() ? turn + 1 : 0;
        }
    });
    return true;
  }

 private:
  void scan(unsigned sample, unsigned first, unsigned size, const NeuronOptions options) {
    const NeuronRows<Lif::kParameters> parameter_rows(&parameters[first], neurons);
    float v[kBlock] = {};
    bool spiked[kBlock] = {};
    unsigned at = sample + first;
    for (unsigned t = 0; t < steps; ++t, at += batch * neurons)
      for (unsigned i = 0; i < size; ++i) {
        const auto p = parameter_rows[i];
        Lif::step(options, p.value, current[at + i], &v[i], spiked[i], &v[i]);
        spiked[i] = Lif::fires(p.value, &v[i]);
        membrane[at + i] = v[i];
        spikes[at + i] = spiked[i] ? 1.0f : 0.0f;
      }
  }
};

}  // namespace popsnn
