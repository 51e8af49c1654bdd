#ifndef poplin_Convolution_hpp
#define poplin_Convolution_hpp

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <memory>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplin/ConvParams.hpp>
#include <set>
#include <tuple>

namespace poplin {

class PlanningCache;

/// Twice the products of elements that are neither padding nor zeros of a dilation.
uint64_t getFwdFlops(const ConvParams& params);
uint64_t getBwdFlops(const ConvParams& params);
uint64_t getWuFlops(const ConvParams& params);

/// The cycles of these products with all of the target's multipliers busy.
double getFwdPerfectCycleCount(const poplar::Graph& graph, const ConvParams& params);
double getBwdPerfectCycleCount(const poplar::Graph& graph, const ConvParams& params);
double getWuPerfectCycleCount(const poplar::Graph& graph, const ConvParams& params);

// Shapes, with F the field and K the kernel of any number of dimensions:
//   input   [batchSize, numConvGroups * inputChannelsPerConvGroup, F...]
//   weights [numConvGroups, outputChannelsPerConvGroup, inputChannelsPerConvGroup, K...]
//   output  [batchSize, numConvGroups * outputChannelsPerConvGroup, outF...]
// Weights may lack the dimension of the groups where there is one group. Types are float and half;
// sums are in float. Options are checked: a wrong one throws poplar::invalid_option.

/// Tensors, distributed over the tiles that use them.
poplar::Tensor createWeights(poplar::Graph& graph, const ConvParams& params,
                             const poplar::DebugContext& debugContext = {},
                             const poplar::OptionFlags& options = {},
                             PlanningCache* cache = nullptr);
poplar::Tensor createBiases(poplar::Graph& graph, const poplar::Tensor& activations,
                            const poplar::DebugContext& debugContext = {"biases"});
poplar::Tensor createBiases(poplar::Graph& graph, const poplar::Tensor& activations,
                            const ConvParams& params,
                            const poplar::DebugContext& debugContext = {"biases"},
                            const poplar::OptionFlags& options = {},
                            PlanningCache* cache = nullptr);
poplar::Tensor createInput(poplar::Graph& graph, const ConvParams& params,
                           const poplar::DebugContext& debugContext = {},
                           const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);
poplar::Tensor createConvOutput(poplar::Graph& graph, const ConvParams& params,
                                const poplar::DebugContext& debugContext = {},
                                const poplar::OptionFlags& options = {},
                                PlanningCache* cache = nullptr);

/// Convolves `in` with `weights`, which for `transposeAndFlipWeights` are those of the forward
/// pass: their channels are swapped, and their fields reversed. Throws poputil::poplibs_error where
/// tensors do not fit the parameters.
poplar::Tensor convolution(poplar::Graph& graph, const poplar::Tensor& in,
                           const poplar::Tensor& weights, const ConvParams& params,
                           bool transposeAndFlipWeights, poplar::program::Sequence& prog,
                           const poplar::DebugContext& debugContext = {},
                           const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);
void convolutionWithOutput(poplar::Graph& graph, const poplar::Tensor& in,
                           const poplar::Tensor& weights, const poplar::Tensor& out,
                           const ConvParams& params, bool transposeAndFlipWeights,
                           poplar::program::Sequence& prog,
                           const poplar::DebugContext& debugContext = {},
                           const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);

using ConvPlanParams =
    std::tuple<const poplar::Target*, const ConvParams, const poplar::OptionFlags*>;
/// Fill the cache: see preplan().
void preplanConvolutions(const std::set<ConvPlanParams>& convs, PlanningCache& cache);
void preplanConvolutions(poplar::Graph& graph, const std::set<ConvPlanParams>& convs,
                         PlanningCache& cache);

/// Copies weights with their channels swapped, and each dimension of the field reversed.
void weightsTransposeChansFlipXY(poplar::Graph& graph, const poplar::Tensor& weightsIn,
                                 const poplar::Tensor& weightsOut, poplar::program::Sequence& prog,
                                 const poplar::DebugContext& debugContext = {},
                                 const poplar::OptionFlags& options = {});

/// The gradient of the weights, given that of the output (`zDeltas`) and the input; `params` are
/// those of the forward pass.
poplar::Tensor calculateWeightDeltas(poplar::Graph& graph, const poplar::Tensor& zDeltas,
                                     const poplar::Tensor& activations, const ConvParams& params,
                                     poplar::program::Sequence& prog,
                                     const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {},
                                     PlanningCache* cache = nullptr);
/// weights += scale * gradient
void convolutionWeightUpdate(poplar::Graph& graph, const poplar::Tensor& zDeltas,
                             const poplar::Tensor& weights, const poplar::Tensor& activations,
                             ConvParams params, const poplar::Tensor& scale,
                             poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {},
                             const poplar::OptionFlags& options = {},
                             PlanningCache* cache = nullptr);
void convolutionWeightUpdate(poplar::Graph& graph, const poplar::Tensor& zDeltas,
                             const poplar::Tensor& weights, const poplar::Tensor& activations,
                             ConvParams params, float scale, poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {},
                             const poplar::OptionFlags& options = {},
                             PlanningCache* cache = nullptr);
/// biases += scale * sums of zDeltas over the batch and the field
void convolutionBiasUpdate(poplar::Graph& graph, const poplar::Tensor& zDeltas,
                           const poplar::Tensor& biases, const poplar::Tensor& scale,
                           const poplar::OptionFlags& options, poplar::program::Sequence& prog,
                           const poplar::DebugContext& debugContext = {});
void convolutionBiasUpdate(poplar::Graph& graph, const poplar::Tensor& zDeltas,
                           const poplar::Tensor& biases, float scale,
                           const poplar::OptionFlags& options, poplar::program::Sequence& prog,
                           const poplar::DebugContext& debugContext = {});

/// Adds biases [channels] to `in` in place.
void addBias(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Tensor& biases,
             poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

/// Writes how a convolution is divided over tiles, with its estimated cost.
void reportPlanInfo(std::ostream& out, const poplar::Graph& graph, const ConvParams& params,
                    const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);

struct PlanCosts {
  std::size_t cycles;
  std::size_t memory;
  constexpr static size_t unknown = std::numeric_limits<std::size_t>::max();
};
/// Estimates of the division: the cycles of a run, and the bytes of operands on the fullest tile.
PlanCosts reportPlanEstimatedCosts(const poplar::Graph& graph, const ConvParams& params,
                                   const poplar::OptionFlags& options = {},
                                   PlanningCache* cache = nullptr);

namespace internal {

struct DetailedPlanCosts {
  std::size_t parallelSplit = 1;
  std::size_t serialSplit = 1;

  PlanCosts broadcast = {};
  PlanCosts rearrangement = {};
  PlanCosts dynamicSlice = {};
  PlanCosts transform = {};
  PlanCosts exchange = {};
  PlanCosts tileLevelTransform = {};
  PlanCosts inputsCast = {};
  PlanCosts compute = {};
  PlanCosts reduction = {};
  PlanCosts dynamicUpdate = {};
  PlanCosts addInPlace = {};
  PlanCosts outputCast = {};
  PlanCosts total = {};

  template <typename Function>
  void apply(Function fn, bool includeTotal = true, bool serialSplitOnly = false) const {
    const_cast<DetailedPlanCosts*>(this)->apply([&fn](const PlanCosts& c) { fn(c); }, includeTotal,
                                                serialSplitOnly);
  }
  template <typename Function>
  void apply(Function fn, bool includeTotal = true, bool serialSplitOnly = false) {
    if (!serialSplitOnly) {
      fn(broadcast);
      fn(rearrangement);
    }
    for (PlanCosts* c : {&dynamicSlice, &transform, &exchange, &tileLevelTransform, &inputsCast,
                         &compute, &reduction, &dynamicUpdate}) {
      fn(*c);
    }
    if (!serialSplitOnly) {
      fn(addInPlace);
      fn(outputCast);
    }
    if (includeTotal) fn(total);
  }
};
/// Lines of cycles and bytes, in the order of apply().
std::ostream& operator<<(std::ostream& os, DetailedPlanCosts const& c);
std::istream& operator>>(std::istream& is, DetailedPlanCosts& c);

DetailedPlanCosts reportDetailedPlanEstimatedCosts(const poplar::Graph& graph,
                                                   const ConvParams& params,
                                                   const poplar::OptionFlags& options = {},
                                                   PlanningCache* cache = nullptr);

}  // namespace internal

void reportWeightUpdatePlanInfo(std::ostream& out, const poplar::Graph& graph,
                                const ConvParams& fwdParams,
                                const poplar::OptionFlags& fwdOptions = {},
                                PlanningCache* cache = nullptr);

/// The weights of a fully connected layer (a field of one dimension) for its backward pass, whose
/// `params` these are: a view with the channels swapped.
poplar::Tensor fullyConnectedWeightTranspose(poplar::Graph& graph, poplar::Tensor weights,
                                             const ConvParams& params,
                                             poplar::program::Sequence& prog,
                                             const poplar::DebugContext& debugContext = {},
                                             const poplar::OptionFlags& options = {},
                                             PlanningCache* cache = nullptr);

/// Throws poplar::invalid_option for an option or a value that convolutions do not have.
void convolutionValidateOptions(const poplar::OptionFlags& options);

struct Plan;
class PlanningCacheImpl;
/// The convolutions and products that were planned. Plans are quick to find again here, so that
/// the cache only counts them.
class PlanningCache {
 public:
  PlanningCache();
  ~PlanningCache();
  std::size_t size() const;
  std::unique_ptr<PlanningCacheImpl> impl;
};

}  // namespace poplin

#endif  // poplin_Convolution_hpp
