// Estimates for the vertices of poplin.
#pragma once
#include <cstdint>
#include <poplar/Graph.hpp>

namespace poplin {

/// Cycles to start a tile's matrix unit, and products in a cycle of it.
constexpr std::uint64_t kStartCycles = 60;
std::uint64_t productsPerCycle(const poplar::Type& type);

void registerCycles(poplar::Graph& graph);

}  // namespace poplin
