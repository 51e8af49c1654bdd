#ifndef popops_SplineBasis_hpp
#define popops_SplineBasis_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

/// For each edge with coordinates `pseudo` [edges, dims] (float or half), the B-spline functions of
/// the degree (1 to 3) that are not zero there, `basis` [edges, (degree + 1)^dims], and for each of
/// them the number of its weight among product(kernelSize) ones, `weightIndex` of INT.
/// `kernelSize` INT [dims] are the weights along each dimension, and `isOpenSpline` UNSIGNED_CHAR
/// [dims] whether it is open.
void splineBasis(poplar::Graph& graph, const poplar::Tensor& pseudo,
                 const poplar::Tensor& kernelSize, const poplar::Tensor& isOpenSpline,
                 const poplar::Tensor& basis, const poplar::Tensor& weightIndex, unsigned degree,
                 poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

}  // namespace popops

#endif  // popops_SplineBasis_hpp
