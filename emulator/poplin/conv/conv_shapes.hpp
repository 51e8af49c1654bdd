// Checks of the tensors of convolutions.
#pragma once
#include <poplar/Tensor.hpp>
#include <poplin/ConvParams.hpp>
#include <vector>

namespace poplin {

std::vector<std::size_t> inputShape(const ConvParams& params);
std::vector<std::size_t> weightsShape(const ConvParams& params);
std::vector<std::size_t> outputShape(const ConvParams& params);

/// Weights with the dimension of the groups.
poplar::Tensor withGroups(const poplar::Tensor& weights, const ConvParams& params);

/// Throw poputil::poplibs_error where a tensor does not fit.
void checkInput(const poplar::Tensor& in, const ConvParams& params);
void checkWeights(const poplar::Tensor& weights, const ConvParams& params);

}  // namespace poplin
