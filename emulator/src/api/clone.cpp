#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include "api/access.hpp"
#include "api/graph_data.hpp"
#include "errors/errors.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void cloneNothing() {
  throw poplar_error("Graph::cloneN: expected one clone or more, got 0");
}

}  // namespace

}  // namespace errors
}  // namespace emulator

using emulator::Access;
using emulator::forEachRun;
using emulator::GraphData;
using emulator::kNoTile;
using emulator::RangeList;
using emulator::View;

namespace errors = emulator::errors;

namespace {

// A range of the source that becomes [at, at + size) of the clone's variable.
struct CoveredRange {
  uint32_t var, tile;
  size_t begin, size, at;
};

// The ranges of variables that `v` covers, each element once, in the variables' order.
std::vector<CoveredRange> coveredRanges(const GraphData& data, const View& v, bool split_by_tile) {
  std::vector<CoveredRange> runs;
  forEachRun(v, [&](uint32_t var, size_t begin, size_t n) {
    runs.push_back({var, kNoTile, begin, n, 0});
  });
  std::sort(runs.begin(), runs.end(), [](const CoveredRange& a, const CoveredRange& b) {
    return a.var != b.var ? a.var < b.var : a.begin < b.begin;
  });
  std::vector<CoveredRange> merged;
  for (const CoveredRange& r : runs) {
    if (!merged.empty() && merged.back().var == r.var &&
        r.begin <= merged.back().begin + merged.back().size) {
      CoveredRange& last = merged.back();
      last.size = std::max(last.size, r.begin + r.size - last.begin);
    } else {
      merged.push_back(r);
    }
  }
  if (!split_by_tile) return merged;
  std::vector<CoveredRange> out;
  for (const CoveredRange& m : merged) {
    data.variable(m.var).tiles.forEach(
        m.begin, m.begin + m.size,
        [&](size_t b, size_t e, uint32_t tile) { out.push_back({m.var, tile, b, e - b, 0}); });
  }
  return out;
}

// The view of the new variable `clone` that has the order and the aliases of `v`.
std::shared_ptr<RangeList> sameOrder(const GraphData& data, const View& v, TensorCloneMethod method,
                                     uint32_t clone) {
  const bool by_tile = method == TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES;
  std::vector<CoveredRange> covered = coveredRanges(data, v, by_tile);
  if (by_tile) {
    std::stable_sort(covered.begin(), covered.end(),
                     [](const CoveredRange& a, const CoveredRange& b) { return a.tile < b.tile; });
  }
  size_t at = 0;
  for (CoveredRange& p : covered) {
    p.at = at;
    at += p.size;
  }
  const auto before = [](const CoveredRange& a, const CoveredRange& b) {
    return a.var != b.var ? a.var < b.var : a.begin < b.begin;
  };
  std::sort(covered.begin(), covered.end(), before);
  auto ranges = std::make_shared<RangeList>();
  forEachRun(v, [&](uint32_t var, size_t begin, size_t n) {
    const CoveredRange key{var, kNoTile, begin, n, 0};
    auto p = std::prev(std::upper_bound(covered.begin(), covered.end(), key, before));
    while (n != 0) {
      const size_t take = std::min(n, p->begin + p->size - begin);
      ranges->append(clone, p->at + (begin - p->begin), take);
      begin += take;
      n -= take;
      ++p;
    }
  });
  return ranges;
}

}  // namespace

Tensor Graph::clone(const Type& type, const Tensor& t, const DebugContext& debugContext,
                    TensorCloneMethod method) {
  const View& v = Access::view(t, "Graph::clone");
  if (v.graph != data_->id) errors::otherGraph("Graph::clone");
  const bool aliases = emulator::hasAliases(v);
  if (method == TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES && aliases) {
    method = TensorCloneMethod::CREATE_NEW_ORDER;
  }
  size_t size = v.numElements();
  if (aliases && method != TensorCloneMethod::CREATE_NEW_ORDER) {
    size = 0;
    for (const CoveredRange& p : coveredRanges(*data_, v, false)) size += p.size;
  }
  const uint32_t id = data_->addVariable(type, size, debugContext.getPathName(), false);
  std::shared_ptr<RangeList> ranges;
  if (method == TensorCloneMethod::CREATE_NEW_ORDER) {
    ranges = std::make_shared<RangeList>();
    ranges->append(id, 0, size);
  } else {
    ranges = sameOrder(*data_, v, method, id);
  }
  const Tensor out =
      Access::tensor(emulator::makeDense(type, data_->id, std::move(ranges), t.shape()));
  // The clone's elements lie where the source's do.
  std::vector<emulator::Run> to;
  forEachRun(Access::view(out, "Graph::clone"), [&](uint32_t var, size_t begin, size_t n) {
    to.push_back({var, static_cast<uint32_t>(n), begin});
  });
  size_t run = 0, used = 0;
  auto& tiles = data_->variable(id).tiles;
  forEachRun(v, [&](uint32_t var, size_t begin, size_t n) {
    const auto& source = data_->variable(var).tiles;
    source.forEach(begin, begin + n, [&](size_t b, size_t e, uint32_t tile) {
      while (b != e) {
        const size_t take = std::min<size_t>(e - b, to[run].size - used);
        const size_t first = to[run].begin + used;
        if (tile != kNoTile) tiles.set(first, first + take, size, tile);
        b += take;
        used += take;
        if (used == to[run].size) {
          ++run;
          used = 0;
        }
      }
    });
  });
  return out;
}

Tensor Graph::clone(const Tensor& t, const DebugContext& debugContext, TensorCloneMethod method) {
  return clone(t.elementType(), t, debugContext, method);
}

Tensor Graph::cloneN(const Type& type, const Tensor& t, size_t N, const DebugContext& debugContext,
                     TensorCloneMethod method, TensorCloneDuplicationMethod) {
  if (N == 0) errors::cloneNothing();
  std::vector<Tensor> clones;
  for (size_t i = 0; i < N; ++i) clones.push_back(clone(type, t, debugContext, method).expand({0}));
  return concat(clones);
}

Tensor Graph::cloneN(const Tensor& t, size_t N, const DebugContext& debugContext,
                     TensorCloneMethod method, TensorCloneDuplicationMethod duplicationMethod) {
  return cloneN(t.elementType(), t, N, debugContext, method, duplicationMethod);
}

}  // namespace poplar
