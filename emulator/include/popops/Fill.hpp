#ifndef popops_Fill_hpp
#define popops_Fill_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace popops {

/// Appends to `prog` what sets every element of `t` to `value`.
template <typename FillValueType>
void fill(poplar::Graph& graph, const poplar::Tensor& t, poplar::program::Sequence& prog,
          FillValueType value, const poplar::DebugContext& debugContext = {});

extern template void fill(poplar::Graph&, const poplar::Tensor&, poplar::program::Sequence&, float,
                          const poplar::DebugContext&);
extern template void fill(poplar::Graph&, const poplar::Tensor&, poplar::program::Sequence&, int,
                          const poplar::DebugContext&);
extern template void fill(poplar::Graph&, const poplar::Tensor&, poplar::program::Sequence&,
                          unsigned, const poplar::DebugContext&);
extern template void fill(poplar::Graph&, const poplar::Tensor&, poplar::program::Sequence&, bool,
                          const poplar::DebugContext&);

}  // namespace popops

#endif  // popops_Fill_hpp
