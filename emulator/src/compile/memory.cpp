#include "compile/memory.hpp"

#include <sys/mman.h>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <poplar/VectorLayout.hpp>
#include <utility>

#include "errors/errors.hpp"
#include "errors/errors_text.hpp"
#include "model/cycles_exchange.hpp"
#include "model/cycles_table.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void hostMemory(size_t bytes) {
  throw system_runtime_error(text("Engine: expected ", bytes, " bytes of the host's memory for ",
                                  "what the device holds, got none"));
}

}  // namespace

}  // namespace errors

Region::Region(size_t bytes) : size_(alignUp(bytes + 1, 4096)) {
  void* p = mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) errors::hostMemory(bytes);
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

const char* name(MemoryKind kind) {
  static const char* const names[kMemoryKinds] = {"variables",        "temporaries",  "constants",
                                                  "vertex state",     "vertex code",  "stacks",
                                                  "exchange buffers", "rearrangement"};
  return names[static_cast<size_t>(kind)];
}

bool isAlwaysLive(MemoryKind kind) {
  return kind != MemoryKind::TEMPORARIES && kind != MemoryKind::EXCHANGE_BUFFERS &&
         kind != MemoryKind::REARRANGEMENT;
}

TileMemory::TileMemory(const Target& target)
    : workers_(target.getNumWorkerContexts()),
      kinds_(kMemoryKinds, std::vector<size_t>(target.getNumTiles())),
      gather_(target.getNumTiles()),
      exchange_(target.getNumTiles()) {}

void TileMemory::addVariables(const GraphData& data, const Liveness& liveness) {
  kinds_[static_cast<size_t>(MemoryKind::TEMPORARIES)] = liveness.temporary_bytes;
  for (uint32_t i = 0; i < data.variables.size(); ++i) {
    const Variable& v = data.variables[i];
    if (!liveness.always_live[i] || v.implicit) continue;
    const size_t bytes = data.target.getTypeSize(v.type);
    const MemoryKind kind = v.values.empty() ? MemoryKind::VARIABLES : MemoryKind::CONSTANTS;
    v.tiles.forEach(0, v.size, [&](size_t begin, size_t end, uint32_t tile) {
      if (tile != kNoTile) add(kind, tile, (end - begin) * bytes);
    });
  }
}

void TileMemory::addBuffer(std::vector<size_t>& buffers, uint32_t tile, size_t bytes) {
  if (gather_[tile] == 0 && exchange_[tile] == 0) touched_.push_back(tile);
  buffers[tile] += bytes;
}

void TileMemory::addGather(uint32_t tile, size_t bytes) { addBuffer(gather_, tile, bytes); }

void TileMemory::addCode(const GraphData& data, uint32_t compute_set) {
  has_code_.resize(data.types.size());
  std::vector<size_t>& stacks = kinds_[static_cast<size_t>(MemoryKind::STACKS)];
  for (uint32_t g : data.compute_sets[compute_set].groups) {
    const VertexGroup& group = data.groups[g];
    std::vector<bool>& has_code = has_code_[group.type];
    has_code.resize(gather_.size());
    const size_t bytes =
        model::kVertexCodeBytes + data.types[group.type].fields.size() * model::kFieldCodeBytes;
    for (uint32_t tile : group.tiles) {
      stacks[tile] = model::kSupervisorStackBytes + workers_ * model::kWorkerStackBytes;
      if (has_code[tile]) continue;
      has_code[tile] = true;
      add(MemoryKind::VERTEX_CODE, tile, bytes);
    }
  }
}

void TileMemory::endComputeSet(const GraphData& data, uint32_t compute_set) {
  addCode(data, compute_set);
  EdgeTraffic traffic = edgeTraffic(data, compute_set);
  joinTransfers(traffic.before);
  const auto bytes = [&](const Transfer& t) {
    return (t.end - t.begin) * data.target.getTypeSize(data.variable(t.var).type);
  };
  for (const Transfer& t : traffic.before) {
    if (!t.rearranged) addBuffer(exchange_, t.to, bytes(t));
  }
  for (const Transfer& t : traffic.after) {
    if (!t.rearranged && !t.read) addBuffer(exchange_, t.from, bytes(t));
  }
  std::vector<size_t>& gathers = kinds_[static_cast<size_t>(MemoryKind::REARRANGEMENT)];
  std::vector<size_t>& exchanges = kinds_[static_cast<size_t>(MemoryKind::EXCHANGE_BUFFERS)];
  for (uint32_t tile : touched_) {
    if (gather_[tile] + exchange_[tile] > gathers[tile] + exchanges[tile]) {
      gathers[tile] = gather_[tile];
      exchanges[tile] = exchange_[tile];
    }
    gather_[tile] = exchange_[tile] = 0;
  }
  touched_.clear();
}

std::vector<size_t> TileMemory::total() const {
  std::vector<size_t> out(gather_.size());
  for (const std::vector<size_t>& kind : kinds_) {
    for (size_t t = 0; t < out.size(); ++t) out[t] += kind[t];
  }
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
