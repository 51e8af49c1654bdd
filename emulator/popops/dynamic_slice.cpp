#include <poplar/Interval.hpp>
#include <popops/DynamicSlice.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include "map_program.hpp"
#include "slice_rows.hpp"

namespace popops {

using poplar::ComputeSet;
using poplar::DebugContext;
using poplar::Graph;
using poplar::Interval;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::Type;
using poplar::VertexRef;
using poplar::program::Copy;
using poplar::program::Execute;
using poplar::program::Sequence;
using poputil::poplibs_error;
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

void checkOffset(const Tensor& offset, const Shape& dims, const char* operation) {
  const Type type = offset.elementType();
  if ((type != poplar::UNSIGNED_INT && type != poplar::INT) ||
      offset.numElements() != dims.size()) {
    throw poplibs_error(std::string(operation) + ": expected an offset of " +
                        std::to_string(dims.size()) + " integers, got " + offset.shapeToString() +
                        " of " + type.toString());
  }
}

Tensor offsetOf(const Tensor& offset, std::size_t i) {
  return offset.flatten().slice(i, i + 1).reinterpret(poplar::UNSIGNED_INT);
}

// One vertex for each part of a tile, of type `vertex`, with `other` [sizes, rest] in `field`.
void addVertices(Graph& graph, const char* vertex, const char* field, const SliceRows& from,
                 const Tensor& other, const Tensor& offset, Sequence& prog,
                 const DebugContext& dc) {
  const ComputeSet cs = graph.addComputeSet(dc);
  const std::string type = poputil::templateVertex(vertex, other.elementType());
  for (unsigned tile = 0; tile < from.mapping().size(); ++tile) {
    for (const Interval& region : from.mapping()[tile]) {
      const VertexRef v = graph.addVertex(cs, type);
      const std::vector<Tensor> base = from.base(region), part = rows(other, region);
      graph.connect(v["base"], poplar::ArrayRef<Tensor>(base));
      graph.connect(v["offsets"], offset);
      graph.connect(v[field], poplar::ArrayRef<Tensor>(part));
      graph.setInitialValue(v["entries"], static_cast<unsigned>(from.entries()));
      graph.setInitialValue(v["wraps"], true);
      graph.setTileMapping(v, tile);
    }
  }
  prog.add(Execute(cs, dc));
}

Tensor asBits(const Tensor& t) { return t.reinterpret(sizeType(t.elementType())); }

// [size along dim, rest]
Tensor rolled(const Tensor& t, std::size_t dim) {
  const Tensor r = t.dimRoll(static_cast<unsigned>(dim));
  return r.reshape({r.dim(0), r.dim(0) == 0 ? 0 : r.numElements() / r.dim(0)});
}

void sliceInto(Graph& graph, const Tensor& out, const Tensor& t, const Tensor& offset,
               std::size_t dim, Sequence& prog, const DebugContext& dc) {
  if (out.numElements() == 0) return;
  const SliceRows from(graph, asBits(t), dim, "dynamicSlice");
  addVertices(graph, "popops::Slice", "out", from, rolled(asBits(out), dim), offset, prog, dc);
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
  checkOffset(offset, dims, "dynamicSlice");
  Tensor s = t;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const Tensor out = sliceOutput(graph, s, dims[i], sizes[i], dc);
    sliceInto(graph, out, s, offsetOf(offset, i), dims[i], prog, dc);
    s = out;
  }
  if (dims.empty()) {
    s = graph.clone(t, {dc, "slice"});
    prog.add(Copy(t, s, false, dc));
  }
  return s;
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
  checkOffset(offset, dims, "dynamicUpdate");
  if (s.numElements() == 0) return;
  const Tensor first = offsetOf(offset, 0);
  Tensor part = s;
  if (dims.size() > 1) {
    // What the slice along the first dimension holds, with the rest written into it.
    part = dynamicSlice(graph, t, first, {dims[0]}, {sizes[0]}, prog, dc, options);
    dynamicUpdate(graph, part, s, offset.flatten().slice(1, dims.size()),
                  Shape(dims.begin() + 1, dims.end()), Shape(sizes.begin() + 1, sizes.end()), prog,
                  dc, options);
  }
  const SliceRows to(graph, asBits(t), dims[0], "dynamicUpdate");
  addVertices(graph, "popops::Update", "in", to, rolled(asBits(part), dims[0]), first, prog, dc);
}

}  // namespace popops
