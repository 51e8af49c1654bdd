#ifndef popnn_CTCInference_hpp
#define popnn_CTCInference_hpp

#include <cstddef>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <popnn/CTCPlan.hpp>
#include <tuple>

namespace popnn {
namespace ctc_infer {

/// Options: partialsType, availableMemoryProportion, sortStageGroups.
ctc::Plan plan(const poplar::Graph& graph, const poplar::Type& inType, unsigned batchSize,
               unsigned maxTime, unsigned numClasses, unsigned beamwidth,
               const poplar::OptionFlags& options = {});

/// [T, B, classes]
poplar::Tensor createDataInput(poplar::Graph& graph, const poplar::Type& type,
                               const std::size_t batchSize, const std::size_t maxTime,
                               const std::size_t numClasses, const ctc::Plan& plan,
                               const poplar::DebugContext& debugContext = {});

// The search is not emulated.
std::tuple<poplar::Tensor, poplar::Tensor, poplar::Tensor> beamSearchDecoderLogProbabilities(
    poplar::Graph& graph, const poplar::Tensor& logProbs, const poplar::Tensor& dataLengths,
    poplar::program::Sequence& prog, unsigned blankClass, unsigned beamwidth, unsigned topPaths,
    const ctc::Plan& plan, const poplar::DebugContext& debugContext = {},
    const poplar::OptionFlags& options = {});
std::tuple<poplar::Tensor, poplar::Tensor, poplar::Tensor> beamSearchDecoderLogits(
    poplar::Graph& graph, const poplar::Tensor& logits, const poplar::Tensor& dataLengths,
    poplar::program::Sequence& prog, unsigned blankClass, unsigned beamwidth, unsigned topPaths,
    const ctc::Plan& plan, const poplar::DebugContext& debugContext = {},
    const poplar::OptionFlags& options = {});

}  // namespace ctc_infer
}  // namespace popnn

#endif  // popnn_CTCInference_hpp
