// lif_step: one time step of a layer's LIF neurons on one tile; see neuron_step.hpp and
// neuron_step_ahead.hpp.
#include "lif.hpp"
#include "neuron_step.hpp"
#include "neuron_step_ahead.hpp"

namespace popsnn {

template class NeuronStep<Lif, unsigned short, float>;
template class NeuronStep<Lif, unsigned, float>;
template class NeuronStep<Lif, unsigned short, half>;
template class NeuronStep<Lif, unsigned, half>;

template class NeuronStep<LateModel<Lif>, unsigned short, float>;
template class NeuronStep<LateModel<Lif>, unsigned, float>;
template class NeuronStep<LateModel<Lif>, unsigned short, half>;
template class NeuronStep<LateModel<Lif>, unsigned, half>;

template class NeuronStepAhead<Lif, unsigned short>;
template class NeuronStepAhead<Lif, unsigned>;

}  // namespace popsnn
