#include "model/cycles.hpp"

#include <algorithm>
#include <cmath>
#include <poplar/exceptions.hpp>
#include <utility>

#include "api/access.hpp"
#include "api/target.hpp"
#include "api/types.hpp"
#include "compile/vertex_introspector.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"
#include "model/cycles_table.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void missingEstimate(const std::string& compute_set, const std::string& vertex) {
  throw missing_perf_estimate(
      text("profile: compute set '", compute_set, "': expected an estimate for vertex '", vertex,
           "' by Graph::setPerfEstimate or Graph::registerPerfEstimator, got none"));
}

}  // namespace

}  // namespace errors

namespace {

uint64_t cyclesAt(double bytes_per_cycle, double bytes) {
  return static_cast<uint64_t>(std::ceil(bytes / bytes_per_cycle));
}

double mean(uint64_t sum, unsigned tiles) {
  return static_cast<double>(sum) / static_cast<double>(tiles);
}

// The ranges of a view that are on one tile each: fn(var, begin, end, tile), in row-major order.
template <class Fn>
void forEachTileRange(const GraphData& data, const View& view, Fn&& fn) {
  forEachRun(view, [&](uint32_t var, size_t begin, size_t n) {
    data.variable(var).tiles.forEach(begin, begin + n, [&](size_t b, size_t e, uint32_t tile) {
      fn(Transfer{tile, tile, var, false, true, b, e});
    });
  });
}

std::vector<Transfer> tileRanges(const GraphData& data, const View& view) {
  std::vector<Transfer> out;
  forEachTileRange(data, view, [&](const Transfer& range) { out.push_back(range); });
  return out;
}

}  // namespace

