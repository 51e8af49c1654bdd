#include <popsparse/FullyConnected.hpp>
#include <poputil/exceptions.hpp>

#include "products.hpp"
#include "tensors.hpp"

namespace popsparse {
namespace dynamic {

using namespace poplar;
using namespace poplar::program;

SparseTensor createFullyConnectedWeights(Graph& graph, const Type& inputType,
                                         const FullyConnectedParams& params,
                                         const DebugContext& debugContext,
                                         const OptionFlags& options, PlanningCache*) {
  return createSparse(graph, inputType, layoutOf(params, options), debugContext);
}

Tensor createFullyConnectedInput(Graph& graph, const Type& inputType,
                                 const FullyConnectedParams& params,
                                 const DebugContext& debugContext, const OptionFlags& options,
                                 PlanningCache*) {
  layoutOf(params, options);
  return createDense(graph, inputType, {params.getBatchSize(), params.getInputChannels()},
                     debugContext);
}

Tensor fullyConnectedFwd(Graph& graph, const SparseTensor& weights, const Tensor& activations,
                         const FullyConnectedParams& fcParams, Sequence& prog,
                         const DebugContext& debugContext, const OptionFlags& options,
                         PlanningCache*) {
  const char* const operation = "fullyConnectedFwd";
  const Layout layout = layoutOf(fcParams, options);
  const Tensor x = activations.transpose();
  checkOperand(x, layout.columns, fcParams.getBatchSize(), operation);
  return addProduct(graph, layout, weights.getMetaInfoTensor(), weights.getNzValuesTensor(), x,
                    false, prog, {debugContext, operation})
      .transpose();
}

Tensor fullyConnectedGradA(Graph& graph, const SparseTensor& weights, const Tensor& gradients,
                           const FullyConnectedParams& fcParams, Sequence& prog,
                           const DebugContext& debugContext, const OptionFlags& options,
                           PlanningCache*) {
  const char* const operation = "fullyConnectedGradA";
  const Layout layout = layoutOf(fcParams, options);
  const Tensor x = gradients.transpose();
  checkOperand(x, layout.rows, fcParams.getBatchSize(), operation);
  return addProduct(graph, layout, weights.getMetaInfoTensor(), weights.getNzValuesTensor(), x,
                    true, prog, {debugContext, operation})
      .transpose();
}

Tensor fullyConnectedSparseGradW(Graph& graph, const Tensor sparsityMetaInfo, const Tensor& gradA,
                                 const Tensor& activations, const FullyConnectedParams& fcParams,
                                 Sequence& prog, const DebugContext& debugContext,
                                 const OptionFlags& options, PlanningCache*) {
  const char* const operation = "fullyConnectedSparseGradW";
  const Layout layout = layoutOf(fcParams, options);
  const Tensor left = gradA.transpose(), right = activations.transpose();
  checkOperand(left, layout.rows, fcParams.getBatchSize(), operation);
  checkOperand(right, layout.columns, fcParams.getBatchSize(), operation);
  return addGradient(graph, layout, sparsityMetaInfo, left, right, prog, {debugContext, operation});
}

std::tuple<unsigned, unsigned, unsigned> fullyConnectedDenseGradWSerialSplits(
    const Graph&, const Type&, const FullyConnectedParams&, const OptionFlags&, PlanningCache*) {
  return std::make_tuple(1u, 1u, 1u);
}

}  // namespace dynamic
}  // namespace popsparse
