#ifndef popnn_Loss_hpp
#define popnn_Loss_hpp

namespace popnn {

enum LossType { SUM_SQUARED_LOSS, CROSS_ENTROPY_LOSS };

}  // namespace popnn

#ifndef __POPC__
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popops/EncodingConstants.hpp>
#include <utility>

namespace popnn {

// `modelOutputs` [B, C] of float or half; `expected` [B], labels of unsigned int or int, of which
// MASKED_LABEL_CODE counts for nothing. Written are `loss` [B] and `deltas` [B, C]:
//
//   SUM_SQUARED_LOSS    delta = output - onehot, loss = sum of delta^2 / 2
//   CROSS_ENTROPY_LOSS  of outputs that are a softmax: the gradient of its input
//                       delta = output - onehot, loss = -log(output of the label)
//
// Of cross entropy, `modelOutputScaling` is what the outputs are scaled by, and `deltasScale` what
// the deltas are to be scaled by; each is one element.
poplar::program::Program calcLoss(poplar::Graph& graph, const poplar::Tensor& modelOutputs,
                                  const poplar::Tensor& expected, const poplar::Tensor& loss,
                                  const poplar::Tensor& deltas, const poplar::Tensor& deltasScale,
                                  const poplar::Tensor& modelOutputScaling, LossType lossType,
                                  const poplar::DebugContext& debugContext = {});
poplar::program::Program calcLoss(poplar::Graph& graph, const poplar::Tensor& modelOutputs,
                                  const poplar::Tensor& expected, const poplar::Tensor& loss,
                                  const poplar::Tensor& deltas, LossType lossType,
                                  const poplar::DebugContext& debugContext = {});
// These count right outputs too: see calcAccuracy().
poplar::program::Program calcLoss(poplar::Graph& graph, const poplar::Tensor& modelOutputs,
                                  const poplar::Tensor& expected, const poplar::Tensor& loss,
                                  const poplar::Tensor& deltas, const poplar::Tensor& deltasScale,
                                  const poplar::Tensor& modelOutputScaling,
                                  const poplar::Tensor& numCorrect, LossType lossType,
                                  const poplar::DebugContext& debugContext = {});
poplar::program::Program calcLoss(poplar::Graph& graph, const poplar::Tensor& modelOutputs,
                                  const poplar::Tensor& expected, const poplar::Tensor& loss,
                                  const poplar::Tensor& deltas, const poplar::Tensor& numCorrect,
                                  LossType lossType, const poplar::DebugContext& debugContext = {});

/// Adds to `numCorrect`, one unsigned int, the number of rows whose maximum is at the label.
poplar::program::Program calcAccuracy(poplar::Graph& graph, const poplar::Tensor& modelOutputs,
                                      const poplar::Tensor& expected,
                                      const poplar::Tensor& numCorrect,
                                      const poplar::DebugContext& debugContext = {});

/// Indices (unsigned int) [B] of the extremes of the rows of `input` [B, C], and their values.
poplar::Tensor argMax(poplar::Graph& graph, const poplar::Tensor& input,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {});
poplar::Tensor argMin(poplar::Graph& graph, const poplar::Tensor& input,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {});
std::pair<poplar::Tensor, poplar::Tensor> maxAndArgMax(
    poplar::Graph& graph, const poplar::Tensor& input, poplar::program::Sequence& prog,
    const poplar::DebugContext& debugContext = {});
std::pair<poplar::Tensor, poplar::Tensor> minAndArgMin(
    poplar::Graph& graph, const poplar::Tensor& input, poplar::program::Sequence& prog,
    const poplar::DebugContext& debugContext = {});

/// The K greatest of each row [B, K], descending where `sort`; sets `indices`, likewise.
poplar::Tensor topK(poplar::Graph& graph, const poplar::Tensor& input, poplar::Tensor& indices,
                    unsigned K, bool sort, poplar::program::Sequence& prog,
                    const poplar::DebugContext& debugContext = {});

}  // namespace popnn
#endif  // __POPC__

#endif  // popnn_Loss_hpp
