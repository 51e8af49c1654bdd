#ifndef popops_Fill_hpp
#define popops_Fill_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <vector>

namespace popops {

/// Appends to `prog` what sets every element of `t` to `value`.
template <typename FillValueType>
void fill(poplar::Graph& graph, const poplar::Tensor& t, poplar::program::Sequence& prog,
          FillValueType value, const poplar::DebugContext& debugContext = {});

// Vertices that set elements of `t`, for a compute set of the caller: the given intervals of the
// flattened tensor on a tile, all of it on a tile, or for each tile the intervals of `mapping`.
template <typename FillValueType>
void fill(poplar::Graph& graph, poplar::Tensor t, const std::vector<poplar::Interval>& tileRegions,
          unsigned tile, poplar::ComputeSet fillCS, FillValueType value);
template <typename FillValueType>
void fill(poplar::Graph& graph, const poplar::Tensor& t, unsigned tile, poplar::ComputeSet fillCS,
          FillValueType value);
template <typename FillValueType>
void fill(poplar::Graph& graph, const poplar::Tensor& t,
          const std::vector<std::vector<poplar::Interval>>& mapping, poplar::ComputeSet fillCS,
          FillValueType value);

}  // namespace popops

#endif  // popops_Fill_hpp
