// Surrogate derivatives h(x) of a spike with respect to x = membrane - threshold.
// `parameter` is the slope, or the width of Triangle and Rectangle.
#pragma once
#include <cmath>

#include "options.hpp"

namespace popsnn {

template <Surrogate kind>
inline float surrogate_derivative(float x, float parameter);

// (slope*|x| + 1)^-2: SuperSpike (Zenke and Ganguli 2018).
template <>
inline float surrogate_derivative<Surrogate::SuperSpike>(float x, float slope) {
  const float d = slope * std::fabs(x) + 1.0f;
  return 1.0f / (d * d);
}

template <>
inline float surrogate_derivative<Surrogate::Sigmoid>(float x, float slope) {
  const float e = std::exp(-slope * std::fabs(x));  // s * (1 - s) would cancel far from x = 0
  const float d = 1.0f + e;
  return slope * e / (d * d);
}

// (slope/2) / (1 + (pi/2 * slope * x)^2): Fang et al. 2021.
template <>
inline float surrogate_derivative<Surrogate::ATan>(float x, float slope) {
  const float y = 1.57079632679489662f * slope * x;
  return 0.5f * slope / (1.0f + y * y);
}

template <>
inline float surrogate_derivative<Surrogate::Triangle>(float x, float width) {
  const float d = 1.0f - std::fabs(x) / width;
  return d > 0.0f ? d / width : 0.0f;
}

template <>
inline float surrogate_derivative<Surrogate::Rectangle>(float x, float width) {
  return std::fabs(x) < 0.5f * width ? 1.0f / width : 0.0f;
}

}  // namespace popsnn
