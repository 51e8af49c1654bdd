// Derivatives that stand in for that of a spike, of u = v - threshold; `parameter` is the slope or
// the width. The reference, with the papers, is python/popsnn/surrogate.py.
#pragma once

#include <popsnn/neurons/neuron.cuh>

namespace popsnn {

POPSNN_DEVICE float abs(float x) { return bits_to_float(float_to_bits(x) & 0x7fffffffu); }

struct SuperSpike {
  POPSNN_DEVICE static float derivative(float u, float slope) {
    const float r = reciprocal(fma(slope, abs(u), 1.0f));
    return r * r;
  }
};

struct Sigmoid {
  POPSNN_DEVICE static float derivative(float u, float slope) {
    // e^-|a u| does not overflow, and sig (1 - sig) is e / (1 + e)^2 either side of 0.
    constexpr float kLog2OfE = 1.44269504f;
    const float e = exp2(-kLog2OfE * slope * abs(u));
    const float r = reciprocal(1.0f + e);
    return slope * e * r * r;
  }
};

// The same by sig (1 - sig) = (1 - tanh(a u / 2)^2) / 4: one instruction of the special function
// unit and not two. Its tanh is off by 2^-11 at most, so this is by 2^-10 of its largest value.
struct NarrowSigmoid {
  POPSNN_DEVICE static float derivative(float u, float slope) {
    const float t = tanh(0.5f * slope * u);
    const float most = 0.25f * slope;
    return fma(-most * t, t, most);
  }
};

struct ATan {
  POPSNN_DEVICE static float derivative(float u, float slope) {
    const float y = 1.57079633f * slope * u;
    return 0.5f * slope * reciprocal(fma(y, y, 1.0f));
  }
};

struct Triangle {
  POPSNN_DEVICE static float derivative(float u, float width) {
    const float y = 1.0f - abs(u) / width;
    return y > 0.0f ? y / width : 0.0f;
  }
};

struct Rectangle {
  POPSNN_DEVICE static float derivative(float u, float width) {
    return abs(u) < 0.5f * width ? 1.0f / width : 0.0f;
  }
};

// The shape to use where gradients have the type T: for 16 bits the precision of T is enough.
template <class Shape, class T>
struct ShapeFor {
  using Type = Shape;
};

template <>
struct ShapeFor<Sigmoid, Bf16> {
  using Type = NarrowSigmoid;
};

template <>
struct ShapeFor<Sigmoid, Half> {
  using Type = NarrowSigmoid;
};

// Another one times a factor, a float by its bits.
template <class Shape, unsigned kBits>
struct Scaled {
  POPSNN_DEVICE static float derivative(float u, float parameter) {
    return bits_to_float(kBits) * Shape::derivative(u, parameter);
  }
};

template <class Shape, unsigned kBits, class T>
struct ShapeFor<Scaled<Shape, kBits>, T> {
  using Type = Scaled<typename ShapeFor<Shape, T>::Type, kBits>;
};

// The derivative of a spike by its membrane. kGradThreshold: 0 where v is below threshold and
// grad_threshold alike.
template <class Shape, bool kGradThreshold>
struct Gradient {
  template <class T>
  using For = Gradient<typename ShapeFor<Shape, T>::Type, kGradThreshold>;

  float parameter;
  float grad_threshold;

  POPSNN_DEVICE float operator()(float v, float threshold) const {
    const float h = Shape::derivative(v - threshold, parameter);
    return !kGradThreshold || v >= threshold || v >= grad_threshold ? h : 0.0f;
  }
};

}  // namespace popsnn
