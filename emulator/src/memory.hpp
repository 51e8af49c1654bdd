// Host memory of the emulated tiles, and the count of what a real tile would hold.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "graph_data.hpp"

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

// Hands out zeroed pieces that live as long as it does.
class Arena {
 public:
  char* allocate(size_t bytes, size_t alignment);

 private:
  std::vector<Region> chunks_;
  size_t used_ = 0;
};

// Bytes that the tiles hold: variables and vertex state, and the largest use of gather buffers by
// one compute set, which share their memory.
class TileMemory {
 public:
  explicit TileMemory(const Target& target);

  void addVariables(const GraphData& data);
  void add(uint32_t tile, size_t bytes) { fixed_[tile] += bytes; }
  void addGather(uint32_t tile, size_t bytes);
  void endComputeSet();

  std::vector<size_t> total() const;

 private:
  std::vector<size_t> fixed_, shared_, gather_;
  std::vector<uint32_t> touched_;
};

// Bytes of the object of a vertex on a device, without the rows of fields that have rows.
size_t deviceBytes(const VertexType& type);
// Bytes of one row of a field that has rows.
size_t deviceRowBytes(const Field& field);

}  // namespace emulator
}  // namespace poplar
