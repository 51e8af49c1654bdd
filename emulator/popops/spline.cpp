// B-splines on graphs: the functions at the coordinates of edges, and sums weighted by them.
#include <algorithm>
#include <popops/SplineBasis.hpp>
#include <popops/SplineWeighting.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

using namespace poplar;
using namespace poplar::program;
using Shape = std::vector<std::size_t>;

namespace {

std::string text(const Shape& shape) {
  std::string out;
  for (std::size_t d : shape) out += (out.empty() ? "" : ",") + std::to_string(d);
  return "{" + out + "}";
}

void check(const char* operation, const char* name, const Tensor& t, const Shape& shape,
           const Type& type) {
  if (t.shape() == shape && t.elementType() == type) return;
  throw poputil::poplibs_error(std::string(operation) + ": " + name + ": expected " + text(shape) +
                               " of " + type.toString() + ", got " + t.shapeToString() + " of " +
                               t.elementType().toString());
}

void checkRank(const char* operation, const char* name, const Tensor& t, unsigned rank) {
  if (t.rank() == rank) return;
  throw poputil::poplibs_error(std::string(operation) + ": " + name + ": expected rank " +
                               std::to_string(rank) + ", got " + t.shapeToString());
}

void checkFloating(const char* operation, const char* name, const Tensor& t) {
  if (t.elementType() == FLOAT || t.elementType() == HALF) return;
  throw poputil::poplibs_error(std::string(operation) + ": " + name +
                               ": expected a type of float or half, got " +
                               t.elementType().toString());
}

// Columns of a row.
struct Range {
  std::size_t row, begin, end;
};

// [tile]: the ranges of `t` that lie there. One vertex has them all: two could write to one word.
std::vector<std::vector<Range>> rangesOf(const Graph& graph, const Tensor& t) {
  std::vector<std::vector<Range>> out(graph.getTarget().getNumTiles());
  const std::size_t n = t.dim(1);
  const auto mapping = graph.getTileMapping(t);
  for (std::size_t tile = 0; tile < mapping.size(); ++tile) {
    for (const Interval& r : mapping[tile]) {
      for (std::size_t at = r.begin(); at < r.end();) {
        const std::size_t end = std::min(r.end(), (at / n + 1) * n);
        out[tile].push_back({at / n, at % n, end - at / n * n});
        at = end;
      }
    }
  }
  return out;
}

// The rows, or the ranges, of `t` that ranges name.
std::vector<Tensor> rowsOf(const Tensor& t, const std::vector<Range>& ranges) {
  std::vector<Tensor> out;
  for (const Range& r : ranges) out.push_back(t[r.row]);
  return out;
}
std::vector<Tensor> slicesOf(const Tensor& t, const std::vector<Range>& ranges) {
  std::vector<Tensor> out;
  for (const Range& r : ranges) out.push_back(t[r.row].slice(r.begin, r.end));
  return out;
}
std::vector<unsigned> beginsOf(const std::vector<Range>& ranges) {
  std::vector<unsigned> out;
  for (const Range& r : ranges) out.push_back(static_cast<unsigned>(r.begin));
  return out;
}

}  // namespace

void splineBasis(Graph& graph, const Tensor& pseudo, const Tensor& kernelSize,
                 const Tensor& isOpenSpline, const Tensor& basis, const Tensor& weightIndex,
                 unsigned degree, Sequence& prog, const DebugContext& debugContext) {
  const char* const op = "splineBasis";
  checkRank(op, "pseudo", pseudo, 2);
  checkFloating(op, "pseudo", pseudo);
  const std::size_t edges = pseudo.dim(0), dims = pseudo.dim(1);
  check(op, "kernelSize", kernelSize, {dims}, INT);
  check(op, "isOpenSpline", isOpenSpline, {dims}, UNSIGNED_CHAR);
  if (degree < 1 || degree > 3) {
    throw poputil::poplibs_error("splineBasis: expected a degree of 1, 2 or 3, got " +
                                 std::to_string(degree));
  }
  std::size_t splines = 1;
  for (std::size_t d = 0; d < dims; ++d) splines *= degree + 1;
  check(op, "basis", basis, {edges, splines}, pseudo.elementType());
  check(op, "weightIndex", weightIndex, {edges, splines}, INT);

  const ComputeSet cs = graph.addComputeSet({debugContext, op});
  const std::string type = poputil::templateVertex("popops::SplineBasis", pseudo.elementType());
  const auto ranges = rangesOf(graph, basis);
  for (unsigned tile = 0; tile < ranges.size(); ++tile) {
    if (ranges[tile].empty()) continue;
    const VertexRef v = graph.addVertex(cs, type,
                                        {{"pseudo", rowsOf(pseudo, ranges[tile])},
                                         {"kernelSize", kernelSize},
                                         {"isOpenSpline", isOpenSpline},
                                         {"basis", slicesOf(basis, ranges[tile])},
                                         {"weightIndex", slicesOf(weightIndex, ranges[tile])}});
    graph.setInitialValue(v["begins"], beginsOf(ranges[tile]));
    graph.setInitialValue(v["degree"], degree);
    graph.setTileMapping(v, tile);
  }
  prog.add(Execute(cs, {debugContext, op}));
}

Tensor splineWeighting(Graph& graph, const Tensor& input, const Tensor& weight, const Tensor& basis,
                       const Tensor& weightIndex, Sequence& prog,
                       const DebugContext& debugContext) {
  const char* const op = "splineWeighting";
  checkRank(op, "input", input, 2);
  checkFloating(op, "input", input);
  checkRank(op, "weight", weight, 3);
  checkRank(op, "basis", basis, 2);
  const Type type = input.elementType();
  const std::size_t edges = input.dim(0), splines = basis.dim(1), outputs = weight.dim(2);
  check(op, "weight", weight, {weight.dim(0), input.dim(1), outputs}, type);
  check(op, "basis", basis, {edges, splines}, type);
  check(op, "weightIndex", weightIndex, {edges, splines}, INT);

  const Tensor out = graph.addVariable(type, {edges, outputs}, {debugContext, op});
  poputil::mapTensorLinearly(graph, out);
  const ComputeSet cs = graph.addComputeSet({debugContext, op});
  const std::string vertex = poputil::templateVertex("popops::SplineWeighting", type);
  const auto ranges = rangesOf(graph, out);
  for (unsigned tile = 0; tile < ranges.size(); ++tile) {
    if (ranges[tile].empty()) continue;
    const VertexRef v = graph.addVertex(cs, vertex,
                                        {{"input", rowsOf(input, ranges[tile])},
                                         {"basis", rowsOf(basis, ranges[tile])},
                                         {"weightIndex", rowsOf(weightIndex, ranges[tile])},
                                         {"weight", weight.flatten()},
                                         {"output", slicesOf(out, ranges[tile])}});
    graph.setInitialValue(v["begins"], beginsOf(ranges[tile]));
    graph.setInitialValue(v["outputs"], static_cast<unsigned>(outputs));
    graph.setTileMapping(v, tile);
  }
  prog.add(Execute(cs, {debugContext, op}));
  return out;
}

}  // namespace popops
