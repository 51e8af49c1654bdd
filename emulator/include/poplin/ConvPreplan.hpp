#ifndef poplin_ConvPreplan_hpp
#define poplin_ConvPreplan_hpp

#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplin/Convolution.hpp>
#include <poplin/MatMul.hpp>
#include <set>
#include <tuple>

namespace poplin {

/// Checks convolutions and matrix products, and enters them into the cache.
void preplan(const std::set<ConvPlanParams>& convs, const std::set<MatMulPlanParams>& matmuls,
             PlanningCache& cache);

}  // namespace poplin

#endif  // poplin_ConvPreplan_hpp
