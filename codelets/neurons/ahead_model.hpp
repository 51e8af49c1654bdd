// A neuron model whose layer adds weight rows ahead: spikes of input id arrive steps[id] time steps
// after they are read, and their weights go into the sums of that step (common/ahead.hpp).
//
// NeuronStep<AheadModel<Model>> keeps those sums in the rows of the states of later time steps, and
// NeuronStepGrad<AheadModel<Model>> keeps dL/d(current) of each step.
#pragma once
#include <poplar/Vertex.hpp>

#include "neuron_model.hpp"

#ifdef __IPU__
#include "pairs_ipu.hpp"
#endif

namespace popsnn {

template <class Model>
struct AheadModel : Model {};

// The model of the class that NeuronStep<AheadModel<Model>> derives from.
template <class Model>
struct AheadSums : AheadModel<Model> {};

template <class Model>
constexpr bool kAhead = false;
template <class Model>
constexpr bool kAhead<AheadModel<Model>> = true;
template <class Model>
constexpr bool kAhead<AheadSums<Model>> = true;

template <class Model>
struct WithOptions<AheadModel<Model>> : WithOptions<Model> {};
template <class Model>
struct WithOptions<AheadSums<Model>> : WithOptions<Model> {};

// dL/d(synaptic sum): of one time step, or of one row of a history whose other rows stay.
template <class Model>
struct CurrentGrad {
  using Field = poplar::Output<poplar::Vector<float, poplar::VectorLayout::ONE_PTR, 8>>;
};
template <class Model>
struct CurrentGrad<AheadModel<Model>> {
  using Field = poplar::InOut<poplar::Vector<float, poplar::VectorLayout::ONE_PTR, 8>>;
};

#ifdef __IPU__
namespace ipu {

template <class Model>
struct Pairs<AheadModel<Model>> : Pairs<Model> {};
template <class Model>
struct Pairs<AheadSums<Model>> : Pairs<Model> {};

}  // namespace ipu
#endif

}  // namespace popsnn
