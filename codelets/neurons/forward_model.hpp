// Interface of a neuron with an adjoint, whose text is the same in a CUDA kernel: the struct below,
// in namespace popsnn. Its header includes functions.hpp alone.
//
//   struct Neuron {
//     static constexpr int kStates;      // with the spike s, which is the last one
//     static constexpr int kSaved;       // kStates - 1: s follows from the others
//     static constexpr int kParameters;  // without the gradient threshold
//     static constexpr int kMembrane;    // which of the states
//     static constexpr bool kSpiking;    // true
//
//     // Turns the states before a time step into those after it, s too; x is the current.
//     POPSNN_DEVICE static void step(float (&state)[kStates], const float* p, float x);
//     // Sets s from the other states: the same bits wherever it is called.
//     POPSNN_DEVICE static void restore(float (&state)[kStates], const float* p);
//     // The value that fires where it reaches the threshold. A neuron that does not fire is
//     // subthreshold-active where it is not below the gradient threshold.
//     POPSNN_DEVICE static float potential(const float (&state)[kStates], const float* p);
//     // Turns the gradient of the states after the step into that of the states before it, s too;
//     // adds to that of the parameters, and returns dL/dx. h(v, threshold) is the derivative of
//     // the spike, 0 where no gradient passes. A spike that the capacity limit dropped is 0 in
//     // `before` and `state`.
//     template <class Gradient>
//     POPSNN_DEVICE static float adjoint(const float (&before)[kStates],
//                                        const float (&state)[kStates], const float* p,
//                                        const Gradient& h, float (&grad)[kStates], float* grad_p);
//   };
//
// Only s may depend on the spike of its own step: the capacity limit drops spikes after the step. A
// reset acts in the next step, by the s before it. What only the adjoint reads is a state too.
#pragma once

#include "neuron_model.hpp"

namespace popsnn {

// What NeuronStep calls of neuron_model.hpp, from a neuron with an adjoint. Reset and gradient
// belong to the neuron's own text.
template <class Neuron>
struct ForwardModel {
  static constexpr unsigned kStates = unsigned(Neuron::kStates) - 1;
  static constexpr unsigned kLearnable = unsigned(Neuron::kParameters);
  static constexpr unsigned kParameters = kLearnable + 1;  // and the gradient threshold

  static inline void step(const NeuronOptions&, const float* p, float current, const float* before,
                          bool spiked, float* after) {
    float state[Neuron::kStates];
    for (unsigned k = 0; k < kStates; ++k) state[k] = before[k];
    state[kStates] = spiked ? 1.0f : 0.0f;
    Neuron::step(state, p, current);
    for (unsigned k = 0; k < kStates; ++k) after[k] = state[k];
  }

  static inline bool fires(const float* p, const float* saved) {
    float state[Neuron::kStates];
    restore(p, saved, state);
    return state[kStates] != 0.0f;
  }

  // Written as "not below", so that the gradient of a NaN membrane shows.
  static inline bool near(const float* p, const float* saved) {
    float state[Neuron::kStates];
    restore(p, saved, state);
    return !(Neuron::potential(state, p) < p[kLearnable]);
  }

  // All states, from those that are saved.
  static inline void restore(const float* p, const float* saved, float (&state)[Neuron::kStates]) {
    for (unsigned k = 0; k < kStates; ++k) state[k] = saved[k];
    state[kStates] = 0.0f;
    Neuron::restore(state, p);
  }
};

// The same loop for each reset.
template <class Neuron>
struct WithOptions<ForwardModel<Neuron>> {
  template <class Loop>
  static inline void run(Reset, Loop loop) {
    loop([] { return NeuronOptions{Reset::None, 0.0f, 0.0f}; });
  }
};

// A neuron whose spike is in memory too, as the last of the states that are saved. A network takes
// it where states come in: whether a neuron has fired before the first time step does not follow
// from its other states, since a capacity limit may have dropped the spike.
template <class Neuron>
struct SavedSpike {
  static constexpr int kStates = Neuron::kStates + 1;
  static constexpr int kSaved = kStates - 1;
  static constexpr int kParameters = Neuron::kParameters;
  static constexpr int kMembrane = Neuron::kMembrane;
  static constexpr bool kSpiking = true;

  static void step(float (&state)[kStates], const float* p, float x) {
    float own[Neuron::kStates];
    own_states(state, own);
    Neuron::step(own, p, x);
    for (int k = 0; k < Neuron::kStates; ++k) state[k] = own[k];
    state[kSpike] = own[kSavedSpike];
  }

  static void restore(float (&state)[kStates], const float*) { state[kSpike] = state[kSavedSpike]; }

  static float potential(const float (&state)[kStates], const float* p) {
    float own[Neuron::kStates];
    own_states(state, own);
    return Neuron::potential(own, p);
  }

  // The gradient of the state before the step is with that of the saved spike: it is the same one.
  template <class Gradient>
  static float adjoint(const float (&before)[kStates], const float (&state)[kStates],
                       const float* p, const Gradient& h, float (&grad)[kStates], float* grad_p) {
    float own_before[Neuron::kStates], own[Neuron::kStates], own_grad[Neuron::kStates];
    own_states(before, own_before);
    own_states(state, own);
    for (int k = 0; k < Neuron::kStates; ++k) own_grad[k] = grad[k];
    own_grad[kSavedSpike] += grad[kSpike];
    const float grad_x = Neuron::adjoint(own_before, own, p, h, own_grad, grad_p);
    for (int k = 0; k < Neuron::kStates; ++k) grad[k] = own_grad[k];
    grad[kSpike] = 0.0f;
    return grad_x;
  }

 private:
  static constexpr int kSavedSpike = kStates - 2;  // where the neuron itself has its spike
  static constexpr int kSpike = kStates - 1;

  static void own_states(const float (&state)[kStates], float (&own)[Neuron::kStates]) {
    for (int k = 0; k < kSavedSpike; ++k) own[k] = state[k];
    own[kSavedSpike] = state[kSpike];
  }
};

}  // namespace popsnn
