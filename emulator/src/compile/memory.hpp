// Host memory of the emulated tiles, and the count of what a real tile would hold.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "api/graph_data.hpp"
#include "compile/liveness.hpp"

namespace poplar {
namespace emulator {

constexpr size_t kAlignment = 64;  // of variables and gather buffers

inline size_t alignUp(size_t n, size_t alignment) { return (n + alignment - 1) & ~(alignment - 1); }

// Zeroed pages, made when they are touched.
class Region {
 public:
  Region() = default;
  explicit Region(size_t bytes);
  Region(Region&& other) noexcept;
  Region& operator=(Region&& other) noexcept;
  ~Region();

  char* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  char* data_ = nullptr;
  size_t size_ = 0;
};

// Allocates zeroed memory that lives as long as it does.
class Arena {
 public:
  char* allocate(size_t bytes, size_t alignment);

 private:
  std::vector<Region> chunks_;
  size_t used_ = 0;
};

// Categories of a tile's memory.
enum class MemoryKind {
  VARIABLES,    // that are live always
  TEMPORARIES,  // the others that are live at once, at most
  CONSTANTS,
  VERTEX_STATE,
  VERTEX_CODE,
  STACKS,
  EXCHANGE_BUFFERS,  // of edges to other tiles
  REARRANGEMENT,     // gather buffers of edges that are not contiguous
};
constexpr size_t kMemoryKinds = 8;
const char* name(MemoryKind kind);
// Whether what takes it holds it all the time; other memory serves one use after another.
bool isAlwaysLive(MemoryKind kind);

// Bytes that the tiles hold: variables as they are live, vertices, and the largest use of buffers
// by one compute set, which share their memory.
class TileMemory {
 public:
  explicit TileMemory(const Target& target);

  void addVariables(const GraphData& data, const Liveness& liveness);
  void addVertexState(uint32_t tile, size_t bytes) { add(MemoryKind::VERTEX_STATE, tile, bytes); }
  void addConstant(uint32_t tile, size_t bytes) { add(MemoryKind::CONSTANTS, tile, bytes); }
  void addGather(uint32_t tile, size_t bytes);
  // The code, the stacks and the exchange buffers of a compute set, whose gather buffers were
  // added.
  void endComputeSet(const GraphData& data, uint32_t compute_set);

  std::vector<size_t> total() const;
  // [kind][tile]
  const std::vector<std::vector<size_t>>& byKind() const { return kinds_; }

 private:
  void add(MemoryKind kind, uint32_t tile, size_t bytes) {
    kinds_[static_cast<size_t>(kind)][tile] += bytes;
  }
  void addCode(const GraphData& data, uint32_t compute_set);
  void addBuffer(std::vector<size_t>& buffers, uint32_t tile, size_t bytes);

  unsigned workers_;
  std::vector<std::vector<size_t>> kinds_;
  std::vector<size_t> gather_, exchange_;  // [tile]: of the compute set at hand
  std::vector<uint32_t> touched_;
  std::vector<std::vector<bool>> has_code_;  // [type][tile]
};

// Bytes of the object of a vertex on a device, without the rows of fields that have rows.
size_t deviceBytes(const VertexType& type);
// Bytes of one row of a field that has rows.
size_t deviceRowBytes(const Field& field);

}  // namespace emulator
}  // namespace poplar
