#include "block_plan.hpp"

#include <algorithm>
#include <limits>

namespace poplin {

namespace {

// A block of the depth shorter than this costs more in adding up than it saves.
constexpr std::size_t kMinDepth = 64;

std::size_t ceilDivide(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

}  // namespace

BlockPlan::BlockPlan(const poplar::Target& target, std::size_t rows_, std::size_t depth_,
                     std::size_t columns_)
    : rows(rows_), depth(depth_), columns(columns_) {
  const std::size_t tiles = target.getNumTiles(), workers = target.getNumWorkerContexts();
  double best = std::numeric_limits<double>::max();
  for (std::size_t c = 1; c <= std::min(columns, tiles); ++c) {
    const std::size_t r = std::min(std::max<std::size_t>(rows, 1), tiles / c);
    const std::size_t k = std::min(std::max<std::size_t>(depth / kMinDepth, 1), tiles / (r * c));
    const double m = static_cast<double>(ceilDivide(rows, r)),
                 n = static_cast<double>(ceilDivide(columns, c)),
                 d = static_cast<double>(ceilDivide(depth, k));
    // Multiplications of the workers (6 cycles a turn), elements that arrive, partials to add up.
    const double cost = m * n * d * 6 / static_cast<double>(workers) + (m + n) * d +
                        (k > 1 ? m * n * static_cast<double>(k) : 0);
    if (cost < best) {
      best = cost;
      row_blocks = r;
      depth_blocks = k;
      column_blocks = c;
    }
  }
}

void BlockPlan::mapOutput(poplar::Graph& graph, const poplar::Tensor& out) const {
  for (std::size_t r = 0; r < row_blocks; ++r) {
    for (std::size_t c = 0; c < column_blocks; ++c) {
      graph.setTileMapping(out.slice(rowsOf(r), 0).slice(columnsOf(c), 1), tile(r, 0, c));
    }
  }
}

}  // namespace poplin
