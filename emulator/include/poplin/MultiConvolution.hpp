#ifndef poplin_MultiConvolution_hpp
#define poplin_MultiConvolution_hpp

#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplin/Convolution.hpp>
#include <string>
#include <vector>

namespace poplin {
namespace multiconv {

// Several convolutions at once: see Convolution.hpp for each. Here one runs after the other, on
// all tiles. Options: `planType` (serial, parallel), `perConvReservedTiles`, `cycleBackOff`.

struct CreateTensorArgs {
  ConvParams params;
  poplar::OptionFlags options;
  std::string name;
};

/// The weights, or the input, of convolution number `weightsIndex`, `inputIndex`.
poplar::Tensor createWeights(poplar::Graph& graph, const std::vector<CreateTensorArgs>& args,
                             unsigned weightsIndex, const poplar::OptionFlags& options = {},
                             poplin::PlanningCache* cache = nullptr);
poplar::Tensor createInput(poplar::Graph& graph, const std::vector<CreateTensorArgs>& args,
                           unsigned inputIndex, const poplar::OptionFlags& options = {},
                           poplin::PlanningCache* cache = nullptr);

struct ConvolutionArgs {
  poplar::Tensor inputs;
  poplar::Tensor weights;
  ConvParams params;
  poplar::OptionFlags options;
};

void weightsTransposeChansFlipXY(poplar::Graph& graph, std::vector<ConvolutionArgs>& args,
                                 const std::vector<poplar::Tensor>& weightsIn,
                                 poplar::program::Sequence& prog,
                                 const poplar::OptionFlags& options,
                                 const poplar::DebugContext& debugContext,
                                 poplin::PlanningCache* cache);

std::vector<poplar::Tensor> convolution(
    poplar::Graph& graph, const std::vector<ConvolutionArgs>& args, bool transposeAndFlipWeights,
    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
    const poplar::OptionFlags& options = {}, poplin::PlanningCache* cache = nullptr);

struct CalculateWeightDeltasArgs {
  poplar::Tensor zDeltas;
  poplar::Tensor activations;
  ConvParams params;
  poplar::OptionFlags options;
};

std::vector<poplar::Tensor> calculateWeightDeltas(
    poplar::Graph& graph, const std::vector<CalculateWeightDeltasArgs>& args,
    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
    const poplar::OptionFlags& options = {}, poplin::PlanningCache* cache = nullptr);

struct ConvWeightUpdateArgs {
  poplar::Tensor zDeltas;
  poplar::Tensor weights;
  poplar::Tensor activations;
  poplar::Tensor scale;
  ConvParams params;
  poplar::OptionFlags options;
};

void convolutionWeightUpdate(poplar::Graph& graph, const std::vector<ConvWeightUpdateArgs>& args,
                             poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {},
                             const poplar::OptionFlags& options = {},
                             poplin::PlanningCache* cache = nullptr);

struct ConvWeightUpdateArgsScalar {
  poplar::Tensor zDeltas;
  poplar::Tensor weights;
  poplar::Tensor activations;
  float scale;
  ConvParams params;
  poplar::OptionFlags options;
};

void convolutionWeightUpdate(poplar::Graph& graph,
                             const std::vector<ConvWeightUpdateArgsScalar>& args,
                             poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {},
                             const poplar::OptionFlags& options = {},
                             poplin::PlanningCache* cache = nullptr);

}  // namespace multiconv
}  // namespace poplin

#endif  // poplin_MultiConvolution_hpp
