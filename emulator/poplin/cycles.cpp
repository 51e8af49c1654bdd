#include "cycles.hpp"

#include <poputil/cyclesTables.hpp>

namespace poplin {

namespace {

using namespace poplar;

// The rates are those of the vendor's peak figures.
constexpr std::uint64_t kHalfProducts = 64, kFloatProducts = 16;

// All of a block's rows in turn.
VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(MatMulBlock)(const VertexIntrospector& vertex,
                                                         const Target& target, const Type& type) {
  CODELET_FIELD(out);
  CODELET_SCALAR_VAL(depth, unsigned);
  const std::uint64_t products = std::uint64_t{depth} * out.size();
  const std::uint64_t rate = productsPerCycle(type);
  return {kStartCycles + (products + rate - 1) / rate, 2 * products};
}

}  // namespace

std::uint64_t productsPerCycle(const Type& type) {
  return type == HALF ? kHalfProducts : kFloatProducts;
}

void registerCycles(Graph& graph) {
  poputil::internal::registerPerfFunctions(graph,
                                           {CYCLE_ESTIMATOR_ENTRY(poplin, MatMulBlock, FLOAT),
                                            CYCLE_ESTIMATOR_ENTRY(poplin, MatMulBlock, HALF)});
}

}  // namespace poplin
