// How a matrix product is cut into blocks, one to a tile.
#pragma once
#include <cstddef>
#include <poplar/Graph.hpp>
#include <poplar/Interval.hpp>
#include <poplar/Target.hpp>

namespace poplin {

struct BlockPlan {
  // For [rows, depth] times [depth, columns].
  BlockPlan(const poplar::Target& target, std::size_t rows, std::size_t depth, std::size_t columns);

  // Block (r, k, c) of the grid.
  unsigned tile(std::size_t r, std::size_t k, std::size_t c) const {
    return static_cast<unsigned>((r * depth_parts + k) * column_parts + c);
  }
  poplar::Interval rowsOf(std::size_t r) const { return part(rows, row_parts, r); }
  poplar::Interval depthOf(std::size_t k) const { return part(depth, depth_parts, k); }
  poplar::Interval columnsOf(std::size_t c) const { return part(columns, column_parts, c); }

  // Puts each block of the result `out` [rows, columns] on its tile.
  void mapOutput(poplar::Graph& graph, const poplar::Tensor& out) const;

  std::size_t rows, depth, columns;
  std::size_t row_parts = 1, depth_parts = 1, column_parts = 1;

 private:
  static poplar::Interval part(std::size_t n, std::size_t parts, std::size_t i) {
    return poplar::Interval(n * i / parts, n * (i + 1) / parts);
  }
};

}  // namespace poplin
