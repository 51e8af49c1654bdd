#include <algorithm>
#include <array>
#include <numeric>
#include <popops/Rearrange.hpp>
#include <poputil/exceptions.hpp>

// As poplibs' lib/popops/Rearrange.cpp has it, but for the tile that transposition begins at.
namespace popops {
namespace rearrange {

using namespace poplar;
using namespace poplar::program;
using poputil::GroupingInfo;
using poputil::poplibs_error;

namespace {

// A group of dimension g.first becomes a dimension of its own, the last one.
Tensor grouped(const Tensor& t, const GroupingInfo& g) {
  const unsigned d = g.first;
  return t.reshapePartial(d, d + 1, {t.dim(d) / g.second, g.second}).dimRoll(d + 1, t.rank());
}

// The last dimension becomes groups of dimension g.first again.
Tensor ungrouped(const Tensor& t, const GroupingInfo& g) {
  return t.dimRoll(t.rank() - 1, g.first + 1).flatten(g.first, g.first + 2);
}

// [transpositions, elements of each].
Tensor transpositions(const Tensor& t) {
  const unsigned rank = t.rank();
  return t.flatten(rank - 2, rank).flatten(0, rank - 2);
}

bool isTransposable(const Type& type) {
  const std::array<Type, 7> types = {HALF,  FLOAT,          INT,    UNSIGNED_INT,
                                     SHORT, UNSIGNED_SHORT, QUARTER};
  return std::find(types.begin(), types.end(), type) != types.end();
}

void checkGrouping(const Tensor& t, const GroupingInfo& g, const char* which) {
  if (g.first < t.rank() && g.second != 0 && t.dim(g.first) % g.second == 0) return;
  throw poplibs_error(std::string("regroupTensor: expected the grouping '") + which +
                      "' to divide a dimension of " + t.shapeToString() + ", got groups of " +
                      std::to_string(g.second) + " in dimension " + std::to_string(g.first));
}

unsigned ceilDiv(std::size_t a, std::size_t b) { return static_cast<unsigned>((a + b - 1) / b); }

// Smaller groups where a part of the tiles would have nothing to transpose.
void splitGroups(const Graph& graph, const Tensor& t, GroupingInfo& from, GroupingInfo& to) {
  const unsigned grain = getMinimumRegroupGrainSize(t.elementType());
  if (to.second % grain != 0 || from.second % grain != 0) return;
  const Target& target = graph.getTarget();
  const unsigned tiles = target.getTilesPerIPU(), workers = target.getNumWorkerContexts();
  std::vector<std::size_t> on_ipu(target.getNumTiles() / tiles);
  const auto mapping = graph.getTileMapping(transpositions(grouped(grouped(t, to), from)));
  for (std::size_t tile = 0; tile < mapping.size(); ++tile) {
    for (const Interval& r : mapping[tile]) on_ipu[tile / tiles] += r.size();
  }
  const unsigned elements = from.second * to.second;
  const unsigned each = ceilDiv(*std::max_element(on_ipu.begin(), on_ipu.end()), elements);
  const unsigned factors = elements / (grain * grain);
  // The stride of a load is a field of 10 bits with a sign.
  const unsigned stride = std::max(from.second, to.second) / 4 * 3 - 1;
  const unsigned most = tiles * std::min(ceilDiv(stride, 511), workers);
  unsigned factor = 1;
  std::size_t least = SIZE_MAX;
  for (unsigned x = 1; x <= factors && each * std::size_t{x} <= most; ++x) {
    if (factors % x != 0) continue;
    const std::size_t cost =
        std::size_t{factors / x} * ceilDiv(ceilDiv(std::size_t{each} * x, tiles), workers);
    if (cost < least) {
      least = cost;
      factor = x;
    }
  }
  const unsigned of_from = std::gcd(factor, from.second / grain);
  from.second /= of_from;
  to.second /= std::gcd(factor / of_from, to.second / grain);
}

// Transpositions lie evenly over the tiles of the IPU that has their first element.
void mapTranspositions(Graph& graph, const Tensor& source, const Tensor& to) {
  const unsigned tiles = graph.getTarget().getTilesPerIPU();
  const auto mapping = graph.getTileMapping(source.slice(0, 1, 1));
  for (std::size_t first = 0; first < mapping.size(); first += tiles) {
    std::vector<Interval> here;
    for (std::size_t tile = first; tile < first + tiles; ++tile) {
      here.insert(here.end(), mapping[tile].begin(), mapping[tile].end());
    }
    std::sort(here.begin(), here.end());
    std::size_t n = 0, done = 0;
    for (const Interval& r : here) n += r.size();
    const std::size_t on_tile = std::max<std::size_t>(1, ceilDiv(n, tiles));
    for (const Interval& r : here) {
      for (std::size_t i = r.begin(); i < r.end();) {
        const std::size_t end = std::min(r.end(), i + on_tile - done % on_tile);
        graph.setTileMapping(to.slice(i, end), static_cast<unsigned>(first + done / on_tile));
        done += end - i;
        i = end;
      }
    }
  }
}

Tensor regroup(Graph& graph, const Tensor& t, std::vector<Copy>& copies, const ComputeSet& cs,
               GroupingInfo from, GroupingInfo to, const DebugContext& dc) {
  if (t.rank() <= 1) return t;
  if (!isTransposable(t.elementType())) {
    throw poplibs_error("regroupTensor: expected a type of 16 or 32 bits, got " +
                        t.elementType().toString());
  }
  checkGrouping(t, from, "from");
  checkGrouping(t, to, "to");
  if (t.numElements() == 0) return t;
  splitGroups(graph, t, from, to);
  const Tensor source = grouped(grouped(t, to), from);
  const Tensor before = graph.addVariable(t.elementType(), source.shape(), {dc, "preRegroup"});
  mapTranspositions(graph, transpositions(source), transpositions(before));
  copies.emplace_back(source, before, false, dc);
  return ungrouped(ungrouped(partialTranspose(graph, before, cs, dc), to), from);
}

// Whether both are groups that vertices transpose, of different dimensions.
bool differ(const Tensor& t, const GroupingInfo& from, const GroupingInfo& to) {
  const unsigned grain = getMinimumRegroupGrainSize(t.elementType());
  return from.first != to.first && from.second % grain == 0 && to.second % grain == 0;
}

Tensor inSequence(Graph& graph, const Tensor& t, Sequence& prog, const GroupingInfo& from,
                  const GroupingInfo& to, const DebugContext& dc) {
  const ComputeSet cs = graph.addComputeSet({dc, "transpose"});
  const Tensor out = regroupTensor(graph, t, prog, cs, from, to, dc);
  prog.add(Execute(cs, dc));
  return out;
}

}  // namespace

Tensor regroupTensor(Graph& graph, const Tensor& t, std::vector<Copy>& copies,
                     const ComputeSet& transposeCS, const GroupingInfo& from,
                     const GroupingInfo& to, const DebugContext& debugContext) {
  return regroup(graph, t, copies, transposeCS, from, to, {debugContext, "regroup"});
}

Tensor regroupTensor(Graph& graph, const Tensor& t, Sequence& copies, const ComputeSet& transposeCS,
                     const GroupingInfo& from, const GroupingInfo& to,
                     const DebugContext& debugContext) {
  std::vector<Copy> before;
  const Tensor out = regroupTensor(graph, t, before, transposeCS, from, to, debugContext);
  for (const Copy& copy : before) copies.add(copy);
  return out;
}

Tensor regroupIfPossible(Graph& graph, const Tensor& t, Sequence& prog, const GroupingInfo& to,
                         const DebugContext& debugContext) {
  if (t.rank() <= 1 || to.first >= t.rank() || to.second == 0 || t.dim(to.first) % to.second != 0) {
    return t;
  }
  const auto groupings = poputil::detectDimGroupings(graph, t);
  if (groupings.empty() || groupings[0].first == to.first ||
      groupings[0].second % getMinimumRegroupGrainSize(t.elementType()) != 0) {
    return t;
  }
  return inSequence(graph, t, prog, groupings[0], to, {debugContext, "regroupIfPossible"});
}

Tensor regroupIfBeneficial(Graph& graph, const Tensor& in, const Tensor& ref,
                           std::vector<Copy>& copies, ComputeSet transposeCS,
                           const DebugContext& debugContext) {
  if (in.rank() <= 1 || ref.rank() <= 1 || !isTransposable(in.elementType())) return in;
  if (in.shape() != ref.shape()) {
    throw poplibs_error("regroupIfBeneficial: expected a reference of the shape " +
                        in.shapeToString() + ", got " + ref.shapeToString());
  }
  const auto have = poputil::detectDimGroupings(graph, in);
  const auto want = poputil::detectDimGroupings(graph, ref);
  if (have.empty() || want.empty() || !differ(in, have[0], want[0])) return in;
  return regroup(graph, in, copies, transposeCS, have[0], want[0],
                 {debugContext, "regroupIfBeneficial"});
}

Tensor regroupIfBeneficial(Graph& graph, const Tensor& in, const Tensor& ref, Sequence& prog,
                           const DebugContext& debugContext) {
  std::vector<Copy> copies;
  const ComputeSet cs = graph.addComputeSet({debugContext, "transpose"});
  const Tensor out = regroupIfBeneficial(graph, in, ref, copies, cs, debugContext);
  for (const Copy& copy : copies) prog.add(copy);
  prog.add(Execute(cs, debugContext));
  return out;
}

Tensor regroupIfBeneficial(Graph& graph, const Tensor& in, std::size_t preferredGrouping,
                           Sequence& prog, const DebugContext& debugContext) {
  if (!isTransposable(in.elementType())) return in;
  if (in.rank() == 0 || preferredGrouping == 0 || in.dim(in.rank() - 1) % preferredGrouping != 0) {
    throw poplibs_error(
        "regroupIfBeneficial: expected a grouping that divides the last dimension of " +
        in.shapeToString() + ", got " + std::to_string(preferredGrouping));
  }
  const GroupingInfo to(in.rank() - 1, static_cast<unsigned>(preferredGrouping));
  const auto have = poputil::detectDimGroupings(graph, in);
  if (have.empty() || !differ(in, have[0], to)) return in;
  return inSequence(graph, in, prog, have[0], to, {debugContext, "regroupIfBeneficial"});
}

}  // namespace rearrange
}  // namespace popops
