#include <algorithm>
#include <map>
#include <popops/Reduce.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VertexTemplates.hpp>
#include <sstream>

namespace popops {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;
using Dims = std::vector<std::size_t>;

namespace {

// A tile's partial sums of outputs [begin, begin + sums.numElements()): elements of the input where
// the tile has no two of an output.
struct Partial {
  std::size_t begin;
  Tensor sums;
};

// How the flattened input falls onto the flattened output: rows of `row` elements, along which
// either each element has an output of its own or all have one.
struct Layout {
  explicit Layout(const Tensor& in, const Dims& dims) : reduced(in.rank(), false) {
    for (const std::size_t d : dims) {
      if (d >= in.rank()) {
        throw poplibs_error("reduce: expected dimensions below the rank " +
                            std::to_string(in.rank()) + ", got " + std::to_string(d));
      }
      reduced[d] = true;
    }
    shape = in.shape();
    for (unsigned i = 0; i < shape.size(); ++i) {
      if (!reduced[i]) out_shape.push_back(shape[i]);
    }
    outer = static_cast<unsigned>(shape.size());
    within = !shape.empty();
    while (outer != 0 && shape[outer - 1] == 1) --outer;  // these do not matter
    if (outer != 0) within = reduced[outer - 1];
    while (outer != 0 && (reduced[outer - 1] == within || shape[outer - 1] == 1)) {
      row *= shape[--outer];
    }
  }

  // The first output of a row.
  std::size_t output(std::size_t row_index) const {
    std::size_t out = 0, stride = within ? 1 : row;
    for (unsigned i = outer; i-- > 0;) {
      const std::size_t at = row_index % shape[i];
      row_index /= shape[i];
      if (reduced[i]) continue;
      out += at * stride;
      stride *= shape[i];
    }
    return out;
  }

