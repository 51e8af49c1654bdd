// The division of a matrix product into blocks, one to a tile.
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
    return static_cast<unsigned>((r * depth_blocks + k) * column_blocks + c);
  }
  poplar::Interval rowsOf(std::size_t r) const { return block(rows, row_blocks, r); }
  poplar::Interval depthOf(std::size_t k) const { return block(depth, depth_blocks, k); }
  poplar::Interval columnsOf(std::size_t c) const { return block(columns, column_blocks, c); }

  // Puts each block of the result `out` [rows, columns] on its tile.
  void mapOutput(poplar::Graph& graph, const poplar::Tensor& out) const;

  std::size_t rows, depth, columns;
  std::size_t row_blocks = 1, depth_blocks = 1, column_blocks = 1;

 private:
  static poplar::Interval block(std::size_t n, std::size_t blocks, std::size_t i) {
    return poplar::Interval(n * i / blocks, n * (i + 1) / blocks);
  }
};

}  // namespace poplin
