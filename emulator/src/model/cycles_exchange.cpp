#include "model/cycles_exchange.hpp"

#include <algorithm>
#include <cmath>

#include "api/access.hpp"
#include "api/target.hpp"
#include "model/cycles_table.hpp"

namespace poplar {
namespace emulator {

namespace {

bool before(const Transfer& a, const Transfer& b) {
  if (a.to != b.to) return a.to < b.to;
  if (a.rearranged != b.rearranged) return b.rearranged;
  return a.var != b.var ? a.var < b.var : a.begin < b.begin;
}

size_t bytesOf(const GraphData& data, const Transfer& t) {
  return (t.end - t.begin) * data.target.getTypeSize(data.variable(t.var).type);
}

// Whether the elements of an edge pass through a buffer, as in ComputeSetCompiler::locate.
bool isGathered(const Field& f, const Edge& e) {
  const size_t align = std::max<size_t>(f.info->min_align, f.info->interleaved ? 16 : 1);
  return !e.single || e.begin * f.element_size % align != 0;
}

// What a tile sends, each element once.
struct Sent {
  uint64_t bytes = 0;
  double changes = 0;  // cycles in which it can also change the source it listens to
};

// [tile]. A fragment begins where any receiver's begins.
std::vector<Sent> sentBy(const GraphData& data, std::vector<Transfer> transfers) {
  std::vector<Sent> out(data.target.getNumTiles());
  std::sort(transfers.begin(), transfers.end(), [](const Transfer& a, const Transfer& b) {
    return a.var != b.var ? a.var < b.var : a.begin < b.begin;
  });
  const double per_cycle = Access::data(data.target).model.exchangeBytesPerCycle;
  const Transfer* last = nullptr;
  size_t end = 0;  // of what was counted of the variable
  for (Transfer& t : transfers) {
    if (last != nullptr && t.var == last->var) {
      t.begin = std::max(t.begin, end);
    } else {
      end = 0;
    }
    last = &t;
    if (t.begin >= t.end) continue;
    Sent& sent = out[t.from];
    const uint64_t bytes = bytesOf(data, t);
    sent.bytes += bytes;
    sent.changes += std::max(0.0, static_cast<double>(bytes) / per_cycle -
                                      static_cast<double>(model::kWordsWithoutChange));
    end = t.end;
  }
  return out;
}

// Bytes that both of two tiles receive; each has its transfers sorted and joined.
uint64_t bytesShared(const GraphData& data, const Transfer* a, const Transfer* a_end,
                     const Transfer* b, const Transfer* b_end) {
  uint64_t out = 0;
  while (a != a_end && b != b_end) {
    if (a->var == b->var) {
      const Transfer common{
          0, 0, a->var, false, false, std::max(a->begin, b->begin), std::min(a->end, b->end)};
      if (common.begin < common.end) out += bytesOf(data, common);
    }
    const bool a_first = a->var != b->var ? a->var < b->var : a->end < b->end;
    a_first ? ++a : ++b;
  }
  return out;
}

}  // namespace

EdgeTraffic edgeTraffic(const GraphData& data, uint32_t compute_set) {
  EdgeTraffic out;
  out.gathered_bytes.resize(data.target.getNumTiles());
  for (uint32_t g : data.compute_sets[compute_set].groups) {
    const VertexGroup& group = data.groups[g];
    const VertexType& type = data.types[group.type];
    for (const Edge& e : group.edges) {
      const Field& f = type.fields[e.field];
      const bool gathered = isGathered(f, e);
      const uint32_t vertex_tile = group.tiles[e.index];
      const Run whole{e.var, static_cast<uint32_t>(e.size), e.begin};
      const Run* run = e.single ? &whole : &data.runs[e.begin];
      const size_t n = e.single ? e.size != 0 : e.var;
      for (size_t i = 0; i < n; ++i) {
        const Variable& v = data.variable(run[i].var);
        if (v.implicit) continue;
        v.tiles.forEach(
            run[i].begin, run[i].begin + run[i].size, [&](size_t begin, size_t end, uint32_t tile) {
              if (tile == vertex_tile) {
                const size_t bytes = (end - begin) * f.element_size;
                if (gathered) out.gathered_bytes[tile] += bytes;
                return;
              }
              const bool reads = !f.isWritten() || f.info->direction == POPC_INOUT;
              if (reads) {
                out.before.push_back({vertex_tile, tile, run[i].var, gathered, reads, begin, end});
              }
              if (f.isWritten()) {
                out.after.push_back({tile, vertex_tile, run[i].var, gathered, reads, begin, end});
              }
            });
      }
    }
  }
  return out;
}

void joinTransfers(std::vector<Transfer>& transfers) {
  if (transfers.empty()) return;
  std::sort(transfers.begin(), transfers.end(), before);
  size_t last = 0;
  for (size_t i = 1; i < transfers.size(); ++i) {
    Transfer& into = transfers[last];
    const Transfer& t = transfers[i];
    const bool joins = t.to == into.to && t.var == into.var && t.from == into.from &&
                       t.begin <= into.end && t.rearranged == into.rearranged;
    if (joins) {
      into.end = std::max(into.end, t.end);
    } else {
      transfers[++last] = t;
    }
  }
  transfers.resize(last + 1);
}

bool ExchangeCost::global() const {
  return std::any_of(ipu_received.begin(), ipu_received.end(), [](uint64_t n) { return n != 0; });
}

ExchangeCost exchangeCost(const GraphData& data, std::vector<Transfer>& transfers, bool once) {
  const Target& target = data.target;
  ExchangeCost out;
  out.ipu_received.resize(target.getNumIPUs());
  out.ipu_sent.resize(target.getNumIPUs());
  if (transfers.empty()) return out;

  for (Transfer& t : transfers) t.rearranged = false;  // an element is received once in both cases
  std::vector<uint64_t> received(target.getNumTiles());
  if (!once) {
    for (const Transfer& t : transfers) received[t.to] += bytesOf(data, t);
  }
  joinTransfers(transfers);
  const unsigned per_ipu = target.getTilesPerIPU();
  std::vector<size_t> first(target.getNumTiles() + 1);  // [tile]: its index in `transfers`
  for (const Transfer& t : transfers) {
    ++first[t.to + 1];
    if (once) received[t.to] += bytesOf(data, t);
    if (t.to / per_ipu != t.from / per_ipu) {
      out.ipu_received[t.to / per_ipu] += bytesOf(data, t);
      out.ipu_sent[t.from / per_ipu] += bytesOf(data, t);
    }
  }
  for (size_t tile = 1; tile < first.size(); ++tile) first[tile] += first[tile - 1];

  const std::vector<Sent> sent = sentBy(data, transfers);
  const double per_cycle = Access::data(target).model.exchangeBytesPerCycle;
  const uint32_t bus = target.getTilesPerSharedExchangeBus();
  const bool shares_bus = target.supportsExchangeBusSharing() && bus == 2;
  double longest = 0;
  for (uint32_t tile = 0; tile < received.size(); ++tile) {
    out.bytes += received[tile];
    uint64_t shared = 0;
    const uint32_t other = tile ^ 1u;
    if (shares_bus && other < received.size() && received[tile] != 0 && received[other] != 0) {
      shared = bytesShared(data, &transfers[0] + first[tile], &transfers[0] + first[tile + 1],
                           &transfers[0] + first[other], &transfers[0] + first[other + 1]);
    }
    // Data that both tiles of a bus receive arrive at the rate of both.
    const double in = static_cast<double>(received[tile]) - static_cast<double>(shared) / 2;
    const double changes =
        static_cast<double>((first[tile + 1] - first[tile]) * model::kFragmentCycles);
    const double instructions = static_cast<double>(sent[tile].bytes) / per_cycle +
                                std::max(0.0, changes - sent[tile].changes);
    longest = std::max({longest, in / per_cycle, instructions});
  }
  out.cycles = static_cast<uint64_t>(std::ceil(longest));
  return out;
}

}  // namespace emulator
}  // namespace poplar
