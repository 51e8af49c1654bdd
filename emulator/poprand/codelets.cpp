#include <popops/codelets.hpp>
#include <poprand/codelets.hpp>
#include <poputil/cyclesTables.hpp>

#include "../poputil/library_codelets.hpp"

namespace poprand {

using namespace poplar;

namespace {

// About what the generator and a distribution take for two numbers of 32 bits.
constexpr std::uint64_t kDraw = 12, kEntry = 30;

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(Random)(const VertexIntrospector& vertex,
                                                    const Target& target, const Type& type) {
  CODELET_FIELD(out);
  const std::uint64_t width = target.getVectorWidth(type);
  return {kEntry + kDraw * ((out.size() + width - 1) / width), 0};
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(Advance)(const VertexIntrospector&, const Target&) {
  return {kEntry, 0};
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(SetSeed)(const VertexIntrospector&, const Target&) {
  return {kEntry, 0};
}

}  // namespace

void addCodelets(Graph& graph) {
  popops::addCodelets(graph);  // dropout multiplies
  poputil::internal::addLibraryCodelets(graph, reinterpret_cast<const void*>(&addCodelets));
  poputil::internal::registerPerfFunctions(
      graph,
      {CYCLE_ESTIMATOR_ENTRY(poprand, Random, FLOAT), CYCLE_ESTIMATOR_ENTRY(poprand, Random, HALF),
       CYCLE_ESTIMATOR_ENTRY(poprand, Random, INT),
       CYCLE_ESTIMATOR_ENTRY_NOPARAMS(poprand, Advance),
       CYCLE_ESTIMATOR_ENTRY_NOPARAMS(poprand, SetSeed)});
}

}  // namespace poprand