  std::vector<bool> reduced;
  Dims shape, out_shape;
  unsigned outer;  // dimensions before those of a row
  std::size_t row = 1;
  bool within;
};

Dims withoutOnes(Dims shape) {
  shape.erase(std::remove(shape.begin(), shape.end(), 1u), shape.end());
  return shape;
}

// An output that has no tile for some elements, where poplibs finds tiles itself: nothing is to be
// read, or every element of the output has one of the input.
void mapOutput(Graph& graph, const Tensor& in, const Tensor& out) {
  bool complete = true;
  graph.getTileMapping(out, &complete);
  if (complete) return;
  if (in.numElements() == 0) mapTensorLinearly(graph, out);
  if (in.numElements() == out.numElements()) graph.setTileMapping(out, graph.getTileMapping(in));
}

Type partialType(Type in) { return in == HALF ? Type(FLOAT) : in; }

void checkTypes(Operation op, Type in, Type out, const ReduceParams& params) {
  const bool floating = in == FLOAT || in == HALF;
  const bool integral = in == INT || in == UNSIGNED_INT;
  const bool logical = op == Operation::LOGICAL_AND || op == Operation::LOGICAL_OR;
  const bool defined =
      in == BOOL ? logical
                 : !logical && (floating || integral) && (floating || op != Operation::LOG_ADD);
  const bool adds = op == Operation::ADD || op == Operation::SQUARE_ADD || op == Operation::LOG_ADD;
  std::ostringstream text;
  if (!defined) {
    text << "reduce: operation " << op << " is not defined for " << in;
  } else if ((params.useScale || params.update) && !adds) {
    text << "reduce: expected ADD, SQUARE_ADD or LOG_ADD "
         << (params.useScale ? "with a scale" : "to update an output") << ", got " << op;
  } else if (out != in && !(floating && (out == FLOAT || out == HALF))) {
    text << "reduce: expected a result of type " << in << ", got " << out;
  } else if (params.useScale && (!floating || params.scale.numElements() != 1 ||
                                 params.scale.elementType() != FLOAT)) {
    text << "reduce: expected a scale of one float for floating-point data";
  }
  if (!text.str().empty()) throw poplibs_error(text.str());
}

// Whether an element of the input is a partial sum as it is, which the second stage may read.
bool isPartial(const Tensor& in, const Tensor& out, Operation op) {
  if (op == Operation::SQUARE_ADD || in.elementType() != partialType(in.elementType()))
    return false;
  // The second stage writes nothing that it reads elsewhere.
  return !out.valid() || (out.elementType() == in.elementType() &&
                          !concat(in.flatten(), out.flatten()).containsAliases());
}

// Reduces, on each tile, the elements of that tile. `reads_input` says whether the next stage may
// read elements of the input where there is nothing to add: without it a tile with one large row
// would hold it twice.
std::vector<Partial> addPartials(Graph& graph, const Tensor& in, const Layout& layout, Operation op,
                                 bool reads_input, ComputeSet cs, const DebugContext& dc) {
  const Tensor flat = in.flatten();
  const Type partial = partialType(in.elementType());
  const std::string type = templateVertex("popops::ReducePartial", in.elementType(), partial);
  const auto mapping = graph.getTileMapping(flat);
  std::vector<Partial> out;
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    // Ranges of rows, by the first output of their row (of their column where rows are reduced).
    struct RowRange {
      std::size_t first;  // output
      Interval elements;
    };
    std::map<std::size_t, std::vector<RowRange>> groups;
    for (const Interval& region : mapping[tile]) {
      for (std::size_t begin = region.begin(); begin < region.end();) {
        const std::size_t end = std::min(region.end(), (begin / layout.row + 1) * layout.row);
        const std::size_t base = layout.output(begin / layout.row);
        const std::size_t first = layout.within ? base : base + begin % layout.row;
        groups[layout.within ? 0 : base].push_back({first, Interval(begin, end)});
        begin = end;
      }
    }
    for (auto& group : groups) {
      auto& ranges = group.second;
      std::stable_sort(ranges.begin(), ranges.end(),
                       [](const RowRange& a, const RowRange& b) { return a.first < b.first; });
      // Outputs in order; those that this tile has nothing of are left out.
      for (std::size_t i = 0; i < ranges.size();) {
        const std::size_t begin = ranges[i].first;
        std::size_t end = begin, elements = 0;
        std::vector<Tensor> rows;
        std::vector<unsigned> offsets;
        for (; i < ranges.size() && ranges[i].first <= end; ++i) {
          const std::size_t n = ranges[i].elements.size();
          rows.push_back(flat.slice(ranges[i].elements));
          offsets.push_back(static_cast<unsigned>(ranges[i].first - begin));
          end = std::max(end, ranges[i].first + (layout.within ? 1 : n));
          elements += n;
        }
        if (reads_input && elements == end - begin) {  // as many elements as outputs
          out.push_back({begin, concat(rows)});
          continue;
        }
        const Tensor sums = graph.addVariable(partial, {end - begin}, {dc, "partials"});
        graph.setTileMapping(sums, tile);
        const VertexRef v = graph.addVertex(cs, type);
        graph.connect(v["rows"], ArrayRef<Tensor>(rows));
        graph.connect(v["out"], sums);
        graph.setInitialValue(v["offsets"], offsets);
        graph.setInitialValue(v["operation"], static_cast<unsigned>(op));
        graph.setInitialValue(v["within"], layout.within);
        graph.setTileMapping(v, tile);
        out.push_back({begin, sums});
      }
    }
  }
  return out;
}

// Outputs [begin, end) of which equally many tiles have partial sums: rows[i] are the i-th.
struct Run {
  std::size_t begin, end;
  std::vector<std::vector<Tensor>> rows;
};

std::vector<Run> align(std::vector<Partial> partials, std::size_t outputs) {
  std::sort(partials.begin(), partials.end(),
            [](const Partial& a, const Partial& b) { return a.begin < b.begin; });
  Dims bounds = {0, outputs};
  for (const Partial& p : partials) {
    bounds.push_back(p.begin);
    bounds.push_back(p.begin + p.sums.numElements());
  }
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  std::vector<Run> runs;
  std::vector<const Partial*> active;
  auto next = partials.cbegin();
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    const std::size_t begin = bounds[i], end = bounds[i + 1];
    for (; next != partials.cend() && next->begin == begin; ++next) active.push_back(&*next);
    active.erase(
        std::remove_if(active.begin(), active.end(),
                       [&](const Partial* p) { return p->begin + p->sums.numElements() <= begin; }),
        active.end());
    if (runs.empty() || runs.back().rows.size() != active.size()) {
      runs.push_back({begin, begin, std::vector<std::vector<Tensor>>(active.size())});
    }
    runs.back().end = end;
    for (std::size_t r = 0; r < active.size(); ++r) {
      runs.back().rows[r].push_back(
          active[r]->sums.slice(begin - active[r]->begin, end - active[r]->begin));
    }
  }
  return runs;
}

