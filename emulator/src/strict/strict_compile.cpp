// Checks and records of the strict mode when a compute set is compiled.
#include <algorithm>
#include <poplar/exceptions.hpp>

#include "api/types.hpp"
#include "compile/compute_set.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void writesSameWord(const std::string& compute_set, const std::string& variable,
                                 size_t element, size_t tile, const std::string& writer,
                                 const std::string& other) {
  throw graph_connection_error(
      text("compute set '", compute_set, "': expected the 32-bit words that a vertex of tile ",
           tile, " writes to be no other vertex's, got that of element ", element, " of variable '",
           variable, "' written in part by ", writer, " and in part by ", other));
}

}  // namespace

}  // namespace errors

namespace {

constexpr size_t kWord = 4;  // bytes that a tile stores at once

// The ranges of a variable that are on one tile each: on a tile each begins at a whole word.
struct TileRange {
  size_t begin, end;
  uint32_t tile;
};

std::vector<TileRange> tileRanges(const Variable& v) {
  std::vector<TileRange> out;
  v.tiles.forEach(0, v.size, [&](size_t begin, size_t end, uint32_t tile) {
    if (!out.empty() && out.back().tile == tile) {
      out.back().end = end;
    } else {
      out.push_back({begin, end, tile});
    }
  });
  return out;
}

struct Owner {
  std::string name;
  uint32_t tile;
};

std::vector<Owner> owners(const GraphData& data, uint32_t compute_set) {
  std::vector<Owner> out;
  for (uint32_t g : data.compute_sets[compute_set].groups) {
    const VertexGroup& group = data.groups[g];
    for (uint32_t tile : group.tiles) out.push_back({data.types[group.type].info->name, tile});
  }
  return out;
}

}  // namespace

void checkWords(const GraphData& data, uint32_t compute_set, const std::vector<Touch>& writes) {
  std::vector<Owner> vertices;
  for (size_t i = 0; i < writes.size();) {
    const uint32_t var = writes[i].var;
    size_t last = i;
    while (last < writes.size() && writes[last].var == var) ++last;
    const Variable& v = data.variable(var);
    const size_t bytes = sizeOf(v.type);
    if (bytes >= kWord || v.implicit) {
      i = last;
      continue;
    }
    if (vertices.empty()) vertices = owners(data, compute_set);
    const std::vector<TileRange> ranges = tileRanges(v);
    size_t p = 0;
    const Touch* before = nullptr;  // the last local write, which ends in `word` of range `in`
    size_t word = 0, in = 0;
    for (; i < last; ++i) {
      const Touch& w = writes[i];
      while (ranges[p].end <= w.begin) ++p;
      for (size_t q = p; q < ranges.size() && ranges[q].begin < w.end; ++q) {
        if (ranges[q].tile != vertices[w.vertex].tile) continue;
        const size_t begin = std::max(w.begin, ranges[q].begin);
        const size_t end = std::min(w.end, ranges[q].end);
        const size_t first_word = (begin - ranges[q].begin) * bytes / kWord;
        if (before != nullptr && before->vertex != w.vertex && in == q && word == first_word) {
          errors::writesSameWord(data.compute_sets[compute_set].name, v.name, begin, ranges[q].tile,
                                 vertices[before->vertex].name, vertices[w.vertex].name);
        }
        before = &w;
        in = q;
        word = (end - 1 - ranges[q].begin) * bytes / kWord;
      }
    }
  }
}

// Records the checks of an edge; true where some of it is on another tile than its vertex.
bool ComputeSetCompiler::checkEdge(const VertexGroup& group, const Edge& e, const Run* run,
                                   size_t n) {
  const Field& f = data_.types[group.type].fields[e.field];
  CheckedRegion region{
      e.index,        e.field, f.isWritten() ? CheckedRegion::WRITTEN : CheckedRegion::READ,
      false,          nullptr, e.size * f.element_size,
      f.element_size, {}};
  bool remote = false;
  size_t at = 0;
  for (size_t i = 0; i < n; ++i) {
    const Variable& v = data_.variable(run[i].var);
    if (!v.implicit) {
      v.tiles.forEach(
          run[i].begin, run[i].begin + run[i].size, [&](size_t begin, size_t end, uint32_t tile) {
            if (tile == group.tiles[e.index]) return;
            remote = true;
            if (f.info->direction != POPC_OUTPUT) return;
            region.undefined.push_back(
                {(at + begin - run[i].begin) * f.element_size, (end - begin) * f.element_size});
          });
    }
    at += run[i].size;
  }
  checked_.push_back(std::move(region));
  return remote;
}

CheckedBatch ComputeSetCompiler::takeChecked(const VertexGroup& group, const Batch& batch) {
  const VertexType& type = data_.types[group.type];
  for (uint16_t k = 0; k < type.fields.size(); ++k) {
    const Field& f = type.fields[k];
    if (f.isEdge() || f.info->shape != POPC_SCALAR) continue;
    for (uint32_t i = 0; i < group.count(); ++i) {
      checked_.push_back({i,
                          k,
                          CheckedRegion::STATE,
                          false,
                          batch.objects + i * batch.size + f.info->offset,
                          f.info->size,
                          f.element_size,
                          {}});
    }
  }
  std::stable_sort(
      checked_.begin(), checked_.end(),
      [](const CheckedRegion& a, const CheckedRegion& b) { return a.vertex < b.vertex; });
  return {type.info, group.tiles, std::move(checked_)};
}

}  // namespace emulator
}  // namespace poplar
