#include <popops/codelets.hpp>
#include <popsparse/codelets.hpp>
#include <poputil/cyclesTables.hpp>

#include "../poputil/library_codelets.hpp"

namespace popsparse {

using namespace poplar;

namespace {

constexpr std::uint64_t kEntry = 20, kBlock = 10;

// The most that a bucket asks for: each of its values with each column of the operand.
VertexPerfEstimate products(const VertexIntrospector& vertex, const Target& target,
                            const Type& type, std::uint64_t values) {
  CODELET_FIELD(bucket);
  CODELET_SCALAR_VAL(columns, unsigned);
  const std::uint64_t width = target.getVectorWidth(type);
  return {kEntry + kBlock * (bucket.size() / 2) + values * ((columns + width - 1) / width),
          2 * values * columns};
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(SparseDense)(const VertexIntrospector& vertex,
                                                         const Target& target, const Type& type) {
  return products(vertex, target, type, vertex.getFieldInfo("values").size());
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(SparseGradient)(const VertexIntrospector& vertex,
                                                            const Target& target,
                                                            const Type& type) {
  return products(vertex, target, type, vertex.getFieldInfo("out").size());
}

}  // namespace

void addCodelets(Graph& graph) {
  popops::addCodelets(graph);
  poputil::internal::addLibraryCodelets(graph, reinterpret_cast<const void*>(&addCodelets));
  poputil::internal::registerPerfFunctions(
      graph, {CYCLE_ESTIMATOR_ENTRY(popsparse, SparseDense, FLOAT),
              CYCLE_ESTIMATOR_ENTRY(popsparse, SparseDense, HALF),
              CYCLE_ESTIMATOR_ENTRY(popsparse, SparseGradient, FLOAT),
              CYCLE_ESTIMATOR_ENTRY(popsparse, SparseGradient, HALF)});
}

}  // namespace popsparse
