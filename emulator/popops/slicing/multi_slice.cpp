#include <algorithm>
#include <popops/DynamicSlice.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
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

enum class With : unsigned { ADD, MAX, MUL };

// Slices at many offsets, of one tensor for each of G groups.
class ManySlices {
 public:
  // `t` [G, ...], `offsets` [G, N, dims.size()]; `dims` and `sizes` are of a group.
  ManySlices(Graph& graph, const Tensor& t, const Tensor& offsets, const Shape& dims,
             const Shape& sizes, const OptionFlags& options, const char* operation,
             const DebugContext& dc)
      : graph_(graph),
        t_(t),
        dims_(dims),
        sizes_(sizes),
        options_(options),
        operation_(operation),
        dc_(dc, operation) {
    const bool fit =
        dims.size() == sizes.size() &&
        std::all_of(dims.begin(), dims.end(), [&](std::size_t d) { return d + 1 < t.rank(); });
    if (!fit) {
      throw poplibs_error(std::string(operation) + ": expected a size for each of the dimensions " +
                          "that are sliced of " + t.shapeToString());
    }
    if (offsets.rank() < 2 || offsets.dim(0) != t.dim(0)) {
      throw poplibs_error(std::string(operation) + ": expected offsets {N, " +
                          std::to_string(dims.size()) + "} of unsigned int, got " +
                          offsets.shapeToString() + " of " + offsets.elementType().toString());
    }
    count_ = offsets.dim(1);
    checkOffsets(offsets, t.dim(0) * count_ * dims.size(), operation);
    offsets_ = asOffsets(offsets).reshape({t.dim(0), count_, dims.size()});
  }

  // Whether vertices find the slices of all offsets; other ones are made one by one.
  bool ofRows() const { return dims_.size() == 1 && sizes_[0] == 1; }

  Tensor slice(Sequence& prog) {
    applyOptions(prog);
    std::vector<Tensor> out;
    for (std::size_t g = 0; g < t_.dim(0); ++g) {
      out.push_back(createSliceTensor(graph_, t_[g], dims_, sizes_, count_, dc_).expand({0}));
    }
    const Tensor all = withOneMetadata(concat(out));
    if (all.hasMetadata()) prog.add(Copy(t_.getMetadata(), all.getMetadata()));
    if (ofRows()) {
      addVertices(templateVertex("popops::Slice", bits()), "out", asBits(t_), asBits(all), prog,
                  [&](const VertexRef& v) { graph_.setInitialValue(v["wraps"], false); });
    } else {
      forEach([&](const Tensor& t, const Tensor& offset, std::size_t g, std::size_t i) {
        dynamicSliceWithOutput(graph_, all[g][i], t, offset, dims_, sizes_, prog, dc_);
      });
    }
    return all;
  }

  void update(const Tensor& s, Sequence& prog) {
    checkSlices(s);
    applyOptions(prog);
    if (ofRows()) {
      addVertices(templateVertex("popops::Update", bits()), "in", asBits(t_), asBits(s), prog,
                  [&](const VertexRef& v) { graph_.setInitialValue(v["wraps"], false); });
    } else {
      forEach([&](const Tensor& t, const Tensor& offset, std::size_t g, std::size_t i) {
        dynamicUpdate(graph_, t, s[g][i], offset, dims_, sizes_, prog, dc_);
      });
    }
  }

