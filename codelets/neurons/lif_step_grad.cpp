// lif_step_grad: backward pass of one time step of a layer's LIF neurons on one tile; see
// neuron_step_grad.hpp.
#include "lif.hpp"
#include "neuron_step_grad.hpp"

namespace popsnn {

template class NeuronStepGrad<Lif>;

}  // namespace popsnn