CycleModel::CycleModel(const GraphData& data) : data_(data), estimates_(data.groups.size()) {
  for (const auto& e : data.estimates) {
    const VertexRecord& v = data.vertices[e.first];
    estimates_[v.group].emplace_back(v.index, e.second);
  }
  for (auto& list : estimates_) {
    std::sort(list.begin(), list.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
  }
}

uint64_t CycleModel::memcpyCycles(size_t bytes) const {
  const size_t per_cycle = data_.target.getMemcpyBytesPerCycle();
  return (bytes + per_cycle - 1) / per_cycle;
}

VertexPerfEstimate CycleModel::missing(uint32_t compute_set, const VertexGroup& group,
                                       StepCost& cost) const {
  // A device measures and needs no estimates; here they count as nothing, and the report says so.
  if (data_.target.getTargetType() != TargetType::IPU) {
    errors::missingEstimate(data_.compute_sets[compute_set].name,
                            data_.types[group.type].info->name);
  }
  ++cost.without_estimate;
  return 0;
}

// Workers take the vertices of their tile in turn; one that uses all of them runs alone.
void CycleModel::addEstimates(uint32_t compute_set, StepCost& cost,
                              std::vector<uint64_t>& tile_cycles) {
  const unsigned workers = data_.target.getNumWorkerContexts();
  const unsigned tiles = data_.target.getNumTiles();
  std::vector<uint64_t> threads(size_t{tiles} * workers);
  std::vector<unsigned> next(tiles);
  uint64_t busy = 0;
  for (uint32_t g : data_.compute_sets[compute_set].groups) {
    const VertexGroup& group = data_.groups[g];
    const popc_vertex& info = *data_.types[group.type].info;
    const auto known = data_.estimators.find(info.name);
    auto set = estimates_[g].begin();
    std::unique_ptr<VertexReader> reader;
    for (uint32_t i = 0; i < group.count(); ++i) {
      VertexPerfEstimate estimate;
      if (set != estimates_[g].end() && set->first == i) {
        estimate = {set->second.cycles, set->second.flops};
        ++set;
      } else if (known != data_.estimators.end()) {
        if (!reader) reader = std::make_unique<VertexReader>(data_, group);
        estimate = known->second(VertexIntrospector(reader->read(i)), data_.target);
      } else {
        estimate = missing(compute_set, group, cost);
      }
      const uint32_t tile = group.tiles[i];
      cost.flops += estimate.flops;
      busy += estimate.cycles;
      if (info.kind == POPC_VERTEX) {
        threads[size_t{tile} * workers + next[tile]] += estimate.cycles;
        next[tile] = (next[tile] + 1) % workers;
      } else {
        tile_cycles[tile] += estimate.cycles;
      }
    }
  }
  for (unsigned t = 0; t < tiles; ++t) {
    const auto first = threads.begin() + size_t{t} * workers;
    tile_cycles[t] += workers * *std::max_element(first, first + workers);
  }
  cost.busy_mean += mean(busy, tiles);
}

void CycleModel::addExchange(std::vector<Transfer>& transfers, bool once, StepCost& cost) const {
  if (transfers.empty()) return;
  const Target& target = data_.target;
  const ExchangeCost e = exchangeCost(data_, transfers, once);
  cost.exchange += e.cycles;
  cost.exchange_bytes += e.bytes;
  cost.sync += e.global() ? target.getGlobalSyncCycles() : target.getMaxIPUSyncDelay();
  if (!e.global()) return;
  const uint64_t most = std::max(*std::max_element(e.ipu_received.begin(), e.ipu_received.end()),
                                 *std::max_element(e.ipu_sent.begin(), e.ipu_sent.end()));
  cost.global_exchange += cyclesAt(model::kLinkBytesPerSecond / target.getTileClockFrequency(),
                                   static_cast<double>(most));
}

StepCost CycleModel::computeSet(uint32_t compute_set) {
  StepCost cost;
  if (!data_.compute_sets[compute_set].groups.empty()) cost.sync += model::kComputeSetCycles;
  EdgeTraffic traffic = edgeTraffic(data_, compute_set);
  addExchange(traffic.before, true, cost);
  addExchange(traffic.after, true, cost);
  const unsigned tiles = data_.target.getNumTiles();
  std::vector<uint64_t> cycles(tiles);
  addEstimates(compute_set, cost, cycles);
  uint64_t sum = 0, copied = 0;
  for (unsigned t = 0; t < tiles; ++t) {
    const uint64_t copy = memcpyCycles(traffic.gathered_bytes[t]);
    copied += copy;
    cycles[t] += copy;
    sum += cycles[t];
    cost.compute = std::max(cost.compute, cycles[t]);
  }
  cost.compute_mean = mean(sum, tiles);
  cost.busy_mean += mean(copied, tiles);
  cost.tile_compute = std::move(cycles);
  return cost;
}

StepCost CycleModel::copy(const View& source, const View& destination) const {
  StepCost cost;
  const unsigned tiles = data_.target.getNumTiles();
  std::vector<size_t> local(tiles);
  std::vector<Transfer> transfers;
  const size_t bytes = sizeOf(source.type);
  const std::vector<Transfer> from = tileRanges(data_, source);
  auto range = from.begin();
  size_t at = 0;  // elements of `range` done
  forEachTileRange(data_, destination, [&](const Transfer& to) {
    for (size_t left = to.end - to.begin; left != 0;) {
      const size_t n = std::min(left, range->end - range->begin - at);
      const size_t begin = range->begin + at;
      if (range->from == to.to) {
        local[to.to] += n * bytes;
      } else {
        transfers.push_back({to.to, range->from, range->var, false, true, begin, begin + n});
      }
      left -= n;
      at += n;
      if (at == range->end - range->begin) {
        ++range;
        at = 0;
      }
    }
  });
  addExchange(transfers, false, cost);
  uint64_t sum = 0;
  for (size_t b : local) {
    sum += memcpyCycles(b);
    cost.compute = std::max(cost.compute, memcpyCycles(b));
  }
  cost.compute_mean = cost.busy_mean = mean(sum, tiles);
  return cost;
}

StepCost CycleModel::stream(const View& view, double bytes_per_second) const {
  const Target& target = data_.target;
  const size_t bytes = sizeOf(view.type);
  struct TileTransfer {
    size_t bytes = 0, end = 0;  // `end` in the stream
    bool scattered = false;
  };
  std::vector<TileTransfer> tiles(target.getNumTiles());
  std::vector<size_t> ipus(target.getNumIPUs());
  size_t at = 0;
  forEachTileRange(data_, view, [&](const Transfer& range) {
    const size_t n = range.end - range.begin;
    TileTransfer& tile = tiles[range.to];
    tile.scattered |= tile.bytes != 0 && tile.end != at;
    tile.bytes += n * bytes;
    at += n;
    tile.end = at;
    ipus[range.to / target.getTilesPerIPU()] += n * bytes;
  });
  StepCost cost;
  size_t scattered = 0;
  for (const TileTransfer& tile : tiles) {
    if (tile.scattered) scattered = std::max(scattered, tile.bytes);
  }
  cost.exchange = cyclesAt(model::kStreamBytesPerCycle, static_cast<double>(scattered));
  cost.host = cyclesAt(bytes_per_second / target.getTileClockFrequency(),
                       static_cast<double>(*std::max_element(ipus.begin(), ipus.end())));
  cost.sync = target.getGlobalSyncCycles();
  return cost;
}

StepCost CycleModel::branch() const {
  const Target& target = data_.target;
  StepCost cost;
  cost.exchange =
      cyclesAt(Access::data(target).model.exchangeBytesPerCycle, model::kPredicateBytes);
  cost.sync = target.getMaxIPUSyncDelay();
  if (target.getNumIPUs() > 1) {
    cost.sync = target.getGlobalSyncCycles();
    cost.global_exchange = cyclesAt(model::kLinkBytesPerSecond / target.getTileClockFrequency(),
                                    model::kPredicateBytes);
  }
  return cost;
}

}  // namespace emulator
}  // namespace poplar
