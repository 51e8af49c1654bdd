// Liveness of variables: those that are never live together use the same memory.
#pragma once
#include <poplar/Program.hpp>
#include <vector>

#include "api/graph_data.hpp"

namespace poplar {
namespace emulator {

struct Liveness {
  // [variable]: used, and needed before it is written, by the host or by constants' readers.
  std::vector<bool> always_live;
  // [tile]: bytes of all other variables that are live at once, at most.
  std::vector<size_t> temporary_bytes;
};

// Variables are live as a whole, from the first step that touches them to the last one. What only
// one function touches, and does not carry between calls, is live in its calls only. A variable
// that is read where a step before did not write all that is read is live always: that is sound for
// loops, branches, and for programs that run in any order.
Liveness findLiveness(const GraphData& data, ArrayRef<program::Program> programs);

}  // namespace emulator
}  // namespace poplar