  void updateWith(const Tensor& s, With op, const Tensor& scale, Sequence& prog) {
    if (!ofRows()) {
      throw poplibs_error(std::string(operation_) +
                          ": expected slices of size 1 along one dimension of " +
                          t_.shapeToString());
    }
    checkSlices(s);
    const Type type = t_.elementType();
    // As in poplibs a scale of halves may be a float, in which each sum is computed then.
    const Type of = scale.valid() ? scale.elementType() : type;
    if (scale.valid() &&
        (scale.numElements() != 1 || (of != type && (type != HALF || of != FLOAT)))) {
      throw poplibs_error(std::string(operation_) + ": expected a scale of one " + type.toString() +
                          ", got " + scale.shapeToString() + " of " + of.toString());
    }
    applyOptions(prog);
    addVertices(templateVertex("popops::UpdateWith", type, of), "in", t_, s, prog,
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
  Type bits() const { return sizeType(t_.elementType()); }

  // What the options say of offsets beyond the end.
  void applyOptions(Sequence& prog) {
    if (!options_.remap && !options_.validate) return;
    std::vector<unsigned> ends;
    for (const std::size_t d : dims_) {
      const std::size_t padding = !options_.remap && options_.padding ? 1 : 0;
      ends.push_back(static_cast<unsigned>(t_.dim(static_cast<unsigned>(d + 1)) + padding));
    }
    const Tensor end = graph_.addConstant(UNSIGNED_INT, {1, 1, ends.size()}, ends.data(), dc_);
    graph_.setTileMapping(end, 0);
    namespace e = popops::expr;
    if (options_.remap) {
      offsets_ = map(graph_, e::Select(e::_1, e::Const(0u), e::Lt(e::_1, e::_2)), {offsets_, end},
                     prog, {dc_, "remapOutOfBoundIndices"});
      return;
    }
    const DebugContext dc(dc_, "validateIndices");
    const Tensor beyond = map(graph_, e::Gte(e::_1, e::_2), {offsets_, end}, prog, dc);
    const Tensor any = reduce(graph_, beyond.flatten(), {0}, Operation::LOGICAL_OR, prog, dc);
    prog.add(AbortOnCondition(any, std::string(operation_) +
                                       ": expected offsets below the sizes of the dimensions that "
                                       "are sliced, got one beyond them"));
  }

  // The vertices of all groups, for `slices` [G, N, ...].
  void addVertices(const std::string& vertex, const char* field, const Tensor& base,
                   const Tensor& slices, Sequence& prog,
                   const std::function<void(const VertexRef&)>& finish) {
    const ComputeSet cs = graph_.addComputeSet(dc_);
    const SliceVertex type = {operation_, vertex, field};
    for (std::size_t g = 0; g < base.dim(0); ++g) {
      // The sliced dimension, of size 1, comes to the front: [N, rest].
      const Tensor rolled = slices[g].dimRoll(static_cast<unsigned>(dims_[0] + 1), 1);
      const Tensor flat =
          rolled.reshape({count_, rolled.numElements() / std::max<std::size_t>(1, count_)});
      addSliceVertices(graph_, type, base[g], dims_[0], flat, offsets_[g].flatten(), cs, finish);
    }
    prog.add(Execute(cs, dc_));
  }

  template <class Fn>
  void forEach(const Fn& fn) {
    for (std::size_t g = 0; g < t_.dim(0); ++g) {
      for (std::size_t i = 0; i < count_; ++i) fn(t_[g], offsets_[g][i], g, i);
    }
  }

  void checkSlices(const Tensor& s) const {
    Shape shape = t_.shape();
    for (std::size_t i = 0; i < dims_.size(); ++i) shape[dims_[i] + 1] = sizes_[i];
    shape.insert(shape.begin() + 1, count_);
    if (s.shape() != shape || s.elementType() != t_.elementType()) {
      throw poplibs_error(std::string(operation_) + ": expected one slice of " +
                          t_[0].shapeToString() + " for each offset, got " + s[0].shapeToString() +
                          " of " + s.elementType().toString());
    }
  }

  Graph& graph_;
  const Tensor t_;
  Tensor offsets_;  // [G, N, dims]
  const Shape dims_, sizes_;
  std::size_t count_;  // N
  const OffsetOptions options_;
  const char* const operation_;
  const DebugContext dc_;
};

// A single group.
Tensor singleGroup(const Tensor& t) { return t.expand({0}); }

}  // namespace

Tensor groupedMultiSlice(Graph& graph, const Tensor& t, const Tensor& offsets, const Shape& dims,
                         const Shape& sizes, Sequence& prog, const SlicePlan&,
                         const OptionFlags& options, const DebugContext& debugContext) {
  return ManySlices(graph, t, offsets, dims, sizes, options, "groupedMultiSlice", debugContext)
      .slice(prog);
}

Tensor multiSlice(Graph& graph, const Tensor& t, const Tensor& offsets, const Shape& dims,
                  const Shape& sizes, Sequence& prog, const SlicePlan&, const OptionFlags& options,
                  const DebugContext& debugContext) {
  return ManySlices(graph, singleGroup(t), singleGroup(offsets), dims, sizes, options, "multiSlice",
                    debugContext)
      .slice(prog)[0];
}

Tensor multiSlice(Graph& graph, const Tensor& t, ArrayRef<unsigned> offsets, std::size_t dim,
                  Sequence& prog, const DebugContext& debugContext, const OptionFlags& options) {
  const OffsetOptions beyond(options);
  const std::size_t end = dim < t.rank() ? t.dim(static_cast<unsigned>(dim)) : 0;
  for (const unsigned offset : offsets) {
    if (beyond.remap || offset < end || (beyond.padding && offset == end)) continue;
    throw poplibs_error("multiSlice: expected offsets below the size " + std::to_string(end) +
                        " of dimension " + std::to_string(dim) + ", got " + std::to_string(offset));
  }
  const Tensor constant =
      graph.addConstant(UNSIGNED_INT, {offsets.size(), 1}, offsets, debugContext);
  graph.setTileMapping(constant, 0);
  return multiSlice(graph, t, constant, {dim}, {1}, prog, SlicePlan(), options, debugContext);
}

void groupedMultiUpdate(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                        const Shape& dims, const Shape& sizes, Sequence& prog, const SlicePlan&,
                        const OptionFlags& options, const DebugContext& debugContext) {
  ManySlices(graph, t, offsets, dims, sizes, options, "groupedMultiUpdate", debugContext)
      .update(s, prog);
}

void multiUpdate(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                 const Shape& dims, const Shape& sizes, Sequence& prog, const SlicePlan&,
                 const OptionFlags& options, const DebugContext& debugContext) {
  ManySlices(graph, singleGroup(t), singleGroup(offsets), dims, sizes, options, "multiUpdate",
             debugContext)
      .update(singleGroup(s), prog);
}

void groupedMultiUpdateAdd(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                           const Tensor& scale, const Shape& dims, const Shape& sizes,
                           Sequence& prog, const SlicePlan&, const OptionFlags& options,
                           const DebugContext& debugContext) {
  ManySlices(graph, t, offsets, dims, sizes, options, "groupedMultiUpdateAdd", debugContext)
      .updateWith(s, With::ADD, scale, prog);
}

void multiUpdateAdd(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                    const Tensor& scale, const Shape& dims, const Shape& sizes, Sequence& prog,
                    const SlicePlan&, const OptionFlags& options,
                    const DebugContext& debugContext) {
  ManySlices(graph, singleGroup(t), singleGroup(offsets), dims, sizes, options, "multiUpdateAdd",
             debugContext)
      .updateWith(singleGroup(s), With::ADD, scale, prog);
}

void multiUpdateAdd(Graph& graph, const Tensor& t, const Tensor& s, ArrayRef<unsigned> offsets,
                    const Tensor& scale, std::size_t dim, Sequence& prog,
                    const DebugContext& debugContext, const OptionFlags& options) {
  const Tensor constant =
      graph.addConstant(UNSIGNED_INT, {offsets.size(), 1}, offsets, debugContext);
  graph.setTileMapping(constant, 0);
  multiUpdateAdd(graph, t, s, constant, scale, {dim}, {1}, prog, SlicePlan(), options,
                 debugContext);
}

// Those that take slices and offsets alone.
#define POPOPS_UPDATE(NAME, GROUPED, OP)                                                 \
  void GROUPED(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,    \
               const Shape& dims, const Shape& sizes, Sequence& prog, const SlicePlan&,  \
               const OptionFlags& options, const DebugContext& debugContext) {           \
    ManySlices(graph, t, offsets, dims, sizes, options, #GROUPED, debugContext)          \
        .updateWith(s, With::OP, Tensor(), prog);                                        \
  }                                                                                      \
  void NAME(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,       \
            const Shape& dims, const Shape& sizes, Sequence& prog, const SlicePlan&,     \
            const OptionFlags& options, const DebugContext& debugContext) {              \
    ManySlices(graph, singleGroup(t), singleGroup(offsets), dims, sizes, options, #NAME, \
               debugContext)                                                             \
        .updateWith(singleGroup(s), With::OP, Tensor(), prog);                           \
  }
POPOPS_UPDATE(multiUpdateMax, groupedMultiUpdateMax, MAX)
POPOPS_UPDATE(multiUpdateMul, groupedMultiUpdateMul, MUL)
#undef POPOPS_UPDATE

}  // namespace popops
