#include <numeric>
#include <poplin/Convolution.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <poputil/exceptions.hpp>

namespace poplin {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;

namespace {

void checkBiases(const Tensor& acts, const Tensor& biases, const char* operation) {
  if (acts.rank() < 2) {
    throw poplibs_error(std::string(operation) +
                        ": Expected at least a batch size and channel dimension, got " +
                        acts.shapeToString());
  }
  if (biases.rank() != 1 || biases.dim(0) != acts.dim(1)) {
    throw poplibs_error(std::string(operation) + ": expected biases of {" +
                        std::to_string(acts.dim(1)) + "}, got " + biases.shapeToString());
  }
}

}  // namespace

void convolutionBiasUpdate(Graph& graph, const Tensor& zDeltas, const Tensor& biases,
                           const Tensor& scale, const OptionFlags& options, Sequence& prog,
                           const DebugContext& debugContext) {
  convolutionValidateOptions(options);
  checkBiases(zDeltas, biases, "convolutionBiasUpdate");
  std::vector<std::size_t> dims(zDeltas.rank() - 1);
  std::iota(dims.begin() + 1, dims.end(), 2);
  popops::reduceWithOutput(graph, zDeltas, biases, dims,
                           popops::ReduceParams(popops::Operation::ADD, true, scale), prog,
                           {debugContext, "BiasUpdate"});
}

void convolutionBiasUpdate(Graph& graph, const Tensor& zDeltas, const Tensor& biases, float scale,
                           const OptionFlags& options, Sequence& prog,
                           const DebugContext& debugContext) {
  const Tensor constant = graph.addConstant(FLOAT, {}, scale, {debugContext, "scale"});
  graph.setTileMapping(constant, 0);
  convolutionBiasUpdate(graph, zDeltas, biases, constant, options, prog, debugContext);
}

void addBias(Graph& graph, const Tensor& in, const Tensor& biases, Sequence& prog,
             const DebugContext& debugContext) {
  checkBiases(in, biases, "addBias");
  popops::addInPlace(graph, in, biases.expand(std::vector<std::size_t>(in.rank() - 2, 1)), prog,
                     {debugContext, "addBias"});
}

}  // namespace poplin
