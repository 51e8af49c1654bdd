#include "cycles.hpp"

#include <poputil/cyclesTables.hpp>

namespace poplin {

namespace {

using namespace poplar;

// Products a cycle of a tile's matrix unit, and what starting it takes; all of a block's rows in
// turn. The rates are those of the vendor's peak figures.
constexpr std::uint64_t kHalfProducts = 64, kFloatProducts = 16;
constexpr std::uint64_t kStart = 60;

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(MatMulBlock)(const VertexIntrospector& vertex,
                                                         const Target& target, const Type& type) {
  CODELET_FIELD(out);
  CODELET_SCALAR_VAL(depth, unsigned);
  const std::uint64_t products = std::uint64_t{depth} * out.size();
  const std::uint64_t rate = type == HALF ? kHalfProducts : kFloatProducts;
  return {kStart + (products + rate - 1) / rate, 2 * products};
}

}  // namespace

void registerCycles(Graph& graph) {
  poputil::internal::registerPerfFunctions(graph,
                                           {CYCLE_ESTIMATOR_ENTRY(poplin, MatMulBlock, FLOAT),
                                            CYCLE_ESTIMATOR_ENTRY(poplin, MatMulBlock, HALF)});
}

}  // namespace poplin
