// lif_step_grad: backward pass of one time step of a layer's LIF neurons on one tile; see
// neuron_step_grad.hpp. A vertex has one surrogate: code of the others would take memory of every
// tile.
#include "lif.hpp"
#include "neuron_step_grad.hpp"

namespace popsnn {

template class NeuronStepGrad<Lif, unsigned(Surrogate::SuperSpike)>;
template class NeuronStepGrad<Lif, unsigned(Surrogate::Sigmoid)>;
template class NeuronStepGrad<Lif, unsigned(Surrogate::ATan)>;
template class NeuronStepGrad<Lif, unsigned(Surrogate::Triangle)>;
template class NeuronStepGrad<Lif, unsigned(Surrogate::Rectangle)>;

template class NeuronStepGradAhead<Lif, unsigned(Surrogate::SuperSpike)>;
template class NeuronStepGradAhead<Lif, unsigned(Surrogate::Sigmoid)>;
template class NeuronStepGradAhead<Lif, unsigned(Surrogate::ATan)>;
template class NeuronStepGradAhead<Lif, unsigned(Surrogate::Triangle)>;
template class NeuronStepGradAhead<Lif, unsigned(Surrogate::Rectangle)>;

}  // namespace popsnn
