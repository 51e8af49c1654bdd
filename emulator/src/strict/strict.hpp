// The strict mode (engine option "emulator.strict", POPSNN_STRICT=1): compute sets run on one
// thread, vertex by vertex, and what hardware leaves undefined is poisoned or reported.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "compile/codelet_abi.h"

namespace poplar {
namespace emulator {

struct ComputePlan;

// The pattern of memory that nothing was written to. As a float -1.2e17, as a half -251.4.
constexpr int kPoison = 0xDB;

inline void poison(char* address, size_t bytes) { std::memset(address, kPoison, bytes); }

// The memory of one edge, or of one field of state, of a vertex.
struct CheckedRegion {
  enum Role : uint8_t { READ, WRITTEN, STATE };
  struct TileRange {
    size_t begin, bytes;
  };

  uint32_t vertex;  // in its batch
  uint16_t field;
  Role role;
  bool gathered;  // `address` is an offset into the scratch memory
  char* address;
  size_t bytes, element_size;
  std::vector<TileRange> undefined;  // of an Output: what lies on other tiles
};

// The checks of the strict mode for a batch.
struct CheckedBatch {
  const popc_vertex* type;
  std::vector<uint32_t> tiles;         // [vertex]
  std::vector<CheckedRegion> regions;  // by vertex
};

// Runs all vertices; throws where one, or one of its workers, breaks a rule. What an edge has on
// other tiles is in a gather buffer: read before the vertex runs, written back after.
// Calls `between` after each vertex.
void runStrict(const ComputePlan& plan, char* scratch, const std::function<void()>& between);

}  // namespace emulator
}  // namespace poplar
