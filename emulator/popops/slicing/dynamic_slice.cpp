#include <poplar/Interval.hpp>
#include <popops/DynamicSlice.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include "elementwise/map_program.hpp"
#include "slicing/slice_rows.hpp"

namespace popops {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;
using Shape = std::vector<std::size_t>;

namespace {

Shape sliceShape(Shape shape, const Shape& dims, const Shape& sizes, const char* operation) {
  if (dims.size() != sizes.size()) {
    throw poplibs_error(std::string(operation) + ": expected a size for each of the " +
                        std::to_string(dims.size()) + " dimensions, got " +
                        std::to_string(sizes.size()));
  }
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] >= shape.size() || sizes[i] > shape[dims[i]]) {
      throw poplibs_error(std::string(operation) +
                          ": expected sizes of slices that fit into the tensor, got " +
                          std::to_string(sizes[i]) + " along dimension " + std::to_string(dims[i]));
    }
    shape[dims[i]] = sizes[i];
  }
  return shape;
}

Tensor offsetOf(const Tensor& offset, std::size_t i) { return asOffsets(offset).slice(i, i + 1); }

// As poplibs names what works along one dimension.
DebugContext along(const DebugContext& dc, const char* name, std::size_t dim) {
  return {dc, name + std::to_string(dim)};
}

// [size along dim, rest]
Tensor rolled(const Tensor& t, std::size_t dim) {
  const Tensor r = t.dimRoll(static_cast<unsigned>(dim));
  return r.reshape({r.dim(0), r.dim(0) == 0 ? 0 : r.numElements() / r.dim(0)});
}

// Moves between `t` and `slice`, a window of it along `dim`, of any length there.
void moveSlice(Graph& graph, const SliceVertex& vertex, const Tensor& t, const Tensor& slice,
               const Tensor& offset, std::size_t dim, bool wraps, Sequence& prog,
               const DebugContext& dc) {
  const ComputeSet cs = graph.addComputeSet(dc);
  addSliceVertices(graph, vertex, asBits(t), dim, rolled(asBits(slice), dim), offset, cs,
                   [&](const VertexRef& v) { graph.setInitialValue(v["wraps"], wraps); });
  prog.add(Execute(cs, dc));
}

// A new tensor for a slice of `size` along `dim`: each row mapped as the first of `t`.
Tensor sliceOutput(Graph& graph, const Tensor& t, std::size_t dim, std::size_t size,
                   const DebugContext& dc) {
  Shape shape = t.dimRoll(static_cast<unsigned>(dim)).shape();
  shape[0] = size;
  const Tensor out = graph.addVariable(t.elementType(), shape, {dc, "slice"});
  const auto mapping = graph.getTileMapping(t.dimRoll(static_cast<unsigned>(dim))[0]);
  for (std::size_t i = 0; i < size; ++i) graph.setTileMapping(out[i], mapping);
  return out.dimRoll(0, static_cast<unsigned>(dim));
}

// A new tensor with the slice along `dim`.
Tensor sliceAlong(Graph& graph, const Tensor& t, const Tensor& offset, std::size_t dim,
                  std::size_t size, bool wraps, Sequence& prog, const DebugContext& dc) {
  const Tensor out = sliceOutput(graph, t, dim, size, dc);
  const std::string type = templateVertex("popops::Slice", sizeType(t.elementType()));
  moveSlice(graph, {"dynamicSlice", type, "out"}, t, out, offset, dim, wraps, prog, {dc, "slice"});
  return out;
}

}  // namespace

Graph::TileToTensorMapping getSliceMapping(Graph& graph, const Tensor& t, const Shape& dims,
                                           const Shape& sizes) {
  sliceShape(t.shape(), dims, sizes, "getSliceMapping");
  Tensor s = t;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    s = s.slice(0, sizes[i], static_cast<unsigned>(dims[i]));
  }
  return graph.getTileMapping(s);
}

