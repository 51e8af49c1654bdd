#ifndef popops_Cast_hpp
#define popops_Cast_hpp

#include <gccs/CompilerFeatures.hpp>
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

/// To QUARTER with its metadata; an empty tensor of metadata goes with all other types. From and to
/// QUARTER: FLOAT, HALF, CHAR, SIGNED_CHAR, UNSIGNED_CHAR and itself; what is too large becomes a
/// NaN. A cast to QUARTER without metadata throws `poplibs_error`.
poplar::Tensor cast(poplar::Graph& graph, const poplar::Tensor& src, const poplar::Type& dstType,
                    const poplar::Tensor& metadata, poplar::program::Sequence& prog,
                    const poplar::DebugContext& debugContext = {});
poplar::Tensor cast(poplar::Graph& graph, poplar::Tensor src, const poplar::Type& dstType,
                    const poplar::Tensor& metadata, poplar::ComputeSet cs,
                    const poplar::DebugContext& debugContext = {});

/// Whether a number, float or half, stays the same within a relative tolerance as `outputType`: a
/// bool {} that the program computes.
GC_DEPRECATED
poplar::Tensor checkAccuracyWhenCast(poplar::Graph& graph, const poplar::Tensor& input,
                                     poplar::Type outputType, double tolerance,
                                     poplar::program::Sequence& prog,
                                     const poplar::DebugContext& debugContext = {});

}  // namespace popops

#endif  // popops_Cast_hpp
