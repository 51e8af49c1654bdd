#ifndef popnn_CTCLoss_hpp
#define popnn_CTCLoss_hpp

#include <cstddef>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <popnn/CTCPlan.hpp>
#include <utility>

namespace popnn {
namespace ctc {

/// Options: partialsType, availableMemoryProportion, planConstraints,
/// enableReducedClassesInLabel.
Plan plan(const poplar::Graph& graph, const poplar::Type& inType, const poplar::Type& outType,
          unsigned batchSize, unsigned maxTime, unsigned maxLabelLength, unsigned numClasses,
          const poplar::OptionFlags& options = {});

/// [T, B, classes]
poplar::Tensor createDataInput(poplar::Graph& graph, const poplar::Type& type,
                               const std::size_t batchSize, const std::size_t maxTime,
                               const std::size_t numClasses, const Plan& plan,
                               const poplar::DebugContext& debugContext = {});
/// [B, longest label]
poplar::Tensor createLabelsInput(poplar::Graph& graph, const poplar::Type& type,
                                 const std::size_t batchSize, const std::size_t maxLabelLength,
                                 const Plan& plan, const poplar::DebugContext& debugContext = {});

// The negative logarithm of the probability [B] of the labels [B, longest label], whose lengths and
// those of the data are [B], all unsigned int; and its gradient [T, B, classes], 0 beyond the data.
// Probability 0 counts as exp(-65504). The gradient is that of the logits, or of the logarithms of
// probabilities where the option includeSoftmaxGradient is false, which of logits it may not be.
// With the option zeroInfinity, the loss and the gradient of labels of probability 0 are 0.

std::pair<poplar::Tensor, poplar::Tensor> calcLossAndGradientLogProbabilities(
    poplar::Graph& graph, const poplar::Type& outType, const poplar::Tensor& logProbs,
    const poplar::Tensor& labels, const poplar::Tensor& dataLengths,
    const poplar::Tensor& labelLengths, poplar::program::Sequence& prog, const unsigned blankClass,
    const Plan& plan, const poplar::DebugContext& debugContext = {},
    const poplar::OptionFlags& options = {});
std::pair<poplar::Tensor, poplar::Tensor> calcLossAndGradientLogits(
    poplar::Graph& graph, const poplar::Type& outType, const poplar::Tensor& logits,
    const poplar::Tensor& labels, const poplar::Tensor& dataLengths,
    const poplar::Tensor& labelLengths, poplar::program::Sequence& prog, const unsigned blankClass,
    const Plan& plan, const poplar::DebugContext& debugContext = {},
    const poplar::OptionFlags& options = {});
poplar::Tensor calcCTCLossLogProbabilities(
    poplar::Graph& graph, const poplar::Type& outType, const poplar::Tensor& logProbs,
    const poplar::Tensor& labels, const poplar::Tensor& dataLengths,
    const poplar::Tensor& labelLengths, poplar::program::Sequence& prog, const unsigned blankClass,
    const Plan& plan, const poplar::DebugContext& debugContext = {},
    const poplar::OptionFlags& options = {});
poplar::Tensor calcCTCLossLogits(poplar::Graph& graph, const poplar::Type& outType,
                                 const poplar::Tensor& logits, const poplar::Tensor& labels,
                                 const poplar::Tensor& dataLengths,
                                 const poplar::Tensor& labelLengths,
                                 poplar::program::Sequence& prog, const unsigned blankClass,
                                 const Plan& plan, const poplar::DebugContext& debugContext = {},
                                 const poplar::OptionFlags& options = {});

}  // namespace ctc
}  // namespace popnn

#endif  // popnn_CTCLoss_hpp
