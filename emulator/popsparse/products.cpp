#include "products.hpp"

#include <algorithm>
#include <popops/Cast.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/Loop.hpp>
#include <popops/Reduce.hpp>
#include <popops/Zero.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>
#include <string>

namespace popsparse {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;

namespace {

std::size_t ceilDivide(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// `count` elements in `ranges` ranges of equal size but the last one.
Interval rangeOf(std::size_t index, std::size_t ranges, std::size_t count) {
  const std::size_t each = ceilDivide(count, ranges);
  return {std::min(index * each, count), std::min((index + 1) * each, count)};
}

void connect(Graph& graph, const VertexRef& v, const Layout& layout, const Tensor& bucket,
             std::size_t columns, unsigned tile) {
  graph.connect(v["bucket"], bucket);
  graph.setInitialValue(v["block_rows"], static_cast<unsigned>(layout.block[0]));
  graph.setInitialValue(v["block_columns"], static_cast<unsigned>(layout.block[1]));
  graph.setInitialValue(v["columns"], static_cast<unsigned>(columns));
  graph.setTileMapping(v, tile);
}

// Calls each(bucket index, program) for every bucket: there is no loop around a single one.
template <class Each>
void forBuckets(Graph& graph, const Layout& layout, Sequence& prog, const DebugContext& dc,
                const Each& each) {
  if (layout.buckets == 1) {
    each(Tensor(), prog);
    return;
  }
  prog.add(popops::countedLoop(
      graph, layout.buckets,
      [&](const Tensor& index) {
        Sequence body;
        each(index, body);
        return body;
      },
      dc));
}

// Row `index` of `t` as [buckets, ...].
Tensor rowOf(Graph& graph, const Tensor& t, std::size_t rows, const Tensor& index, Sequence& prog,
             const DebugContext& dc) {
  const Tensor all = t.reshape({rows, t.numElements() / rows});
  if (!index.valid()) return all[0];
  return popops::dynamicSlice(graph, all, index, {0}, {1}, prog, dc).squeeze({0});
}

}  // namespace

void checkOperand(const Tensor& t, std::size_t rows, std::size_t columns, const char* operation) {
  if (t.rank() != 2 || t.dim(0) != rows || (columns != 0 && t.dim(1) != columns) ||
      (t.elementType() != FLOAT && t.elementType() != HALF)) {
    throw poplibs_error(std::string(operation) +
                        ": expected a dense operand of float or half with " + std::to_string(rows) +
                        " rows, got " + t.shapeToString() + " of " + t.elementType().toString());
  }
}

Tensor addProduct(Graph& graph, const Layout& layout, const Tensor& meta, const Tensor& values,
                  const Tensor& x, bool transposed, Sequence& prog, const DebugContext& dc) {
  const std::size_t rows = transposed ? layout.columns : layout.rows, columns = x.dim(1);
  const std::size_t tiles = graph.getTarget().getNumTiles();
  const std::size_t across = std::max<std::size_t>(std::min(columns, tiles), 1),
                    down = std::max<std::size_t>(std::min(rows, tiles / across), 1);
  const Tensor sums = graph.addVariable(FLOAT, {rows, columns}, {dc, "sums"});
  for (std::size_t d = 0; d < down; ++d) {
    for (std::size_t a = 0; a < across; ++a) {
      graph.setTileMapping(
          sums.slice(rangeOf(d, down, rows), 0).slice(rangeOf(a, across, columns), 1),
          static_cast<unsigned>(d * across + a));
    }
  }
  popops::zero(graph, sums, prog, dc);
  forBuckets(graph, layout, prog, dc, [&](const Tensor& index, Sequence& body) {
    const Tensor bucket = rowOf(graph, meta, layout.buckets, index, body, dc),
                 row = rowOf(graph, values, layout.buckets, index, body, dc);
    const ComputeSet cs = graph.addComputeSet({dc, "products"});
    for (std::size_t d = 0; d < down; ++d) {
      for (std::size_t a = 0; a < across; ++a) {
        const Interval r = rangeOf(d, down, rows), c = rangeOf(a, across, columns);
        if (r.size() == 0 || c.size() == 0) continue;
        const VertexRef v =
            graph.addVertex(cs, templateVertex("popsparse::SparseDense", x.elementType()));
        connect(graph, v, layout, bucket, c.size(), static_cast<unsigned>(d * across + a));
        graph.connect(v["values"], row);
        graph.connect(v["operand"], x.slice(c, 1).flatten());
        graph.connect(v["out"], sums.slice(r, 0).slice(c, 1).flatten());
        graph.setInitialValue(v["first"], static_cast<unsigned>(r.begin()));
        graph.setInitialValue(v["transposed"], transposed);
      }
    }
    body.add(Execute(cs, dc));
  });
  return x.elementType() == FLOAT ? sums : popops::cast(graph, sums, x.elementType(), prog, dc);
}

Tensor addGradient(Graph& graph, const Layout& layout, const Tensor& meta, const Tensor& left,
                   const Tensor& right, Sequence& prog, const DebugContext& dc) {
  const std::size_t columns = left.dim(1), values = layout.valueElements();
  const std::size_t splits =
      std::max<std::size_t>(std::min<std::size_t>(columns, graph.getTarget().getNumTiles()), 1);
  const Tensor out =
      graph.addVariable(left.elementType(), {layout.buckets, values}, {dc, "gradient"});
  mapTensorLinearly(graph, out);
  forBuckets(graph, layout, prog, dc, [&](const Tensor& index, Sequence& body) {
    const Tensor bucket = rowOf(graph, meta, layout.buckets, index, body, dc);
    const Tensor sums = graph.addVariable(FLOAT, {splits, values}, {dc, "sums"});
    const ComputeSet cs = graph.addComputeSet({dc, "products"});
    for (std::size_t p = 0; p < splits; ++p) {
      const Interval c = rangeOf(p, splits, columns);
      const VertexRef v =
          graph.addVertex(cs, templateVertex("popsparse::SparseGradient", left.elementType()));
      connect(graph, v, layout, bucket, c.size(), static_cast<unsigned>(p));
      graph.connect(v["left"], left.slice(c, 1).flatten());
      graph.connect(v["right"], right.slice(c, 1).flatten());
      graph.connect(v["out"], sums[p]);
      graph.setTileMapping(sums[p], static_cast<unsigned>(p));
    }
    body.add(Execute(cs, dc));
    const Tensor sum =
        popops::reduce(graph, sums, left.elementType(), {0}, popops::Operation::ADD, body, dc);
    if (index.valid()) {
      popops::dynamicUpdate(graph, out, sum.expand({0}), index, {0}, {1}, body, dc);
    } else {
      body.add(Copy(sum, out[0], false, dc));
    }
  });
  return out.flatten();
}

}  // namespace popsparse
