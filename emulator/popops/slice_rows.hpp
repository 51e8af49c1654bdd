// What dynamic and multiple slices share: a tensor as entries of one dimension, cut into the parts
// that each lie on one tile.
#pragma once
#include <poplar/Graph.hpp>
#include <vector>

namespace popops {

class SliceRows {
 public:
  // `t` seen as [entries, rest], for slices along `dim`.
  SliceRows(const poplar::Graph& graph, const poplar::Tensor& t, std::size_t dim,
            const char* operation);

  // Intervals of `rest`, by the tile of the first entry.
  const std::vector<std::vector<poplar::Interval>>& mapping() const { return mapping_; }
  std::size_t entries() const { return flat_.dim(0); }
  // The columns [region] of all entries, as the field `base` takes them.
  std::vector<poplar::Tensor> base(const poplar::Interval& region) const;

 private:
  poplar::Tensor flat_;
  std::vector<std::vector<poplar::Interval>> mapping_;
};

// One row for each of the first dimension of `t` [n, rest].
std::vector<poplar::Tensor> rows(const poplar::Tensor& t, const poplar::Interval& region);

}  // namespace popops
