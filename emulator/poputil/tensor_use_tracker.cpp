// TensorUseTracker: maps the elements of variables to tiles that use them.
#include <algorithm>
#include <iterator>
#include <map>
#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>
#include <set>

namespace poputil {

using namespace poplar;

namespace {

using TileSet = std::set<unsigned>;
using Mapping = Graph::TileToTensorMapping;

// A range of elements, or of grains, with the tiles that use it.
struct Use {
  std::size_t begin, end;
  TileSet tiles;
};
using Uses = std::vector<Use>;  // in order, without overlaps

void append(Uses& uses, Use use) {
  if (!uses.empty() && uses.back().end == use.begin && uses.back().tiles == use.tiles) {
    uses.back().end = use.end;
  } else {
    uses.push_back(std::move(use));
  }
}

Uses usesOf(const Mapping& usage) {
  struct Event {
    std::size_t at;
    unsigned tile;
    int change;
  };
  std::vector<Event> events;
  for (unsigned tile = 0; tile < usage.size(); ++tile) {
    for (const Interval& r : usage[tile]) {
      if (r.size() == 0) continue;
      events.push_back({r.begin(), tile, 1});
      events.push_back({r.end(), tile, -1});
    }
  }
  std::sort(events.begin(), events.end(),
            [](const Event& a, const Event& b) { return a.at < b.at; });
  Uses out;
  std::map<unsigned, int> count;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (i != 0 && events[i].at != events[i - 1].at && !count.empty()) {
      Use use{events[i - 1].at, events[i].at, {}};
      for (const auto& entry : count) use.tiles.insert(use.tiles.end(), entry.first);
      append(out, std::move(use));
    }
    if ((count[events[i].tile] += events[i].change) == 0) count.erase(events[i].tile);
  }
  return out;
}

// A grain that several ranges lie in belongs to the first of them.
Uses inGrains(const Uses& uses, std::size_t grain) {
  Uses out;
  for (const Use& use : uses) {
    const std::size_t begin = std::max(use.begin / grain, out.empty() ? 0 : out.back().end);
    const std::size_t end = (use.end - 1) / grain + 1;
    if (begin < end) append(out, {begin, end, use.tiles});
  }
  return out;
}

// What no tile uses goes with the range before it, or the first one.
Uses extended(const Uses& uses, std::size_t size) {
  Uses out;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    append(out, {i == 0 ? 0 : uses[i].begin, i + 1 == uses.size() ? size : uses[i + 1].begin,
                 uses[i].tiles});
  }
  return out;
}

// A range that the tiles of both neighbours use, and no others, goes with the one before it.
Uses withoutHalos(const Uses& uses) {
  Uses out;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const TileSet& tiles = uses[i].tiles;
    const TileSet* chosen = &tiles;
    if (i != 0 && i + 1 != uses.size()) {
      const TileSet &before = uses[i - 1].tiles, &after = uses[i + 1].tiles;
      if (before.size() + after.size() == tiles.size() &&
          std::includes(tiles.begin(), tiles.end(), before.begin(), before.end()) &&
          std::includes(tiles.begin(), tiles.end(), after.begin(), after.end())) {
        chosen = &before;
      }
    }
    append(out, {uses[i].begin, uses[i].end, *chosen});
  }
  return out;
}

// Joins ranges that follow each other and have a tile in common.
Uses joined(const Uses& uses) {
  Uses out;
  for (const Use& use : uses) {
    const bool shared =
        !out.empty() && std::any_of(use.tiles.begin(), use.tiles.end(), [&](unsigned tile) {
          return out.back().tiles.count(tile) != 0;
        });
    if (!shared) {
      out.push_back(use);
      continue;
    }
    out.back().end = use.end;
    out.back().tiles.insert(use.tiles.begin(), use.tiles.end());
  }
  return out;
}

}  // namespace

class TensorUseTrackerState {
 public:
  TensorUseTrackerState(unsigned tiles, unsigned start, bool ascending)
      : numTiles(tiles), startTile(start), ascendingOrder(ascending) {}

  Mapping& of(VariableRef v) {
    Mapping& out = usage[v.id];
    if (out.empty()) out.resize(numTiles);
    return out;
  }

  std::map<unsigned, Mapping> usage;  // by variable
  unsigned numTiles, startTile;
  bool ascendingOrder;
};

