#include <numeric>
#include <popops/ElementWise.hpp>
#include <popops/Encoding.hpp>
#include <poputil/TileMapping.hpp>

#include "encoding/class_indices.hpp"

namespace popops {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;

namespace {

// The numbers lie where they go.
template <class T>
void fillAscending(Graph& graph, const Tensor& t, const Type& type, T start, Sequence& prog,
                   const DebugContext& dc) {
  if (t.rank() > 1 || t.elementType() != type) {
    throw poplibs_error("iota: expected a tensor of rank 1 or 0 of " + type.toString() + ", got " +
                        t.shapeToString() + " of " + t.elementType().toString());
  }
  if (t.numElements() == 0) return;
  std::vector<T> values(t.numElements());
  std::iota(values.begin(), values.end(), start);
  const Tensor numbers = graph.addConstant<T>(type, t.shape(), values, {dc, "iota"});
  graph.setTileMapping(numbers, graph.getTileMapping(t));
  prog.add(Copy(numbers, t, false, dc));
}

void encode(Graph& graph, const Tensor& indices, const Tensor& encoded, const expr::Expr& e,
            const std::vector<Tensor>& ts, Sequence& prog, const DebugContext& dc) {
  const Tensor labels = labelColumn(indices, encoded, "encodeOneHot");
  std::vector<Tensor> inputs = {labels, classIndices(graph, encoded.dim(1), dc)};
  inputs.insert(inputs.end(), ts.begin(), ts.end());
  mapWithOutput(graph, e, inputs, encoded, prog, {dc, "encodeOneHot"});
}

}  // namespace

Tensor classIndices(Graph& graph, std::size_t n, const DebugContext& dc) {
  std::vector<unsigned> values(n);
  std::iota(values.begin(), values.end(), 0u);
  const Tensor out = graph.addConstant<unsigned>(UNSIGNED_INT, {n}, values, {dc, "classes"});
  mapTensorLinearly(graph, out);
  return out;
}

Tensor labelColumn(const Tensor& labels, const Tensor& rows, const char* operation) {
  const Type type = labels.elementType();
  if (rows.rank() != 2 || labels.rank() != 1 || labels.dim(0) != rows.dim(0)) {
    throw poplibs_error(std::string(operation) +
                        ": expected an index [N] for each row [N, C], got " +
                        labels.shapeToString() + " and " + rows.shapeToString());
  }
  if (type != UNSIGNED_INT && type != INT) {
    throw poplibs_error(std::string(operation) +
                        ": expected indices of type unsigned int or int, got " + type.toString());
  }
  return labels.reinterpret(UNSIGNED_INT).expand({1});
}

void encodeOneHot(Graph& graph, const Tensor& indices, const Tensor& encoded, Sequence& prog,
                  const DebugContext& debugContext) {
  using namespace expr;
  encode(graph, indices, encoded, Cast(Equal(_1, _2), encoded.elementType()), {}, prog,
         debugContext);
}

void encodeOneHot(Graph& graph, const Tensor& indices, const Tensor& encoded, Sequence& prog,
                  const Tensor& on, const Tensor& off, const DebugContext& debugContext) {
  if (on.numElements() != 1 || off.numElements() != 1) {
    throw poplibs_error("encodeOneHot: expected on and off of one element each, got " +
                        on.shapeToString() + " and " + off.shapeToString());
  }
  using namespace expr;
  encode(graph, indices, encoded, Select(_3, _4, Equal(_1, _2)), {on.reshape({}), off.reshape({})},
         prog, debugContext);
}

void iota(Graph& graph, const Tensor& t, unsigned startInteger, Sequence& prog,
          const DebugContext& debugContext) {
  fillAscending(graph, t, UNSIGNED_INT, startInteger, prog, debugContext);
}

void iota(Graph& graph, const Tensor& t, int startInteger, Sequence& prog,
          const DebugContext& debugContext) {
  fillAscending(graph, t, INT, startInteger, prog, debugContext);
}

}  // namespace popops
