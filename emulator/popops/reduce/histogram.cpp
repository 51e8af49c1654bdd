#include <algorithm>
#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <popops/GatherStatistics.hpp>
#include <popops/Reduce.hpp>

namespace popops {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;

namespace {

Type countType(const OptionFlags& options) {
  for (const auto& option : options) {
    if (option.first == "useFloatArithmetic" && option.second == "true") return FLOAT;
  }
  return UNSIGNED_INT;
}

// [L + 1]
Tensor counts(Graph& graph, const Tensor& input, const Tensor& levels, bool absolute,
              Sequence& prog, const DebugContext& dc) {
  if (levels.rank() != 1 || levels.dim(0) == 0 || levels.elementType() != input.elementType()) {
    throw poplibs_error("histogram: expected levels [L] of the input's type, got " +
                        levels.shapeToString() + " of " + levels.elementType().toString());
  }
  using namespace expr;
  const Tensor x = absolute ? abs(graph, input.flatten(), prog, dc) : input.flatten();
  // below[i]: how many are below levels[i]; one level at a time, so that no tile holds [L, N].
  std::vector<Tensor> below;
  for (std::size_t i = 0; i < levels.dim(0); ++i) {
    const Tensor is_below = map(graph, Cast(Lt(_1, _2), UNSIGNED_INT), {x, levels[i]}, prog, dc);
    below.push_back(reduce(graph, is_below, {0}, Operation::ADD, prog, dc).expand({0}));
  }
  const Tensor zero = graph.addConstant(UNSIGNED_INT, {1}, 0u, dc);
  const Tensor all =
      graph.addConstant(UNSIGNED_INT, {1}, static_cast<unsigned>(x.numElements()), dc);
  graph.setTileMapping(zero, 0);
  graph.setTileMapping(all, 0);
  const Tensor inner = concat(below);
  return sub(graph, concat(inner, all), concat(zero, inner), prog, dc);
}

}  // namespace

Tensor histogram(Graph& graph, const Tensor& input, const Tensor& levels, bool absoluteOfInput,
                 Sequence& prog, const DebugContext& debugContext, const OptionFlags& options) {
  const DebugContext dc(debugContext, "histogram");
  const Tensor out = counts(graph, input, levels, absoluteOfInput, prog, dc);
  return countType(options) == FLOAT ? cast(graph, out, FLOAT, prog, dc) : out;
}

void histogram(Graph& graph, const Tensor& input, Tensor& output, bool updateOutput,
               const Tensor& levels, bool absoluteOfInput, Sequence& prog,
               const DebugContext& debugContext, const OptionFlags& options) {
  const DebugContext dc(debugContext, "histogram");
  Tensor counted = histogram(graph, input, levels, absoluteOfInput, prog, dc, options);
  const Type type = output.elementType();
  const std::vector<std::size_t> shape = output.shape();
  const bool is_row =
      output.numElements() == counted.numElements() &&
      std::count(shape.begin(), shape.end(), 1u) + 1 >= std::ptrdiff_t{output.rank()};
  if (!is_row || (type != FLOAT && type != counted.elementType())) {
    throw poplibs_error("histogram: expected an output " + counted.shapeToString() + " of " +
                        counted.elementType().toString() + ", got " + output.shapeToString() +
                        " of " + type.toString());
  }
  counted = cast(graph, counted, type, prog, dc);
  if (updateOutput) {
    addInPlace(graph, output.flatten(), counted, prog, dc);
  } else {
    prog.add(Copy(counted, output, false, dc));
  }
}

}  // namespace popops
