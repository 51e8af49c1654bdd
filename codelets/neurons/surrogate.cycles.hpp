// Bundles of a surrogate's derivative at x, which is in a register.
#pragma once
#include "common/neuron.hpp"
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

constexpr std::uint64_t surrogate_derivative(Surrogate kind) {
  switch (kind) {
    case Surrogate::SuperSpike:  // fabs, mul, add, mul, div
      return 4 + kFloatDivide;
    case Surrogate::Sigmoid:  // fabs, mul, exp, add, mul, mul, div
      return 5 + kExponential + kFloatDivide;
    case Surrogate::ATan:  // mul, mul, mul, add, div
      return 4 + kFloatDivide;
    case Surrogate::Triangle:  // fabs, div, sub, cmp, div, select
      return 4 + 2 * kFloatDivide;
    case Surrogate::Rectangle:  // fabs, mul, cmp, div, select
      return 4 + kFloatDivide;
  }
  return 0;
}

}  // namespace cycles
}  // namespace popsnn