TensorUseTracker::TensorUseTracker(unsigned numTiles, unsigned startTile,
                                   bool ascendingMappingOrder)
    : st(new TensorUseTrackerState(numTiles, startTile, ascendingMappingOrder)) {}
TensorUseTracker::TensorUseTracker(const TensorUseTracker& other)
    : st(new TensorUseTrackerState(*other.st)) {}
TensorUseTracker::TensorUseTracker(TensorUseTracker&& other) = default;
TensorUseTracker& TensorUseTracker::operator=(const TensorUseTracker& other) {
  st.reset(new TensorUseTrackerState(*other.st));
  return *this;
}
TensorUseTracker& TensorUseTracker::operator=(TensorUseTracker&& other) = default;
TensorUseTracker::~TensorUseTracker() = default;

void TensorUseTracker::add(const Graph& graph, unsigned tile, const Tensor& t) {
  if (tile >= st->numTiles) {
    throw poplibs_error("TensorUseTracker::add: expected a tile below " +
                        std::to_string(st->numTiles) + ", got " + std::to_string(tile));
  }
  for (const VariableInterval& region : t.flatten().getVarRegions()) {
    if (!graph.isConstant(region.var)) st->of(region.var)[tile].push_back(region.interval);
  }
}

void TensorUseTracker::add(TensorUseTracker other) {
  if (other.st->numTiles != st->numTiles) {
    throw poplibs_error("TensorUseTracker::add: expected a tracker of " +
                        std::to_string(st->numTiles) + " tiles, got one of " +
                        std::to_string(other.st->numTiles));
  }
  for (const auto& entry : other.st->usage) {
    Mapping& own = st->of({entry.first});
    for (std::size_t tile = 0; tile < entry.second.size(); ++tile) {
      own[tile].insert(own[tile].end(), entry.second[tile].begin(), entry.second[tile].end());
    }
  }
}

void TensorUseTracker::resolve(const Graph& graph, unsigned grainSize, unsigned minElementsPerTile,
                               bool extendPartialUsage, MappingMethod method) {
  // Ranges begin and end at grains, or only their partitions among tiles do.
  const bool constrained = method == MappingMethod::ConstrainMappingToUsedTiles;
  const unsigned range_grain = constrained ? 1 : grainSize;
  const unsigned partition_grain = constrained ? grainSize : 1;
  for (auto& entry : st->usage) {
    const std::size_t size = graph.getVariable({entry.first}).numElements();
    Uses uses = inGrains(usesOf(entry.second), range_grain);
    if (extendPartialUsage) uses = extended(uses, (size + range_grain - 1) / range_grain);
    if (method == MappingMethod::OptimizeHaloRegions) uses = withoutHalos(uses);
    if (constrained) uses = joined(uses);

    std::map<TileSet, std::vector<Interval>> grains;
    for (const Use& use : uses) grains[use.tiles].emplace_back(use.begin, use.end);
    entry.second.assign(graph.getTarget().getNumTiles(), {});
    for (const auto& shared : grains) {
      const auto partitions =
          splitRegions(shared.second, partition_grain, static_cast<unsigned>(shared.first.size()),
                       (minElementsPerTile + range_grain - 1) / range_grain);
      auto tile = shared.first.begin();
      for (const auto& partition : partitions) {
        for (const Interval& r : partition) {
          entry.second[*tile].emplace_back(r.begin() * range_grain,
                                           std::min<std::size_t>(r.end() * range_grain, size));
        }
        ++tile;
      }
    }
  }
}

void TensorUseTracker::mapTensorsByUse(Graph& graph, unsigned grainSize,
                                       unsigned minElementsPerTile, bool extendPartialUsage,
                                       MappingMethod mappingMethod) {
  resolve(graph, grainSize, minElementsPerTile, extendPartialUsage, mappingMethod);
  const unsigned tiles = graph.getTarget().getNumTiles();
  for (const auto& entry : st->usage) {
    Mapping mapping(tiles);
    for (unsigned tile = 0; tile < entry.second.size(); ++tile) {
      mapping[invTransformTileIndex(tile, tiles, st->startTile, st->ascendingOrder)] =
          entry.second[tile];
    }
    graph.setTileMapping(graph.getVariable({entry.first}), mapping);
  }
}

bool TensorUseTracker::empty() const { return st->usage.empty(); }

}  // namespace poputil
