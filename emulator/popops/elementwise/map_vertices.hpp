// The elementwise vertices of an expression, for operations whose caller has a compute set.
#pragma once
#include <poplar/Graph.hpp>
#include <popops/Expr.hpp>
#include <vector>

namespace popops {

// Evaluates `e` into `out`, which has the shape that `ts` broadcast to and the expression's type.
void addMapVertices(poplar::Graph& graph, const expr::Expr& e,
                    const std::vector<poplar::Tensor>& ts, const poplar::Tensor& out,
                    poplar::ComputeSet cs, const char* operation);

}  // namespace popops