void addWholes(Graph& graph, const std::vector<Run>& runs, const Tensor& out,
               const ReduceParams& params, Type partial, ComputeSet cs) {
  const Tensor flat = out.flatten();
  const std::string type = templateVertex("popops::ReduceWhole", partial, out.elementType());
  const Operation op = params.op == Operation::SQUARE_ADD ? Operation::ADD : params.op;
  const auto mapping = graph.getTileMapping(flat);
  std::vector<std::vector<Tensor>> run_rows;
  for (const Run& run : runs) {
    run_rows.emplace_back();
    for (const auto& row : run.rows) run_rows.back().push_back(concat(row));
  }
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    if (mapping[tile].empty()) continue;
    std::vector<Tensor> rows;
    std::vector<unsigned> lengths, counts;
    for (const Interval& region : mapping[tile]) {
      auto run = std::partition_point(runs.begin(), runs.end(),
                                      [&](const Run& r) { return r.end <= region.begin(); });
      for (; run != runs.end() && run->begin < region.end(); ++run) {
        const std::size_t begin = std::max(region.begin(), run->begin);
        const std::size_t end = std::min(region.end(), run->end);
        for (const Tensor& row : run_rows[static_cast<std::size_t>(run - runs.begin())]) {
          rows.push_back(row.slice(begin - run->begin, end - run->begin));
        }
        lengths.push_back(static_cast<unsigned>(end - begin));
        counts.push_back(static_cast<unsigned>(run->rows.size()));
      }
    }
    const VertexRef v = graph.addVertex(cs, type);
    graph.connect(v["rows"], ArrayRef<Tensor>(rows));
    if (params.useScale) {
      graph.connect(v["scale"], params.scale.reshape({}));
    } else {
      graph.connect(v["scale"], 1.0f);
    }
    graph.connect(v["out"], concat(flat.slices(mapping[tile])));
    graph.setInitialValue(v["lengths"], lengths);
    graph.setInitialValue(v["counts"], counts);
    graph.setInitialValue(v["operation"], static_cast<unsigned>(op));
    graph.setInitialValue(v["scaled"], params.useScale);
    graph.setInitialValue(v["update"], params.update);
    graph.setTileMapping(v, tile);
  }
}

// Reduces into `out`, or a new variable where it is not valid.
Tensor reduceInto(Graph& graph, const Tensor& in, Tensor out, Type out_type, const Dims& dims,
                  const ReduceParams& params, std::vector<ComputeSet>& css,
                  const DebugContext& dc) {
  const Layout layout(in, dims);
  checkTypes(params.op, in.elementType(), out_type, params);
  if (!out.valid() && params.update) {
    throw poplibs_error("reduce: expected an output to update; use reduceWithOutput");
  }
  if (out.valid() && withoutOnes(out.shape()) != withoutOnes(layout.out_shape)) {
    throw poplibs_error(
        "reduceWithOutput: expected an output of the dimensions that are kept, got " +
        out.shapeToString() + " for an input of " + in.shapeToString());
  }
  if (out.valid()) mapOutput(graph, in, out);
  while (css.size() < 2) css.push_back(graph.addComputeSet({dc, "stage"}));
  std::size_t outputs = 1;
  for (const std::size_t d : layout.out_shape) outputs *= d;
  const Type partial = partialType(in.elementType());
  const bool reads_input = isPartial(in, out, params.op);
  const std::vector<Run> runs =
      align(addPartials(graph, in, layout, params.op, reads_input, css[0], dc), outputs);
  const bool whole = runs.size() == 1 && runs[0].rows.size() == 1;
  // A result shares no memory with the input.
  const bool copies = reads_input && in.numElements() == outputs;
  if (!copies && !out.valid() && whole && out_type == partial && !params.useScale) {
    return concat(runs[0].rows[0]).reshape(layout.out_shape);
  }
  if (!out.valid()) {
    out = graph.addVariable(out_type, layout.out_shape, {dc, "out"});
    mapTensorLinearly(graph, out);
  }
  addWholes(graph, runs, out, params, partial, css[1]);
  return out;
}

