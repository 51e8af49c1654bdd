// Tile mappings and clones.
#include <numeric>
#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include "api/access.hpp"
#include "api/graph_data.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void incompleteMapping(const char* operation, const std::string& shape) {
  throw invalid_tile_mapping(text(operation, ": expected every element of the tensor ", shape,
                                  " to have a tile, got some without"));
}

[[noreturn]] void reorderSize(size_t expected, size_t got) {
  throw poplar_error(text("Graph::reorderToSimplify: expected tensors of ", expected,
                          " elements as the first has, got ", got));
}

}  // namespace

}  // namespace errors
}  // namespace emulator

using emulator::Access;
using emulator::forEachRun;
using emulator::kNoTile;
using emulator::Variable;
using emulator::View;

namespace errors = emulator::errors;

namespace {

void checkGraph(const View& v, const emulator::GraphData* data, const char* operation) {
  if (v.graph != data->id) errors::otherGraph(operation);
}

// Adds [begin, end) to the intervals of one tile, joined with the last one where they touch.
void addInterval(std::vector<Interval>& list, size_t begin, size_t end) {
  if (!list.empty() && list.back().end() == begin) {
    list.back() = Interval(list.back().begin(), end);
  } else {
    list.emplace_back(begin, end);
  }
}

// Elements of a variable, and their position in a flattened view.
struct MappedRange {
  uint32_t var;
  size_t begin, size, at;
};

bool byElement(const MappedRange& a, const MappedRange& b) {
  return a.var != b.var ? a.var < b.var : a.begin < b.begin;
}

// Splits the ranges so that any two of them are the same elements or disjoint.
void splitOverlaps(std::vector<MappedRange>& ranges) {
  std::vector<std::pair<uint32_t, size_t>> cuts;
  for (const MappedRange& p : ranges) {
    cuts.emplace_back(p.var, p.begin);
    cuts.emplace_back(p.var, p.begin + p.size);
  }
  std::sort(cuts.begin(), cuts.end());
  std::vector<MappedRange> out;
  for (MappedRange p : ranges) {
    auto cut = std::upper_bound(cuts.begin(), cuts.end(), std::make_pair(p.var, p.begin));
    for (; p.size != 0; ++cut) {
      const size_t n = cut->second - p.begin;
      if (n == 0) continue;
      out.push_back({p.var, p.begin, n, p.at});
      p = {p.var, p.begin + n, p.size - n, p.at + n};
    }
  }
  ranges = std::move(out);
}

}  // namespace

void Graph::setTileMapping(const Tensor& t, unsigned tile) {
  const View& v = Access::view(t, "Graph::setTileMapping");
  checkGraph(v, data_.get(), "Graph::setTileMapping");
  const unsigned physical = physicalTile(tile, "Graph::setTileMapping");
  forEachRun(v, [&](uint32_t var, size_t begin, size_t n) {
    Variable& variable = data_->variable(var);
    data_->changesVariable(var);
    variable.tiles.set(begin, begin + n, variable.size, physical);
  });
}

void Graph::setTileMapping(const Tensor& t, const TileToTensorMapping& mapping) {
  const Tensor flat = t.flatten();
  for (size_t tile = 0; tile < mapping.size(); ++tile) {
    for (const Interval& i : mapping[tile]) {
      setTileMapping(flat.slice(i), static_cast<unsigned>(tile));
    }
  }
}

void Graph::setTileMapping(VertexRef v, unsigned tile) {
  if (Access::graph(v) != data_.get()) errors::otherGraph("Graph::setTileMapping");
  const auto& record = data_->vertices[Access::id(v)];
  data_->changesComputeSet(data_->groups[record.group].compute_set);
  data_->groups[record.group].tiles[record.index] = physicalTile(tile, "Graph::setTileMapping");
}

