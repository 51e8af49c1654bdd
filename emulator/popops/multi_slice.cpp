#include <popops/DynamicSlice.hpp>
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
using poplar::program::Execute;
using poplar::program::Sequence;
using poputil::poplibs_error;
using Shape = std::vector<std::size_t>;

namespace {

enum class With : unsigned { ADD, MAX, MUL };

// Slices of `t` along one dimension, at many offsets.
class ManySlices {
 public:
  ManySlices(Graph& graph, const Tensor& t, const Tensor& offsets, const Shape& dims,
             const Shape& sizes, const char* operation)
      : graph_(graph), t_(t), operation_(operation) {
    if (dims.size() != 1 || sizes != Shape{1} || dims[0] >= t.rank()) {
      throw poplibs_error(std::string(operation) +
                          ": expected slices of size 1 along one dimension of " +
                          t.shapeToString());
    }
    const Type type = offsets.elementType();
    if ((type != poplar::UNSIGNED_INT && type != poplar::INT) || offsets.rank() == 0 ||
        offsets.numElements() != offsets.dim(0)) {
      throw poplibs_error(std::string(operation) +
                          ": expected offsets {N, 1} of unsigned int, got " +
                          offsets.shapeToString() + " of " + type.toString());
    }
    dim_ = dims[0];
    offsets_ = offsets.flatten().reinterpret(poplar::UNSIGNED_INT);
  }

  // Calls connect(v) for the vertex of each part; `slices` [N, rest] goes to the field `field`.
  template <class Fn>
  void addVertices(const Tensor& base, const Tensor& slices, const std::string& type,
                   const char* field, Sequence& prog, const DebugContext& dc, const Fn& connect) {
    if (slices.numElements() == 0) return;
    const SliceRows from(graph_, base, dim_, operation_);
    const ComputeSet cs = graph_.addComputeSet(dc);
    for (unsigned tile = 0; tile < from.mapping().size(); ++tile) {
      for (const Interval& region : from.mapping()[tile]) {
        const VertexRef v = graph_.addVertex(cs, type);
        const std::vector<Tensor> entries = from.base(region), part = rows(slices, region);
        graph_.connect(v["base"], poplar::ArrayRef<Tensor>(entries));
        graph_.connect(v["offsets"], offsets_);
        graph_.connect(v[field], poplar::ArrayRef<Tensor>(part));
        graph_.setInitialValue(v["entries"], static_cast<unsigned>(from.entries()));
        connect(v);
        graph_.setTileMapping(v, tile);
      }
    }
    prog.add(Execute(cs, dc));
  }

  // Slices {N, ...slice} with the sliced dimension, of size 1, in front: [N, rest].
  Tensor flatten(const Tensor& s) const {
    return s.dimRoll(static_cast<unsigned>(dim_ + 1), 1)
        .reshape({s.dim(0), s.numElements() / std::max<std::size_t>(1, s.dim(0))});
  }

  void checkSlices(const Tensor& s) const {
    Shape shape = t_.shape();
    shape[dim_] = 1;
    shape.insert(shape.begin(), offsets_.numElements());
    if (s.shape() != shape || s.elementType() != t_.elementType()) {
      throw poplibs_error(std::string(operation_) + ": expected one slice of " +
                          t_.shapeToString() + " for each offset, got " + s.shapeToString() +
                          " of " + s.elementType().toString());
    }
  }

  void updateWith(const Tensor& s, With op, const Tensor& scale, Sequence& prog,
                  const DebugContext& dc) {
    checkSlices(s);
    const Type type = t_.elementType();
    if (scale.valid() && (scale.numElements() != 1 || scale.elementType() != type)) {
      throw poplibs_error(std::string(operation_) + ": expected a scale of one " + type.toString() +
                          ", got " + scale.shapeToString() + " of " +
                          scale.elementType().toString());
    }
    addVertices(t_, flatten(s), poputil::templateVertex("popops::UpdateWith", type), "in", prog, dc,
                [&](const VertexRef& v) {
                  if (scale.valid()) {
                    graph_.connect(v["scale"], scale.reshape({}));
                  } else {
                    graph_.connect(v["scale"], 1);
                  }
                  graph_.setInitialValue(v["operation"], static_cast<unsigned>(op));
                });
  }

 private:
  Graph& graph_;
  Tensor t_, offsets_;
  std::size_t dim_;
  const char* operation_;
};

Tensor asBits(const Tensor& t) { return t.reinterpret(sizeType(t.elementType())); }

}  // namespace

Tensor multiSlice(Graph& graph, const Tensor& t, const Tensor& offsets, const Shape& dims,
                  const Shape& sizes, Sequence& prog, const SlicePlan&, const OptionFlags&,
                  const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "multiSlice");
  ManySlices many(graph, t, offsets, dims, sizes, "multiSlice");
  const Tensor out = createSliceTensor(graph, t, dims, sizes, offsets.dim(0), dc);
  const Tensor bits = asBits(t);
  many.addVertices(bits, many.flatten(asBits(out)),
                   poputil::templateVertex("popops::Slice", bits.elementType()), "out", prog, dc,
                   [&](const VertexRef& v) { graph.setInitialValue(v["wraps"], false); });
  return out;
}

Tensor multiSlice(Graph& graph, const Tensor& t, poplar::ArrayRef<unsigned> offsets,
                  std::size_t dim, Sequence& prog, const DebugContext& debugContext,
                  const OptionFlags& options) {
  const Tensor constant =
      graph.addConstant(poplar::UNSIGNED_INT, {offsets.size(), 1}, offsets, debugContext);
  graph.setTileMapping(constant, 0);
  return multiSlice(graph, t, constant, {dim}, {1}, prog, SlicePlan(), options, debugContext);
}

void multiUpdate(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                 const Shape& dims, const Shape& sizes, Sequence& prog, const SlicePlan&,
                 const OptionFlags&, const DebugContext& debugContext) {
  ManySlices many(graph, t, offsets, dims, sizes, "multiUpdate");
  many.checkSlices(s);
  const Tensor bits = asBits(t);
  many.addVertices(bits, many.flatten(asBits(s)),
                   poputil::templateVertex("popops::Update", bits.elementType()), "in", prog,
                   {debugContext, "multiUpdate"},
                   [&](const VertexRef& v) { graph.setInitialValue(v["wraps"], false); });
}

void multiUpdateAdd(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                    const Tensor& scale, const Shape& dims, const Shape& sizes, Sequence& prog,
                    const SlicePlan&, const OptionFlags&, const DebugContext& debugContext) {
  ManySlices(graph, t, offsets, dims, sizes, "multiUpdateAdd")
      .updateWith(s, With::ADD, scale, prog, {debugContext, "multiUpdateAdd"});
}

void multiUpdateMax(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                    const Shape& dims, const Shape& sizes, Sequence& prog, const SlicePlan&,
                    const OptionFlags&, const DebugContext& debugContext) {
  ManySlices(graph, t, offsets, dims, sizes, "multiUpdateMax")
      .updateWith(s, With::MAX, Tensor(), prog, {debugContext, "multiUpdateMax"});
}

void multiUpdateMul(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                    const Shape& dims, const Shape& sizes, Sequence& prog, const SlicePlan&,
                    const OptionFlags&, const DebugContext& debugContext) {
  ManySlices(graph, t, offsets, dims, sizes, "multiUpdateMul")
      .updateWith(s, With::MUL, Tensor(), prog, {debugContext, "multiUpdateMul"});
}

}  // namespace popops
