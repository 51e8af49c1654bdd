#pragma once
#include <poplar/Graph.hpp>

#include "conv_plan.hpp"

namespace poplin {

/// A tensor for the output of a convolution, each block of it on its tile.
poplar::Tensor newOutput(poplar::Graph& graph, const ConvPlan& plan, const poplar::Type& type,
                         const poplar::DebugContext& dc);

/// [samples, groups, channels, rows, ...] of a block of it.
poplar::Tensor outputBlock(const poplar::Tensor& out, const ConvPlan& plan,
                           const ConvPlan::Block& block);

}  // namespace poplin
