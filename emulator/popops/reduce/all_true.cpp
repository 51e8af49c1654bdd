#include <popops/AllTrue.hpp>
#include <popops/Reduce.hpp>

namespace popops {

poplar::Tensor allTrue(poplar::Graph& graph, poplar::Tensor A, poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext) {
  if (A.elementType() != poplar::BOOL) {
    throw poputil::poplibs_error("allTrue: expected a tensor of type bool, got " +
                                 A.elementType().toString());
  }
  return reduce(graph, A.flatten(), {0}, Operation::LOGICAL_AND, prog, {debugContext, "allTrue"});
}

}  // namespace popops
