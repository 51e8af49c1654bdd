// What normalisations over channels share.
#pragma once
#include <poplar/Tensor.hpp>

namespace popnn {

/// Throws poputil::poplibs_error for activations of fewer than two dimensions.
void checkNormActs(const poplar::Tensor& acts);

}  // namespace popnn
