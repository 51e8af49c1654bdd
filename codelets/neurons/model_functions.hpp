// Whether a neuron has the functions of neuron_model.hpp or forward_model.hpp, for an error of one
// sentence in place of the templates that call them.
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

// Of a neuron with an adjoint: all its states.
template <class Neuron>
using States = float (&)[Neuron::kStates];
template <class Neuron>
using ConstStates = const float (&)[Neuron::kStates];

using Derivative = float (*)(float, float);

template <class Neuron>
States<Neuron> states_of();
template <class Neuron>
ConstStates<Neuron> const_states_of();

template <class Neuron, class = void>
struct StepsInPlace {
  static constexpr bool value = false;
};
template <class Neuron>
struct StepsInPlace<Neuron, decltype(void(Neuron::step(states_of<Neuron>(), Floats(), 0.0f)))> {
  static constexpr bool value = true;
};

template <class Neuron, class = void>
struct HasRestore {
  static constexpr bool value = false;
};
template <class Neuron>
struct HasRestore<Neuron, decltype(void(Neuron::restore(states_of<Neuron>(), Floats())))> {
  static constexpr bool value = true;
};

template <class Neuron, class = void>
struct HasPotential {
  static constexpr bool value = false;
};
template <class Neuron>
struct HasPotential<Neuron,
                    decltype(void(float(Neuron::potential(const_states_of<Neuron>(), Floats()))))> {
  static constexpr bool value = true;
};

template <class Neuron, class = void>
struct HasAdjoint {
  static constexpr bool value = false;
};
template <class Neuron>
struct HasAdjoint<Neuron,
                  decltype(void(float(Neuron::adjoint(
                      const_states_of<Neuron>(), const_states_of<Neuron>(), Floats(),
                      *(const Derivative*)nullptr, states_of<Neuron>(), (float*)nullptr))))> {
  static constexpr bool value = true;
};

}  // namespace popsnn
