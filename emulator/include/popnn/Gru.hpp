#ifndef popnn_Gru_hpp
#define popnn_Gru_hpp

#include <cstddef>
#include <cstdint>
#include <poplar/Tensor.hpp>
#include <poplin/MatMul.hpp>
#include <popnn/GruDef.hpp>
#include <popnn/NonLinearityDef.hpp>
#include <popnn/Rnn.hpp>
#include <utility>
#include <vector>

namespace popnn {
namespace gru {

/// Reset gate, update gate, candidate.
const std::vector<BasicGruCellUnit> getDefaultBasicGruCellOrder();

struct GruParams {
  rnn::RnnParams rnn;

  // Those of `rnn`, by their earlier names.
  poplar::Type dataType;
  std::size_t batchSize;
  std::size_t timeSteps;
  std::vector<std::size_t> layerSizes;

  bool outputFullSequence = true;  // else the output of each sample's last step alone
  bool calcInputGradients = true;
  std::vector<BasicGruCellUnit> cellOrder = getDefaultBasicGruCellOrder();
  // Whether the reset gate acts after the weights and biases of the candidate, or before them.
  bool resetAfter = false;
  NonLinearityType activation = NonLinearityType::TANH;
  NonLinearityType recurrentActivation = NonLinearityType::SIGMOID;

