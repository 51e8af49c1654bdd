// Whether a neuron model has the functions of neuron_model.hpp, for an error of one sentence in
// place of the templates that call them.
#pragma once
#include "neuron_model.hpp"

namespace popsnn {

using Floats = const float*;

template <class Model, class = void>
struct HasStep {
  static constexpr bool value = false;
};
template <class Model>
struct HasStep<Model, decltype(void(Model::step(*(const NeuronOptions*)nullptr, Floats(), 0.0f,
                                                Floats(), true, (float*)nullptr)))> {
  static constexpr bool value = true;
};

template <class Model, class = void>
struct HasFires {
  static constexpr bool value = false;
};
template <class Model>
struct HasFires<Model, decltype(void(bool(Model::fires(Floats(), Floats()))))> {
  static constexpr bool value = true;
};

template <class Model, class = void>
struct HasNear {
  static constexpr bool value = false;
};
template <class Model>
struct HasNear<Model, decltype(void(bool(Model::near(Floats(), Floats()))))> {
  static constexpr bool value = true;
};

template <class Model, class = void>
struct HasGrad {
  static constexpr bool value = false;
};
template <class Model>
struct HasGrad<Model, decltype(void(Model::template grad<Surrogate::SuperSpike>(
                          *(const NeuronOptions*)nullptr, Floats(), Floats(), true, true, 0.0f,
                          (float*)nullptr, (float*)nullptr)))> {
  static constexpr bool value = true;
};

}  // namespace popsnn
