#include <poplar/emulator/Sizes.hpp>
#include <popops/Sort.hpp>
#include <popops/TopK.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include "elementwise/map_program.hpp"

namespace popops {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;
using Shape = std::vector<std::size_t>;

namespace {

std::size_t rowsOf(const Shape& shape) {
  std::size_t n = 1;
  for (std::size_t i = 0; i + 1 < shape.size(); ++i) n *= shape[i];
  return n;
}

// Rows go round the tiles.
unsigned tileOf(const Graph& graph, std::size_t row) {
  return static_cast<unsigned>(row % graph.getTarget().getNumTiles());
}

// A variable of rows of length `n`, each on its tile.
Tensor addRows(Graph& graph, const Type& type, std::size_t rows, std::size_t n,
               const DebugContext& dc) {
  const Tensor t = graph.addVariable(type, {rows, n}, dc);
  for (std::size_t r = 0; r < rows; ++r) graph.setTileMapping(t[r], tileOf(graph, r));
  return t;
}

// Indices along the last dimension: [rows, k].
Tensor addIndices(Graph& graph, Sequence& prog, const Tensor& keys, unsigned k, bool largest,
                  const DebugContext& dc) {
  const Type type = keys.elementType();
  if (type != FLOAT && type != HALF && type != INT && type != UNSIGNED_INT) {
    throw poplibs_error("topK: expected keys of type float, half, int or unsigned int, got " +
                        type.toString());
  }
  if (keys.rank() == 0 || k > keys.dim(keys.rank() - 1)) {
    throw poplibs_error("topK: expected k of at most the last dimension of " +
                        keys.shapeToString() + ", got " + std::to_string(k));
  }
  const std::size_t rows = rowsOf(keys.shape()), n = keys.dim(keys.rank() - 1);
  const Tensor flat = keys.reshape({rows, n});
  const Tensor out = addRows(graph, UNSIGNED_INT, rows, k, {dc, "indices"});
  const Tensor scratch = addRows(graph, UNSIGNED_INT, rows, 2 * n, {dc, "scratch"});
  const ComputeSet cs = graph.addComputeSet({dc, "order"});
  for (std::size_t r = 0; r < rows && k != 0; ++r) {
    const VertexRef v =
        graph.addVertex(cs, templateVertex("popops::TopKIndices", type),
                        {{"keys", flat[r]}, {"indices", out[r]}, {"scratch", scratch[r]}});
    graph.setInitialValue(v["largest"], largest);
    graph.setTileMapping(v, tileOf(graph, r));
  }
  prog.add(Execute(cs, dc));
  return out;
}

// The elements of `t` [..., n] at `indices` [rows, k]: [rows, k].
Tensor permute(Graph& graph, Sequence& prog, const Tensor& t, const Tensor& indices,
               const DebugContext& dc) {
  const std::size_t rows = indices.dim(0), k = indices.dim(1);
  const Tensor out = addRows(graph, t.elementType(), rows, k, {dc, "out"});
  const Tensor from = asBits(t.reshape({rows, t.dim(t.rank() - 1)})), to = asBits(out);
  const ComputeSet cs = graph.addComputeSet({dc, "permute"});
  for (std::size_t r = 0; r < rows && k != 0; ++r) {
    const VertexRef v = graph.addVertex(cs, templateVertex("popops::Permute", to.elementType()),
                                        {{"in", from[r]}, {"indices", indices[r]}, {"out", to[r]}});
    graph.setTileMapping(v, tileOf(graph, r));
  }
  prog.add(Execute(cs, dc));
  return out;
}

Shape shapeOf(const Tensor& t, unsigned k) {
  Shape shape = t.shape();
  shape.back() = k;
  return shape;
}

// Indices for `params`: they come with the best first.
Tensor ordered(Graph& graph, Sequence& prog, const Tensor& keys, const TopKParams& params,
               const DebugContext& dc) {
  const Tensor indices = addIndices(graph, prog, keys, params.k, params.largest, dc);
  const bool descending = params.sortOrder == SortOrder::DESCENDING;
  const bool reversed = params.sortOrder != SortOrder::NONE && descending != params.largest;
  return reversed ? indices.reverse(1) : indices;
}

void checkSort(const Tensor& k, const Tensor& v, unsigned dim, const char* operation) {
  if (dim >= k.rank() || k.shape() != v.shape()) {
    throw poplibs_error(std::string(operation) + ": expected tensors of one shape with dimension " +
                        std::to_string(dim) + ", got " + k.shapeToString() + " and " +
                        v.shapeToString());
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const SortOrder& order) {
  static const char* const names[] = {"NONE", "ASCENDING", "DESCENDING"};
  return out << names[static_cast<unsigned>(order)];
}

std::ostream& operator<<(std::ostream& out, const TopKParams& p) {
  return out << "{k=" << p.k << ", largest=" << (p.largest ? "true" : "false")
             << ", sortOrder=" << p.sortOrder << "}";
}

Tensor createTopKInput(Graph& graph, const Type& type, const Shape& shape, const TopKParams&,
                       const DebugContext& debugContext) {
  if (shape.empty()) throw poplibs_error("createTopKInput: expected at least one dimension");
  emulator::checkedElements("createTopKInput", shape);
  return addRows(graph, type, rowsOf(shape), shape.back(), debugContext).reshape(shape);
}

Tensor topK(Graph& graph, Sequence& prog, const Tensor& t, const TopKParams& params,
            const DebugContext& debugContext) {
  return topKWithPermutation(graph, prog, t, params, debugContext).first;
}

std::pair<Tensor, Tensor> topKKeyValue(Graph& graph, Sequence& prog, const Tensor& keys,
                                       const Tensor& values, const TopKParams& params,
                                       const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "topK");
  if (keys.shape() != values.shape()) {
    throw poplibs_error("topKKeyValue: expected keys and values of one shape, got " +
                        keys.shapeToString() + " and " + values.shapeToString());
  }
  const Tensor indices = ordered(graph, prog, keys, params, dc);
  const Shape shape = shapeOf(keys, params.k);
  return {permute(graph, prog, keys, indices, dc).reshape(shape),
          permute(graph, prog, values, indices, dc).reshape(shape)};
}

std::pair<Tensor, Tensor> topKWithPermutation(Graph& graph, Sequence& prog, const Tensor& t,
                                              const TopKParams& params,
                                              const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "topK");
  const Tensor indices = ordered(graph, prog, t, params, dc);
  const Shape shape = shapeOf(t, params.k);
  return {permute(graph, prog, t, indices, dc).reshape(shape), indices.reshape(shape)};
}

Tensor sortKeyValue(Graph& graph, const Tensor& k, const Tensor& v, unsigned dim, Sequence& prog,
                    const DebugContext& debugContext) {
  checkSort(k, v, dim, "sortKeyValue");
  const DebugContext dc(debugContext, "sort");
  const unsigned last = k.rank() - 1;
  const Tensor keys = k.dimRoll(dim, last), values = v.dimRoll(dim, last);
  const unsigned n = static_cast<unsigned>(k.dim(dim));
  const Tensor indices = addIndices(graph, prog, keys, n, false, dc);
  return permute(graph, prog, values, indices, dc).reshape(values.shape()).dimRoll(last, dim);
}

Tensor sort(Graph& graph, const Tensor& t, unsigned dim, Sequence& prog,
            const DebugContext& debugContext) {
  return sortKeyValue(graph, t, t, dim, prog, debugContext);
}

void sortInPlace(Graph& graph, const Tensor& t, unsigned dim, Sequence& prog,
                 const DebugContext& debugContext) {
  prog.add(Copy(sort(graph, t, dim, prog, debugContext), t, false, debugContext));
}

void sortKeyValueInPlace(Graph& graph, const Tensor& k, const Tensor& v, unsigned dim,
                         Sequence& prog, const DebugContext& debugContext) {
  const Tensor values = sortKeyValue(graph, k, v, dim, prog, debugContext);
  sortInPlace(graph, k, dim, prog, debugContext);
  prog.add(Copy(values, v, false, debugContext));
}

}  // namespace popops