Tensor dynamicSlice(Graph& graph, const Tensor& t, const Tensor& offset, const Shape& dims,
                    const Shape& sizes, Sequence& prog, const DebugContext& debugContext,
                    const OptionFlags& options) {
  sliceShape(t.shape(), dims, sizes, "dynamicSlice");
  checkOffsets(offset, dims.size(), "dynamicSlice");
  const OffsetOptions offsets(options);
  const bool wraps = offsets.remap || !offsets.padding;
  Tensor s = t;
  for (std::size_t i : sliceOrder(t.shape(), dims, sizes)) {
    s = sliceAlong(graph, s, offsetOf(offset, i), dims[i], sizes[i], wraps, prog,
                   along(debugContext, "dynamicSlice_d", dims[i]));
  }
  if (dims.empty()) {
    const DebugContext dc(debugContext, "dynamicSlice");
    s = graph.clone(t, {dc, "slice"});
    prog.add(Copy(t, s, false, dc));
  }
  if (t.hasMetadata()) prog.add(Copy(t.getMetadata(), s.getMetadata()));
  return s;
}

Tensor createDynamicSliceOutput(Graph& graph, const Tensor& t, const Tensor& offset,
                                const Shape& dims, const Shape& sizes,
                                const DebugContext& debugContext, const OptionFlags&) {
  sliceShape(t.shape(), dims, sizes, "createDynamicSliceOutput");
  checkOffsets(offset, dims.size(), "createDynamicSliceOutput");
  Tensor s = t;
  for (std::size_t i : sliceOrder(t.shape(), dims, sizes)) {
    s = sliceOutput(graph, s, dims[i], sizes[i], debugContext);
  }
  return dims.empty() ? graph.clone(t, debugContext) : s;
}

void dynamicSliceWithOutput(Graph& graph, const Tensor& output, const Tensor& t,
                            const Tensor& offset, const Shape& dims, const Shape& sizes,
                            Sequence& prog, const DebugContext& debugContext,
                            const OptionFlags& options) {
  if (output.shape() != sliceShape(t.shape(), dims, sizes, "dynamicSliceWithOutput")) {
    throw poplibs_error("dynamicSliceWithOutput: expected an output of the shape of a slice, got " +
                        output.shapeToString());
  }
  const Tensor s = dynamicSlice(graph, t, offset, dims, sizes, prog, debugContext, options);
  prog.add(Copy(s, output, false, debugContext));
}

void dynamicUpdate(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offset,
                   const Shape& dims, const Shape& sizes, Sequence& prog,
                   const DebugContext& debugContext, const OptionFlags&) {
  const DebugContext dc(debugContext, "dynamicUpdate");
  if (s.shape() != sliceShape(t.shape(), dims, sizes, "dynamicUpdate") ||
      s.elementType() != t.elementType()) {
    throw poplibs_error("dynamicUpdate: expected a slice of the shape and type of one of " +
                        t.shapeToString() + ", got " + s.shapeToString() + " of " +
                        s.elementType().toString());
  }
  if (dims.empty()) {
    prog.add(Copy(s, t, false, dc));
    return;
  }
  checkOffsets(offset, dims.size(), "dynamicUpdate");
  if (s.numElements() == 0) return;
  const std::vector<std::size_t> order = sliceOrder(t.shape(), dims, sizes);
  // The slices along all dimensions but the last one; then each is written into the one before.
  std::vector<Tensor> windows{t};
  for (std::size_t k = 0; k + 1 < order.size(); ++k) {
    const std::size_t i = order[k];
    windows.push_back(sliceAlong(graph, windows[k], offsetOf(offset, i), dims[i], sizes[i], true,
                                 prog, along(debugContext, "dynamicUpdateS_d", dims[i])));
  }
  windows.push_back(s);
  const std::string type = templateVertex("popops::Update", sizeType(t.elementType()));
  for (std::size_t k = order.size(); k-- != 0;) {
    const std::size_t i = order[k];
    moveSlice(graph, {"dynamicUpdate", type, "in"}, windows[k], windows[k + 1], offsetOf(offset, i),
              dims[i], true, prog, along(debugContext, "dynamicUpdateU_d", dims[i]));
  }
}

}  // namespace popops
