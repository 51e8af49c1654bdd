// What kernels expect of a neuron, and the functions that its text may call.
//
// python/popsnn/tracing/source.py writes the struct `Neuron` from a step in torch:
//
//   struct Neuron {
//     static constexpr int kStates;      // carried from step to step; spikes are the last
//     static constexpr int kSaved;       // the first of them, which backward needs
//     static constexpr int kParameters;
//     static constexpr int kMembrane;    // index among the states
//     static constexpr bool kSpiking;
//     // Turns the states before a step into those after it.
//     static void step(float (&state)[kStates], const float* p, float x);
//     // Computes the states that are not saved from those that are.
//     static void restore(float (&state)[kStates], const float* p);
//     // What is compared with the threshold.
//     static float potential(const float (&state)[kStates], const float* p);
//     // Turns the gradient of the states after a step into that of the states before it, adds to
//     // that of the parameters, and returns that of x. h(v, threshold) is the surrogate's
//     // derivative.
//     template <class Gradient>
//     static float adjoint(const float (&before)[kStates], const float (&state)[kStates],
//                          const float* p, const Gradient& h, float (&grad)[kStates],
//                          float* grad_p);
//   };
//
// Where a state depends on the spike of the same step, it has kOwnSpike = true and a second step
// for the spike s that a capacity limit decided on:
//
//     static void step_with(float (&state)[kStates], const float* p, float x, float s);
//
// A neuron of several inputs has their number as kInputs. Its step takes an array of them, and the
// last argument of its adjoint, which returns nothing, is an array for their gradients.
//
// The functions are exact to a few ulp: a neuron's states, unlike a surrogate's derivative, must be
// what torch computes.
#pragma once

#include <popsnn/device/device.cuh>

namespace popsnn {
namespace precise {

POPSNN_DEVICE float exp(float x) { return expf(x); }
POPSNN_DEVICE float log(float x) { return logf(x); }
POPSNN_DEVICE float sqrt(float x) { return sqrtf(x); }
POPSNN_DEVICE float tanh(float x) { return tanhf(x); }
POPSNN_DEVICE float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }
POPSNN_DEVICE float softplus(float x) { return (x > 0.0f ? x : 0.0f) + log1pf(expf(-fabsf(x))); }
POPSNN_DEVICE float log1p(float x) { return log1pf(x); }
POPSNN_DEVICE float expm1(float x) { return expm1f(x); }
POPSNN_DEVICE float atan(float x) { return atanf(x); }
POPSNN_DEVICE float erf(float x) { return erff(x); }
POPSNN_DEVICE float sin(float x) { return sinf(x); }
POPSNN_DEVICE float cos(float x) { return cosf(x); }
POPSNN_DEVICE float abs(float x) { return fabsf(x); }
POPSNN_DEVICE float floor(float x) { return floorf(x); }
POPSNN_DEVICE float power(float x, float y) { return powf(x, y); }
POPSNN_DEVICE float sign(float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : 0.0f; }

// A NaN goes through, as in torch.
POPSNN_DEVICE float minimum(float a, float b) { return a < b || a != a ? a : b; }
POPSNN_DEVICE float maximum(float a, float b) { return a > b || a != a ? a : b; }

}  // namespace precise

// The number of inputs: kInputs where the neuron has it, else 1.
template <class Neuron, class = int>
struct InputCount {
  static constexpr int kValue = 1;
};

template <class Neuron>
struct InputCount<Neuron, decltype(Neuron::kInputs + 0)> {
  static constexpr int kValue = Neuron::kInputs;
};

template <class Neuron>
constexpr int kInputs = InputCount<Neuron>::kValue;

// Whether it has a second step for spikes that a limit decided on.
template <class Neuron, class = int>
struct OwnSpike {
  static constexpr bool kValue = false;
};

template <class Neuron>
struct OwnSpike<Neuron, decltype(Neuron::kOwnSpike + 0)> {
  static constexpr bool kValue = Neuron::kOwnSpike;
};

template <class Neuron>
constexpr bool kOwnSpike = OwnSpike<Neuron>::kValue;

// A neuron of one input with a bias, which is its last parameter.
template <class Neuron>
struct Biased : Neuron {
  static constexpr int kStates = Neuron::kStates;
  static constexpr int kBias = Neuron::kParameters;
  static constexpr int kParameters = kBias + 1;

  POPSNN_DEVICE static void step(float (&state)[kStates], const float* p, float x) {
    Neuron::step(state, p, x + p[kBias]);
  }

  POPSNN_DEVICE static void step_with(float (&state)[kStates], const float* p, float x, float s) {
    Neuron::step_with(state, p, x + p[kBias], s);
  }

  template <class Gradient>
  POPSNN_DEVICE static float adjoint(const float (&before)[kStates], const float (&state)[kStates],
                                     const float* p, const Gradient& h, float (&grad)[kStates],
                                     float* grad_p) {
    const float grad_x = Neuron::adjoint(before, state, p, h, grad, grad_p);
    grad_p[kBias] += grad_x;
    return grad_x;
  }
};

}  // namespace popsnn
