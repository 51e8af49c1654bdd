#include <popops/codelets.hpp>
#include <popsparse/codelets.hpp>
#include <poputil/cyclesTables.hpp>

#include "../poputil/library_codelets.hpp"

namespace popsparse {

using namespace poplar;

namespace {

constexpr std::uint64_t kEntry = 20, kBlock = 10;
// Of a cycle, the vendor's peak figures, as of dense products.
constexpr std::uint64_t kHalfProducts = 64, kFloatProducts = 16;

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

// Each block with its partner; all of a result's rows in turn.
VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(BlockProducts)(const VertexIntrospector& vertex,
                                                           const Target& target, const Type& type,
                                                           const Type&) {
  CODELET_FIELD(a);
  CODELET_SCALAR_VAL(columns, unsigned);
  const std::uint64_t products = std::uint64_t{a.size()} * columns,
                      rate = type == HALF ? kHalfProducts : kFloatProducts;
  return {kEntry + (products + rate - 1) / rate, 2 * products};
}

// Passes over the elements: the largest, the sum of exponentials, and the results of a softmax.
VertexPerfEstimate passes(const VertexIntrospector& vertex, const Target& target, const Type& type,
                          std::uint64_t number) {
  const std::uint64_t width = target.getVectorWidth(type), size = vertex.getFieldInfo("out").size();
  return {kEntry + number * ((size + width - 1) / width), number * size};
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(BlockSoftmax)(const VertexIntrospector& vertex,
                                                          const Target& target, const Type& type) {
  return passes(vertex, target, type, 6);
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(BlockSoftmaxGrad)(const VertexIntrospector& vertex,
                                                              const Target& target,
                                                              const Type& type) {
  return passes(vertex, target, type, 4);
}

}  // namespace

void addCodelets(Graph& graph) {
  popops::addCodelets(graph);
  poputil::internal::addLibraryCodelets(graph, reinterpret_cast<const void*>(&addCodelets));
  poputil::internal::registerPerfFunctions(
      graph, {CYCLE_ESTIMATOR_ENTRY(popsparse, SparseDense, FLOAT),
              CYCLE_ESTIMATOR_ENTRY(popsparse, SparseDense, HALF),
              CYCLE_ESTIMATOR_ENTRY(popsparse, SparseGradient, FLOAT),
              CYCLE_ESTIMATOR_ENTRY(popsparse, SparseGradient, HALF),
              CYCLE_ESTIMATOR_ENTRY(popsparse, BlockProducts, FLOAT, FLOAT),
              CYCLE_ESTIMATOR_ENTRY(popsparse, BlockProducts, FLOAT, HALF),
              CYCLE_ESTIMATOR_ENTRY(popsparse, BlockProducts, HALF, FLOAT),
              CYCLE_ESTIMATOR_ENTRY(popsparse, BlockProducts, HALF, HALF),
              CYCLE_ESTIMATOR_ENTRY(popsparse, BlockSoftmax, FLOAT),
              CYCLE_ESTIMATOR_ENTRY(popsparse, BlockSoftmax, HALF),
              CYCLE_ESTIMATOR_ENTRY(popsparse, BlockSoftmaxGrad, FLOAT),
              CYCLE_ESTIMATOR_ENTRY(popsparse, BlockSoftmaxGrad, HALF)});
}

}  // namespace popsparse
