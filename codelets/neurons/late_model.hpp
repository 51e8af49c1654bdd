// A neuron model whose layer reads lists of spikes that arrive late: NeuronStep<LateModel<Model>>
// finds where each list begins. Other layers do not pay for that.
#pragma once

#include "neuron_model.hpp"

#ifdef __IPU__
#include "pairs_ipu.hpp"
#endif

namespace popsnn {

template <class Model>
struct LateModel : Model {};

template <class Model>
constexpr bool kReadsLate = false;
template <class Model>
constexpr bool kReadsLate<LateModel<Model>> = true;

template <class Model>
struct WithOptions<LateModel<Model>> : WithOptions<Model> {};

#ifdef __IPU__
namespace ipu {

template <class Model>
struct Pairs<LateModel<Model>> : Pairs<Model> {};

}  // namespace ipu
#endif

}  // namespace popsnn
