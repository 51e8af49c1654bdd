#ifndef poputil_cyclesTables_hpp
#define poputil_cyclesTables_hpp

#include <cstdint>
#include <functional>
#include <poplar/Graph.hpp>
#include <poplar/PerfEstimateFunc.hpp>
#include <poplar/Target.hpp>
#include <poplar/VertexIntrospector.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>
#include <string>
#include <utility>
#include <vector>

// The estimator of codelet X is
//   poplar::VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(X)(const VertexIntrospector& vertex,
//                                                          const Target& target, args...)
// with the template arguments of X as args; CYCLE_ESTIMATOR_ENTRY(ns, X, args...) is its entry in a
// PerfEstimatorTable.
#define MAKE_PERF_ESTIMATOR_NAME(codelet) getPerfEstimateFor##codelet
#define CYCLE_ESTIMATOR_ENTRY_NOPARAMS(ns, codelet) \
  poputil::internal::makePerfEstimatorEntry(#ns "::" #codelet, MAKE_PERF_ESTIMATOR_NAME(codelet))
#define CYCLE_ESTIMATOR_ENTRY(ns, codelet, ...)                                                   \
  poputil::internal::makePerfEstimatorEntry(#ns "::" #codelet, MAKE_PERF_ESTIMATOR_NAME(codelet), \
                                            __VA_ARGS__)

// Each makes a local of a field's name, within an estimator.
#define CODELET_FIELD(field) const auto field = vertex.getFieldInfo(#field)
#define CODELET_SCALAR_VAL(field, type) \
  const auto field = vertex.getFieldInfo(#field).getInitialValue<type>(target);
#define CODELET_VECTOR_VALS(field, type) \
  const auto field = vertex.getFieldInfo(#field).getInitialValues<type>(target);

namespace poputil {
namespace internal {

typedef std::vector<std::pair<std::string, poplar::PerfEstimateFunc>> PerfEstimatorTable;

template <class F, class... Args>
std::pair<std::string, poplar::PerfEstimateFunc> makePerfEstimatorEntry(const std::string& codelet,
                                                                        F estimator,
                                                                        const Args&... args) {
  return {poputil::templateVertex(codelet, args...),
          std::bind(estimator, std::placeholders::_1, std::placeholders::_2, args...)};
}

inline void registerPerfFunctions(poplar::Graph& graph, const PerfEstimatorTable& table) {
  for (const auto& entry : table) graph.registerPerfEstimator(entry.first, entry.second);
}

/// Cycles to make a pointer from a field of this layout.
inline std::uint64_t getUnpackCost(poplar::layout::Vector layout) {
  switch (layout) {
    case poplar::layout::Vector::ShortSpan:
    case poplar::layout::Vector::ScaledPtr32:
      return 2;
    case poplar::layout::Vector::ScaledPtr64:
    case poplar::layout::Vector::ScaledPtr128:
      return 1;
    default:
      return 0;
  }
}

inline std::uint64_t getUnpackCost(poplar::layout::VectorList layout) {
  if (layout == poplar::layout::VectorList::DeltaN) return 2;
  if (layout == poplar::layout::VectorList::DeltaNElements) return 5;
  throw poplibs_error("getUnpackCost: expected a list of layout DELTAN or DELTANELEMENTS");
}

/// The same for each row of a list.
inline std::uint64_t getVectorListDeltaUnpackCost(poplar::layout::VectorList layout) {
  if (layout == poplar::layout::VectorList::DeltaN) return 3;
  if (layout == poplar::layout::VectorList::DeltaNElements) return 2;
  throw poplibs_error(
      "getVectorListDeltaUnpackCost: expected a list of layout DELTAN or DELTANELEMENTS");
}

}  // namespace internal
}  // namespace poputil

#endif  // poputil_cyclesTables_hpp
