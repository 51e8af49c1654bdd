// lif_step_grad: one step back through a layer's LIF neurons on one tile; see neuron_step_grad.hpp.
#include "lif.hpp"
#include "neuron_step_grad.hpp"

namespace popsnn {

template class NeuronStepGrad<Lif>;

}  // namespace popsnn
