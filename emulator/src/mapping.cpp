// Tile mappings and clones.
#include <numeric>
#include <poplar/Graph.hpp>

#include "access.hpp"
#include "errors.hpp"
#include "graph_data.hpp"

namespace poplar {

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

}  // namespace

void Graph::setTileMapping(const Tensor& t, unsigned tile) {
  const View& v = Access::view(t, "Graph::setTileMapping");
  checkGraph(v, data_.get(), "Graph::setTileMapping");
  const unsigned physical = physicalTile(tile, "Graph::setTileMapping");
  forEachRun(v, [&](uint32_t var, size_t begin, size_t n) {
    Variable& variable = data_->variable(var);
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
    const Tensor& t, ArrayRef<Interval> regions, bool removeAliasedIntervals) const {
  const View& v = Access::view(t, "Graph::getSortedContiguousRegions");
  checkGraph(v, data_.get(), "Graph::getSortedContiguousRegions");
  struct Part {
    uint32_t var;
    size_t begin, size, at;  // at: position in the flattened view
  };
  std::vector<Part> parts;
  const Tensor flat = t.flatten();
  for (const Interval& region : regions) {
    size_t at = region.begin();
    forEachRun(Access::view(flat.slice(region), "Graph::getSortedContiguousRegions"),
               [&](uint32_t var, size_t begin, size_t n) {
                 parts.push_back({var, begin, n, at});
                 at += n;
               });
  }
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return a.var != b.var ? a.var < b.var : a.begin < b.begin;
  });
  std::vector<std::vector<Interval>> out;
  uint32_t var = 0;
  size_t end = 0;  // of the elements of `var` that are covered
  for (Part p : parts) {
    const bool same = !out.empty() && p.var == var;
    const size_t overlap = same && p.begin < end ? std::min(end - p.begin, p.size) : 0;
    if (removeAliasedIntervals && overlap != 0) {
      p = {p.var, p.begin + overlap, p.size - overlap, p.at + overlap};
      if (p.size == 0) continue;
    }
    if (same && p.begin == end) {
      addInterval(out.back(), p.at, p.at + p.size);
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

}  // namespace poplar
