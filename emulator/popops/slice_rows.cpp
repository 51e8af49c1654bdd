#include "slice_rows.hpp"

#include <poputil/exceptions.hpp>

namespace popops {

using poplar::Interval;
using poplar::Tensor;

SliceRows::SliceRows(const poplar::Graph& graph, const Tensor& t, std::size_t dim,
                     const char* operation) {
  if (dim >= t.rank() || t.dim(static_cast<unsigned>(dim)) == 0) {
    throw poputil::poplibs_error(std::string(operation) +
                                 ": expected a dimension of at least one element, got " +
                                 std::to_string(dim) + " of " + t.shapeToString());
  }
  const Tensor rolled = t.dimRoll(static_cast<unsigned>(dim));
  flat_ = rolled.reshape({rolled.dim(0), rolled.numElements() / rolled.dim(0)});
  mapping_ = graph.getTileMapping(flat_[0]);
}

std::vector<Tensor> SliceRows::base(const Interval& region) const {
  const Tensor part = flat_.slice(region, 1);
  if (part.flatten().isContiguous()) return {part.flatten()};
  return rows(flat_, region);
}

std::vector<Tensor> rows(const Tensor& t, const Interval& region) {
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < t.dim(0); ++i) out.push_back(t[i].slice(region));
  return out;
}

}  // namespace popops
