#include "planning_cache.hpp"

#include <poplin/ConvPreplan.hpp>
#include <sstream>

#include "../mat_mul_check.hpp"
#include "conv_options.hpp"

namespace poplin {

PlanningCache::PlanningCache() : impl(new PlanningCacheImpl) {}
PlanningCache::~PlanningCache() = default;
std::size_t PlanningCache::size() const { return impl->keys.size(); }

void enter(PlanningCache* cache, const ConvParams& params, const poplar::OptionFlags& options) {
  if (cache == nullptr) return;
  std::ostringstream key;
  key << params.canonicalize() << options;
  cache->impl->keys.insert(key.str());
}

void enter(PlanningCache* cache, const MatMulParams& params, const poplar::OptionFlags& options) {
  if (cache == nullptr) return;
  std::ostringstream key;
  key << "product " << params.inputType << ' ' << params.outputType;
  // A product is one of a group.
  if (params.aShape.size() == 2) key << " 1";
  for (const std::size_t n : params.aShape) key << ' ' << n;
  key << ' ' << params.bShape.back() << options;
  cache->impl->keys.insert(key.str());
}

void preplan(const std::set<ConvPlanParams>& convs, const std::set<MatMulPlanParams>& matmuls,
             PlanningCache& cache) {
  for (const ConvPlanParams& conv : convs) {
    checkConvolution(std::get<1>(conv), *std::get<2>(conv), "Convolution");
    enter(&cache, std::get<1>(conv), *std::get<2>(conv));
  }
  for (const MatMulPlanParams& product : matmuls) {
    checkProduct(std::get<1>(product), "preplan");
    planProduct(std::get<1>(product), *std::get<2>(product), &cache);
  }
}

void preplanConvolutions(const std::set<ConvPlanParams>& convs, PlanningCache& cache) {
  preplan(convs, {}, cache);
}

void preplanConvolutions(poplar::Graph&, const std::set<ConvPlanParams>& convs,
                         PlanningCache& cache) {
  preplan(convs, {}, cache);
}

}  // namespace poplin
