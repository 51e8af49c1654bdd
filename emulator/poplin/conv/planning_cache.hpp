#pragma once
#include <poplin/Convolution.hpp>
#include <poplin/MatMul.hpp>
#include <set>
#include <string>

namespace poplin {

class PlanningCacheImpl {
 public:
  std::set<std::string> keys;
};

/// Enters a convolution, or a product, where there is a cache.
void enter(PlanningCache* cache, const ConvParams& params, const poplar::OptionFlags& options);
void enter(PlanningCache* cache, const MatMulParams& params, const poplar::OptionFlags& options);

}  // namespace poplin
