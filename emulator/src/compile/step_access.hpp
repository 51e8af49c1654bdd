// Elements that a step of a program reads and writes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/graph_data.hpp"
#include "api/program_data.hpp"

namespace poplar {
namespace emulator {

// Elements [begin, end) of a variable.
struct Elements {
  uint32_t var;
  size_t begin, end;
};

// All reads come before all writes. Both lists are sorted, disjoint and as short as can be. A write
// leaves nothing of what the elements held.
struct StepAccess {
  std::vector<Elements> reads, writes;
};

// Sorts, and joins what overlaps or adjoins.
void join(std::vector<Elements>& list);

// Of a program without children.
StepAccess stepAccess(const GraphData& data, const ProgramData& step);

}  // namespace emulator
}  // namespace poplar
