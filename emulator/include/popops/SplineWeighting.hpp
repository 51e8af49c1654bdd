#ifndef popops_SplineWeighting_hpp
#define popops_SplineWeighting_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

/// For each edge, the sum over its spline functions s of basis[edge, s] times the product of
/// `input` [edges, inputs] with the matrix weightIndex[edge, s] of `weight` [weights, inputs,
/// outputs]: [edges, outputs], of the type of `input`, float or half.
poplar::Tensor splineWeighting(poplar::Graph& graph, const poplar::Tensor& input,
                               const poplar::Tensor& weight, const poplar::Tensor& basis,
                               const poplar::Tensor& weightIndex, poplar::program::Sequence& prog,
                               const poplar::DebugContext& debugContext = {});

}  // namespace popops

#endif  // popops_SplineWeighting_hpp
