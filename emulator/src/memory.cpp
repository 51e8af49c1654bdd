#include "memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <poplar/VectorLayout.hpp>
#include <utility>

namespace poplar {
namespace emulator {

Region::Region(size_t bytes) : size_(alignUp(bytes + 1, 4096)) {
  void* p = mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (size_ >= (size_t{4} << 20)) madvise(p, size_, MADV_HUGEPAGE);
#endif
  data_ = static_cast<char*>(p);
}

Region::Region(Region&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Region& Region::operator=(Region&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

Region::~Region() {
  if (data_ != nullptr) munmap(data_, size_);
}

char* Arena::allocate(size_t bytes, size_t alignment) {
  used_ = alignUp(used_, alignment);
  if (chunks_.empty() || used_ + bytes > chunks_.back().size()) {
    chunks_.emplace_back(std::max(bytes, size_t{1} << 16));
    used_ = 0;
  }
  char* out = chunks_.back().data() + used_;
  used_ += bytes;
  return out;
}

TileMemory::TileMemory(const Target& target)
    : fixed_(target.getNumTiles()), shared_(target.getNumTiles()), gather_(target.getNumTiles()) {}

void TileMemory::addVariables(const GraphData& data) {
  for (const Variable& v : data.variables) {
    const size_t bytes = v.size == 0 ? 0 : data.target.getTypeSize(v.type);
    v.tiles.forEach(0, v.size, [&](size_t begin, size_t end, uint32_t tile) {
      if (tile != kNoTile) fixed_[tile] += (end - begin) * bytes;
    });
  }
}

void TileMemory::addGather(uint32_t tile, size_t bytes) {
  if (gather_[tile] == 0) touched_.push_back(tile);
  gather_[tile] += bytes;
}

void TileMemory::endComputeSet() {
  for (uint32_t tile : touched_) {
    shared_[tile] = std::max(shared_[tile], gather_[tile]);
    gather_[tile] = 0;
  }
  touched_.clear();
}

std::vector<size_t> TileMemory::total() const {
  std::vector<size_t> out = fixed_;
  for (size_t t = 0; t < out.size(); ++t) out[t] += shared_[t];
  return out;
}

namespace {

size_t layoutBytes(uint32_t layout) {
  switch (static_cast<VectorLayout>(layout)) {
    case VectorLayout::SPAN:
      return 8;
    case VectorLayout::SCALED_PTR32:
    case VectorLayout::SCALED_PTR64:
    case VectorLayout::SCALED_PTR128:
      return 2;
    default:
      return 4;
  }
}

}  // namespace

size_t deviceRowBytes(const Field& field) {
  if (field.info->shape == POPC_VECTOR_LIST) return 4;  // a packed offset and count
  return field.info->row_shape == POPC_SCALAR ? 4 : layoutBytes(field.info->layout);
}

size_t deviceBytes(const VertexType& type) {
  size_t bytes = 0;
  for (const Field& f : type.fields) {
    switch (f.info->shape) {
      case POPC_SCALAR:
        bytes += f.isEdge() ? 4 : f.element_size;
        break;
      case POPC_VECTOR:
        bytes += layoutBytes(f.info->layout);
        break;
      case POPC_EDGE_VECTOR:
        bytes += layoutBytes(f.info->outer_layout);
        break;
      default:
        bytes += 8;
    }
  }
  return alignUp(bytes, 4);
}

}  // namespace emulator
}  // namespace poplar
