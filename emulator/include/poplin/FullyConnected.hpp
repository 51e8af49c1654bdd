#ifndef poplin_FullyConnected_hpp
#define poplin_FullyConnected_hpp

#include <poplin/MatMul.hpp>
#include <utility>
#include <vector>

namespace poplin {
namespace fc {

struct FullyConnectedParams {
  std::size_t numGroups;  // layers of one shape
  std::size_t batchSize;
  std::size_t inputSize;
  std::size_t outputSize;
};

/// The matrix products of the layer, for preplan(): of the forward pass, and where it is trained
/// of the backward pass and the weight update. The option `fullyConnectedPass` is set for each.
std::vector<std::pair<MatMulParams, poplar::OptionFlags>> getMatMulPrePlanParameters(
    FullyConnectedParams parameters, poplar::OptionFlags matmulOptions, poplar::Type type,
    bool inferenceOnly);

}  // namespace fc
}  // namespace poplin

#endif  // poplin_FullyConnected_hpp
