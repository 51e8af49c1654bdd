// Whether views share elements, for operations whose output may also be an input.
#pragma once
#include <poplar/Tensor.hpp>

namespace popops {

bool overlap(const poplar::Tensor& a, const poplar::Tensor& b);

}  // namespace popops