Graph::TileToTensorMapping Graph::getTileMapping(const Tensor& t, bool* isComplete) const {
  const View& v = Access::view(t, "Graph::getTileMapping");
  checkGraph(v, data_.get(), "Graph::getTileMapping");
  std::vector<unsigned> virtual_tile;  // of each physical one
  if (tiles_) {
    virtual_tile.assign(data_->target.getNumTiles(), kNoTile);
    for (unsigned i = 0; i < tiles_->size(); ++i) virtual_tile[(*tiles_)[i]] = i;
  }
  TileToTensorMapping out(target_.getNumTiles());
  bool complete = true;
  size_t at = 0;
  forEachRun(v, [&](uint32_t var, size_t begin, size_t n) {
    data_->variable(var).tiles.forEach(begin, begin + n, [&](size_t b, size_t e, uint32_t tile) {
      if (tile != kNoTile && tiles_) tile = virtual_tile[tile];
      if (tile == kNoTile) {
        complete = false;
      } else {
        addInterval(out[tile], at, at + (e - b));
      }
      at += e - b;
    });
  });
  if (isComplete != nullptr) *isComplete = complete;
  return out;
}

Graph::TileToTensorMapping Graph::getTileMapping(const Tensor& t, bool requireComplete) const {
  bool complete = true;
  TileToTensorMapping out = getTileMapping(t, &complete);
  if (requireComplete && !complete) {
    errors::incompleteMapping("Graph::getTileMapping", t.shapeToString());
  }
  return out;
}

std::vector<std::vector<Interval>> Graph::getSortedContiguousRegions(
    const Tensor& t, ArrayRef<Interval> regions, bool removeAliasedIntervals,
    std::vector<size_t>* aliases) const {
  const View& v = Access::view(t, "Graph::getSortedContiguousRegions");
  checkGraph(v, data_.get(), "Graph::getSortedContiguousRegions");
  std::vector<MappedRange> ranges;
  const Tensor flat = t.flatten();
  for (const Interval& region : regions) {
    size_t at = region.begin();
    forEachRun(Access::view(flat.slice(region), "Graph::getSortedContiguousRegions"),
               [&](uint32_t var, size_t begin, size_t n) {
                 ranges.push_back({var, begin, n, at});
                 at += n;
               });
  }
  if (aliases != nullptr) splitOverlaps(ranges);
  std::stable_sort(ranges.begin(), ranges.end(), byElement);
  std::vector<std::vector<Interval>> out;
  uint32_t var = 0;
  size_t end = 0;                 // of the elements of `var` that are covered
  MappedRange first{0, 0, 0, 0};  // of those that are the same elements
  if (aliases != nullptr) aliases->clear();
  for (MappedRange p : ranges) {
    const bool same = !out.empty() && p.var == var;
    const size_t overlap = same && p.begin < end ? std::min(end - p.begin, p.size) : 0;
    if (removeAliasedIntervals && overlap != 0) {
      p = {p.var, p.begin + overlap, p.size - overlap, p.at + overlap};
      if (p.size == 0) continue;
    }
    if (aliases != nullptr) {
      // Intervals stay apart here: each has an alias of its own.
      if (!same || p.begin != first.begin) first = p;
      aliases->push_back(first.at);
    }
    if (same && p.begin == end) {
      if (aliases != nullptr) {
        out.back().emplace_back(p.at, p.at + p.size);
      } else {
        addInterval(out.back(), p.at, p.at + p.size);
      }
    } else {
      out.push_back({Interval(p.at, p.at + p.size)});
    }
    if (!same || p.begin + p.size > end) {
      var = p.var;
      end = p.begin + p.size;
    }
  }
  return out;
}

void Graph::reorderToSimplify(Tensor* t, ArrayRef<Tensor*> ts, bool) const {
  *t = t->flatten();
  const size_t n = t->numElements();
  for (Tensor* other : ts) {
    *other = other->flatten();
    if (other->numElements() != n) errors::reorderSize(n, other->numElements());
  }
  if (t->getContiguousRegions().size() < 2) return;
  std::vector<Interval> order;
  for (const auto& region : getSortedContiguousRegions(*t, {Interval(0, n)})) {
    order.insert(order.end(), region.begin(), region.end());
  }
  *t = concat(t->slices(order));
  for (Tensor* other : ts) {
    if (other != t) *other = concat(other->slices(order));
  }
}

Tensor Graph::findUnbroadcastTensor(const Tensor& t) const {
  const View& v = Access::view(t, "Graph::findUnbroadcastTensor");
  Tensor out = t;
  for (unsigned d = 0; d < v.dims.size(); ++d) {
    if (v.dims[d].stride == 0 && v.dims[d].size > 1) out = out.slice(0, 1, d);
  }
  return out;
}

}  // namespace poplar
