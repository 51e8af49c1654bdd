// The division of a convolution's output into blocks, one to a tile.
#pragma once
#include <cstdint>
#include <poplar/Graph.hpp>
#include <poplar/Interval.hpp>
#include <poplin/ConvParams.hpp>
#include <vector>

namespace poplin {

struct ConvPlan {
  ConvPlan(const poplar::Target& target, const ConvParams& params);

  /// Ranges of block `i`: of the groups, the samples, the output channels of a group, and the rows
  /// (indices into dimension `dim` of the field) of the output.
  struct Block {
    poplar::Interval groups, samples, channels, rows;
  };
  Block block(std::size_t i) const;
  std::size_t blocks() const { return groups * samples * channels * rows; }
  /// The rows of the input that rows of the output are computed from.
  poplar::Interval inputRows(const poplar::Interval& outputRows) const;

  /// Estimates for the largest block: products, bytes of operands, cycles.
  std::uint64_t products() const;
  std::uint64_t bytes(const poplar::Target& target) const;
  std::uint64_t cycles() const;

  ConvParams params;
  // The dimension of the field with the largest output.
  unsigned dim = 0;
  // The number of divisions of each.
  std::size_t groups = 1, samples = 1, channels = 1, rows = 1;

 private:
  std::size_t outputRows() const;
};

/// Products of elements that are neither padding nor zeros of a dilation, over a range of the
/// output's indices into a dimension of the field.
std::uint64_t fieldProducts(const ConvParams& params, unsigned dim, const poplar::Interval& rows);

/// Cycles of a vertex for so many products.
std::uint64_t convCycles(const poplar::Type& type, std::uint64_t products);

}  // namespace poplin