// Where each result is one element, or there is none: copies the elements to a new variable and
// returns it. Else returns no valid tensor.
Tensor withoutStages(Graph& graph, const Tensor& in, Type out_type, const Dims& dims,
                     const ReduceParams& params, Sequence& prog, const DebugContext& dc) {
  const Layout layout(in, dims);
  checkTypes(params.op, in.elementType(), out_type, params);
  std::size_t outputs = 1;
  for (const std::size_t d : layout.out_shape) outputs *= d;
  if (outputs != 0 && (in.numElements() != outputs || out_type != in.elementType() ||
                       params.op == Operation::SQUARE_ADD || params.useScale)) {
    return Tensor();
  }
  if (params.update) return Tensor();
  if (outputs == 0) {
    const Tensor out = graph.addVariable(out_type, layout.out_shape, {dc, "out"});
    mapTensorLinearly(graph, out);
    return out;
  }
  const Tensor out = graph.clone(in.reshape(layout.out_shape), {dc, "out"});
  prog.add(Copy(in.reshape(layout.out_shape), out, false, dc));
  return out;
}

Tensor reduceInto(Graph& graph, const Tensor& in, const Tensor& out, Type out_type,
                  const Dims& dims, const ReduceParams& params, Sequence& prog,
                  const DebugContext& dc) {
  if (!out.valid()) {
    const Tensor copied = withoutStages(graph, in, out_type, dims, params, prog, dc);
    if (copied.valid()) return copied;
  }
  std::vector<ComputeSet> css;
  const Tensor result = reduceInto(graph, in, out, out_type, dims, params, css, dc);
  for (const ComputeSet cs : css) prog.add(Execute(cs, dc));
  return result;
}

}  // namespace

Tensor reduce(Graph& graph, const Tensor& in, const Type& outType, const Dims& dims,
              ReduceParams params, Sequence& prog, const DebugContext& debugContext,
              const OptionFlags&) {
  return reduceInto(graph, in, Tensor(), outType, dims, params, prog, {debugContext, "reduce"});
}

Tensor reduce(Graph& graph, const Tensor& in, const Dims& dims, ReduceParams params, Sequence& prog,
              const DebugContext& debugContext, const OptionFlags& options) {
  return reduce(graph, in, in.elementType(), dims, params, prog, debugContext, options);
}

void reduceWithOutput(Graph& graph, const Tensor& in, const Tensor& out, const Dims& dims,
                      ReduceParams params, Sequence& prog, const DebugContext& debugContext,
                      const OptionFlags&) {
  reduceInto(graph, in, out, out.elementType(), dims, params, prog, {debugContext, "reduce"});
}

Tensor reduce(Graph& graph, const Tensor& in, const Type& outType, const Dims& dims,
              ReduceParams params, std::vector<ComputeSet>& css, const DebugContext& debugContext,
              const OptionFlags&) {
  return reduceInto(graph, in, Tensor(), outType, dims, params, css, {debugContext, "reduce"});
}

Tensor reduce(Graph& graph, const Tensor& in, const Dims& dims, ReduceParams params,
              std::vector<ComputeSet>& css, const DebugContext& debugContext,
              const OptionFlags& options) {
  return reduce(graph, in, in.elementType(), dims, params, css, debugContext, options);
}

void reduceWithOutput(Graph& graph, const Tensor& in, const Tensor& out, const Dims& dims,
                      ReduceParams params, std::vector<ComputeSet>& css,
                      const DebugContext& debugContext, const OptionFlags&) {
  reduceInto(graph, in, out, out.elementType(), dims, params, css, {debugContext, "reduce"});
}

void reduceMany(Graph& graph, const std::vector<SingleReduceOp>& reductions,
                std::vector<Tensor>& outputs, Sequence& prog, const DebugContext& debugContext,
                const OptionFlags&) {
  if (!outputs.empty() && outputs.size() != reductions.size()) {
    throw poplibs_error("reduceMany: expected no outputs or one for each of the " +
                        std::to_string(reductions.size()) + " reductions, got " +
                        std::to_string(outputs.size()));
  }
  outputs.resize(reductions.size());
  std::vector<ComputeSet> css;
  for (std::size_t i = 0; i < reductions.size(); ++i) {
    const SingleReduceOp& r = reductions[i];
    const Type type = outputs[i].valid() ? outputs[i].elementType()
                      : r.useOutType     ? r.outType
                                         : r.in.elementType();
    const DebugContext dc(debugContext, r.debugName);
    Tensor out = outputs[i];
    if (!out.valid()) out = withoutStages(graph, r.in, type, r.dims, r.params, prog, dc);
    const bool done = out.valid() && !outputs[i].valid();
    outputs[i] = done ? out : reduceInto(graph, r.in, out, type, r.dims, r.params, css, dc);
  }
  for (const ComputeSet cs : css) prog.add(Execute(cs, debugContext));
}

}  // namespace popops