  GruParams(poplar::Type dataType, std::size_t batchSize, std::size_t timeSteps,
            std::vector<std::size_t> layerSizes,
            NonLinearityType activation = NonLinearityType::TANH,
            NonLinearityType recurrentActivation = NonLinearityType::SIGMOID);
  GruParams(poplar::Type dataType, std::size_t batchSize, std::size_t maxTimeSteps,
            const poplar::Tensor& timeSteps, std::vector<std::size_t> layerSizes,
            NonLinearityType activation = NonLinearityType::TANH,
            NonLinearityType recurrentActivation = NonLinearityType::SIGMOID);
  GruParams(const GruParams& other);
};

std::uint64_t getBasicGruCellFwdFlops(const GruParams& params);
std::uint64_t getBasicGruCellBwdFlops(const GruParams& params);
std::uint64_t getBasicGruCellWuFlops(const GruParams& params);

/// [T, B, input size]. Options of this and of all functions below: inferenceOnly, partialsType,
/// availableMemoryProportion, numShards, rnnCodeReuse.
poplar::Tensor createInput(poplar::Graph& graph, const GruParams& params,
                           const poplar::DebugContext& debugContext,
                           const poplar::OptionFlags& options = {},
                           poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor createInitialState(poplar::Graph& graph, const GruParams& params,
                                  const poplar::DebugContext& debugContext,
                                  const poplar::OptionFlags& options, poplin::PlanningCache* cache);

/// In the order of the cells: [3, input size, output size], [3, output size, output size] and
/// [3, output size], or [3, 2, output size] where the reset comes after: of input and recurrence.
struct GruWeights {
  poplar::Tensor inputWeights;
  poplar::Tensor outputWeights;
  poplar::Tensor biases;
};

std::pair<poplar::Tensor, poplar::Tensor> createWeightsKernel(
    poplar::Graph& graph, const GruParams& params, const poplar::DebugContext& debugContext,
    const poplar::OptionFlags& options = {}, poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor createWeightsBiases(poplar::Graph& graph, const GruParams& params,
                                   const poplar::DebugContext& debugContext,
                                   const poplar::OptionFlags& options = {},
                                   poplin::PlanningCache* planningCache = nullptr);
GruWeights createWeights(poplar::Graph& graph, const GruParams& params,
                         const poplar::DebugContext& debugContext,
                         const poplar::OptionFlags& options = {},
                         poplin::PlanningCache* planningCache = nullptr);
/// [B, T]
poplar::Tensor createAttention(poplar::Graph& graph, const GruParams& params,
                               const poplar::DebugContext& debugContext,
                               const poplar::OptionFlags& options = {});

// With the update gate u, reset gate r and candidate c of the state h before:
//   r = sigmoid(x Wr + h Ur + br)     c = tanh(x Wc + (r * h) Uc + bc)
//   u = sigmoid(x Wu + h Uu + bu)     h' = u * h + (1 - u) * c
// resetAfter: c = tanh(x Wc + bc + r * (h Uc + dc)). Attention `a` of a step: u * (1 - a) for u.
// `realTimeSteps` are numbers of steps that vary, by an earlier name.

/// The output, [T, B, output size] or that of the last steps. `intermediates` is what the backward
/// pass needs; null for inference.
poplar::Tensor gruFwd(poplar::Graph& graph, const GruParams& params,
                      const poplar::Tensor& stateInit, const poplar::Tensor& in,
                      const GruWeights& weights, poplar::Tensor* intermediates,
                      poplar::program::Sequence& fwdProg,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {},
                      poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor gruFwd(poplar::Graph& graph, const GruParams& params,
                      const poplar::Tensor& stateInit, const poplar::Tensor& in,
                      const poplar::Tensor& realTimeSteps, const GruWeights& weights,
                      poplar::Tensor* intermediates, poplar::program::Sequence& fwdProg,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {},
                      poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor auGruFwd(poplar::Graph& graph, const GruParams& params,
                        const poplar::Tensor& stateInit, const poplar::Tensor& in,
                        const GruWeights& weights, poplar::Tensor* intermediates,
                        const poplar::Tensor& attScores, poplar::program::Sequence& fwdProg,
                        const poplar::DebugContext& debugContext = {},
                        const poplar::OptionFlags& options = {},
                        poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor auGruFwd(poplar::Graph& graph, const GruParams& params,
                        const poplar::Tensor& stateInit, const poplar::Tensor& in,
                        const poplar::Tensor& realTimeSteps, const GruWeights& weights,
                        poplar::Tensor* intermediates, const poplar::Tensor& attScores,
                        poplar::program::Sequence& fwdProg,
                        const poplar::DebugContext& debugContext = {},
                        const poplar::OptionFlags& options = {},
                        poplin::PlanningCache* planningCache = nullptr);

/// The gradient of the first state; `inputGrad` is null where `params` want none of the input.
poplar::Tensor gruBwd(poplar::Graph& graph, const GruParams& params,
                      poplar::program::Sequence& prog, const poplar::Tensor& fwdOutputInit,
                      const poplar::Tensor& fwdIntermediatesSeq, const GruWeights& weights,
                      const poplar::Tensor& fwdInputSeq, const poplar::Tensor& fwdOutput,
                      const poplar::Tensor& gradLayerNext, poplar::Tensor* inputGrad,
                      poplar::Tensor* bwdIntermediates, const poplar::DebugContext& debugContext,
                      const poplar::OptionFlags& options_, poplin::PlanningCache* planningCache);
poplar::Tensor gruBwd(poplar::Graph& graph, const GruParams& params,
                      poplar::program::Sequence& prog, const poplar::Tensor& fwdOutputInit,
                      const poplar::Tensor& fwdIntermediatesSeq, const GruWeights& weights,
                      const poplar::Tensor& fwdInputSeq, const poplar::Tensor& realTimeSteps,
                      const poplar::Tensor& fwdOutput, const poplar::Tensor& gradLayerNext,
                      poplar::Tensor* inputGrad, poplar::Tensor* bwdIntermediates,
                      const poplar::DebugContext& debugContext, const poplar::OptionFlags& options_,
                      poplin::PlanningCache* planningCache);
poplar::Tensor auGruBwd(poplar::Graph& graph, const GruParams& params,
                        poplar::program::Sequence& prog, const poplar::Tensor& fwdOutputInit,
                        const poplar::Tensor& fwdIntermediatesSeq, const GruWeights& weights,
                        const poplar::Tensor& fwdInputSeq, const poplar::Tensor& fwdOutput,
                        const poplar::Tensor& gradLayerNext, poplar::Tensor* inputGrad,
                        poplar::Tensor* bwdIntermediates, const poplar::Tensor& attentions,
                        poplar::Tensor* attentionsGrad, const poplar::DebugContext& debugContext,
                        const poplar::OptionFlags& options_, poplin::PlanningCache* planningCache);
poplar::Tensor auGruBwd(poplar::Graph& graph, const GruParams& params,
                        poplar::program::Sequence& prog, const poplar::Tensor& fwdOutputInit,
                        const poplar::Tensor& fwdIntermediatesSeq, const GruWeights& weights,
                        const poplar::Tensor& fwdInputSeq, const poplar::Tensor& realTimeSteps,
                        const poplar::Tensor& fwdOutput, const poplar::Tensor& gradLayerNext,
                        poplar::Tensor* inputGrad, poplar::Tensor* bwdIntermediates,
                        const poplar::Tensor& attentions, poplar::Tensor* attentionsGrad,
                        const poplar::DebugContext& debugContext,
                        const poplar::OptionFlags& options_, poplin::PlanningCache* planningCache);

/// The gradients of the weights, of the intermediate results of both passes.
GruWeights gruWU(poplar::Graph& graph, const GruParams& params, poplar::program::Sequence& prog,
                 const poplar::Tensor& fwdOutputInit, const poplar::Tensor& fwdIntermediates,
                 const poplar::Tensor& bwdIntermediates, const GruWeights& weights,
                 const poplar::Tensor& input, const poplar::Tensor& output,
                 const poplar::DebugContext& debugContext, const poplar::OptionFlags& options_,
                 poplin::PlanningCache* planningCache);
GruWeights auGruWU(poplar::Graph& graph, const GruParams& params, poplar::program::Sequence& prog,
                   const poplar::Tensor& fwdOutputInit, const poplar::Tensor& fwdIntermediates,
                   const poplar::Tensor& bwdIntermediates, const GruWeights& weights,
                   const poplar::Tensor& input, const poplar::Tensor& output,
                   const poplar::DebugContext& debugContext, const poplar::OptionFlags& options_,
                   poplin::PlanningCache* planningCache);

/// Both of them.
poplar::Tensor gruBwdWithWU(poplar::Graph& graph, const GruParams& params,
                            poplar::program::Sequence& prog, const poplar::Tensor& fwdOutputInit,
                            const poplar::Tensor& fwdIntermediates, const GruWeights& weights,
                            const poplar::Tensor& input, const poplar::Tensor& output,
                            const poplar::Tensor& outputGrad, poplar::Tensor* inputGrad,
                            GruWeights& weightsGrad, const poplar::DebugContext& debugContext,
                            const poplar::OptionFlags& options_,
                            poplin::PlanningCache* planningCache);
poplar::Tensor gruBwdWithWU(poplar::Graph& graph, const GruParams& params,
                            poplar::program::Sequence& prog, const poplar::Tensor& fwdOutputInit,
                            const poplar::Tensor& fwdIntermediates, const GruWeights& weights,
                            const poplar::Tensor& input, const poplar::Tensor& realTimeSteps,
                            const poplar::Tensor& output, const poplar::Tensor& outputGrad,
                            poplar::Tensor* inputGrad, GruWeights& weightsGrad,
                            const poplar::DebugContext& debugContext,
                            const poplar::OptionFlags& options_,
                            poplin::PlanningCache* planningCache);
poplar::Tensor auGruBwdWithWU(poplar::Graph& graph, const GruParams& params,
                              poplar::program::Sequence& prog, const poplar::Tensor& fwdOutputInit,
                              const poplar::Tensor& fwdIntermediates, const GruWeights& weights,
                              const poplar::Tensor& input, const poplar::Tensor& output,
                              const poplar::Tensor& outputGrad, poplar::Tensor* inputGrad,
                              GruWeights& weightsGrad, const poplar::Tensor& attentions,
                              poplar::Tensor* attentionsGrad,
                              const poplar::DebugContext& debugContext,
                              const poplar::OptionFlags& options_,
                              poplin::PlanningCache* planningCache);
poplar::Tensor auGruBwdWithWU(poplar::Graph& graph, const GruParams& params,
                              poplar::program::Sequence& prog, const poplar::Tensor& fwdOutputInit,
                              const poplar::Tensor& fwdIntermediates, const GruWeights& weights,
                              const poplar::Tensor& input, const poplar::Tensor& realTimeSteps,
                              const poplar::Tensor& output, const poplar::Tensor& outputGrad,
                              poplar::Tensor* inputGrad, GruWeights& weightsGrad,
                              const poplar::Tensor& attentions, poplar::Tensor* attentionsGrad,
                              const poplar::DebugContext& debugContext,
                              const poplar::OptionFlags& options_,
                              poplin::PlanningCache* planningCache);

}  // namespace gru
}  // namespace popnn

#endif  // popnn_Gru_hpp
