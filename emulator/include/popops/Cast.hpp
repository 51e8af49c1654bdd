#ifndef popops_Cast_hpp
#define popops_Cast_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace popops {

/// The elements of `src` as another type. From floating point to integers the fraction is dropped,
/// and what lies out of range becomes the nearest number in range.
poplar::Tensor cast(poplar::Graph& graph, const poplar::Tensor& src, const poplar::Type& dstType,
                    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});
poplar::Tensor cast(poplar::Graph& graph, poplar::Tensor src, const poplar::Type& dstType,
                    poplar::ComputeSet cs, const poplar::DebugContext& debugContext = {});

/// Casts to the type of `dst`, and writes there.
void castWithOutput(poplar::Graph& graph, const poplar::Tensor& src, const poplar::Tensor& dst,
                    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});
poplar::program::Program cast(poplar::Graph& graph, poplar::Tensor src, poplar::Tensor dst,
                              const poplar::DebugContext& debugContext = {});
void cast(poplar::Graph& graph, poplar::Tensor src, poplar::Tensor dst, poplar::ComputeSet cs);

}  // namespace popops

#endif  // popops_Cast_hpp
