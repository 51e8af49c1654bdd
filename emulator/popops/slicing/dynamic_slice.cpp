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

// [size along dim, rest]
Tensor rolled(const Tensor& t, std::size_t dim) {
  const Tensor r = t.dimRoll(static_cast<unsigned>(dim));
  return r.reshape({r.dim(0), r.dim(0) == 0 ? 0 : r.numElements() / r.dim(0)});
}

// Moves between `t` and `slice`, a window of it along `dim`, of any length there.
void moveSlice(Graph& graph, const SliceVertex& vertex, const Tensor& t, const Tensor& slice,
               const Tensor& offset, std::size_t dim, Sequence& prog, const DebugContext& dc) {
  const ComputeSet cs = graph.addComputeSet(dc);
  addSliceVertices(graph, vertex, asBits(t), dim, rolled(asBits(slice), dim), offset, cs,
                   [&](const VertexRef& v) { graph.setInitialValue(v["wraps"], true); });
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
                    const OptionFlags&) {
  const DebugContext dc(debugContext, "dynamicSlice");
  sliceShape(t.shape(), dims, sizes, "dynamicSlice");
  checkOffsets(offset, dims.size(), "dynamicSlice");
  const Type bits = sizeType(t.elementType());
  Tensor s = t;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const Tensor out = sliceOutput(graph, s, dims[i], sizes[i], dc);
    moveSlice(graph, {"dynamicSlice", templateVertex("popops::Slice", bits), "out"}, s, out,
              offsetOf(offset, i), dims[i], prog, dc);
    s = out;
  }
  if (dims.empty()) {
    s = graph.clone(t, {dc, "slice"});
    prog.add(Copy(t, s, false, dc));
  }
  return s;
}

Tensor createDynamicSliceOutput(Graph& graph, const Tensor& t, const Tensor& offset,
                                const Shape& dims, const Shape& sizes,
                                const DebugContext& debugContext, const OptionFlags&) {
  sliceShape(t.shape(), dims, sizes, "createDynamicSliceOutput");
  checkOffsets(offset, dims.size(), "createDynamicSliceOutput");
  Tensor s = t;
  for (std::size_t i = 0; i < dims.size(); ++i) {
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
                   const DebugContext& debugContext, const OptionFlags& options) {
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
  const Tensor first = offsetOf(offset, 0);
  Tensor window = s;
  if (dims.size() > 1) {
    // The slice along the first dimension, with the other dimensions written into it.
    window = dynamicSlice(graph, t, first, {dims[0]}, {sizes[0]}, prog, dc, options);
    dynamicUpdate(graph, window, s, offset.flatten().slice(1, dims.size()),
                  Shape(dims.begin() + 1, dims.end()), Shape(sizes.begin() + 1, sizes.end()), prog,
                  dc, options);
  }
  const std::string type = templateVertex("popops::Update", sizeType(t.elementType()));
  moveSlice(graph, {"dynamicUpdate", type, "in"}, t, window, first, dims[0], prog, dc);
}

}  // namespace popops
