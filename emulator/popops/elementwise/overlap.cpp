#include "elementwise/overlap.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace popops {

using poplar::VariableInterval;

namespace {

// In the order of variables and of elements within each.
std::vector<VariableInterval> sortedRegions(const poplar::Tensor& t) {
  std::vector<VariableInterval> regions = t.getVarRegions();
  std::sort(regions.begin(), regions.end(),
            [](const VariableInterval& a, const VariableInterval& b) {
              return std::make_tuple(a.var.id, a.interval.begin()) <
                     std::make_tuple(b.var.id, b.interval.begin());
            });
  return regions;
}

}  // namespace

bool overlap(const poplar::Tensor& a, const poplar::Tensor& b) {
  const std::vector<VariableInterval> left = sortedRegions(a), right = sortedRegions(b);
  for (auto l = left.begin(), r = right.begin(); l != left.end() && r != right.end();) {
    if (l->var == r->var && l->interval.begin() < r->interval.end() &&
        r->interval.begin() < l->interval.end()) {
      return true;
    }
    const bool left_ends_first = std::make_tuple(l->var.id, l->interval.end()) <
                                 std::make_tuple(r->var.id, r->interval.end());
    left_ends_first ? ++l : ++r;
  }
  return false;
}

}  // namespace popops
