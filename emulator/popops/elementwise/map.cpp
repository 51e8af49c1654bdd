#include <algorithm>
#include <popops/ElementWise.hpp>
#include <popops/ElementWiseUtil.hpp>
#include <poputil/Broadcast.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include "elementwise/map_program.hpp"
#include "elementwise/map_vertices.hpp"
#include "elementwise/overlap.hpp"

namespace popops {

using expr::Any;
using expr::Expr;
using namespace poplar;
using namespace poplar::program;
using namespace poputil;
using Shape = std::vector<std::size_t>;

namespace {

std::vector<Type> typesOf(const std::vector<Tensor>& ts) {
  std::vector<Type> types;
  for (const Tensor& t : ts) types.push_back(t.elementType());
  return types;
}

Shape broadcastShape(const std::vector<Tensor>& ts) {
  Shape shape;
  for (const Tensor& t : ts) {
    const std::size_t rank = std::max<std::size_t>(shape.size(), t.rank());
    shape.insert(shape.begin(), rank - shape.size(), 1);
    for (unsigned i = 0; i < t.rank(); ++i) {
      std::size_t& d = shape[rank - t.rank() + i];
      if (d == 1) d = t.dim(i);
    }
  }
  for (Tensor t : ts) broadcastToMatch(t, shape);  // throws where they do not fit
  return shape;
}

// Operands as Map takes them: one element, or all of the broadcast shape in a row.
Tensor operand(Tensor t, const Shape& shape) {
  if (t.numElements() != 1) broadcastToMatch(t, shape);
  return asBits(t.flatten());
}

void addVertices(Graph& graph, const MapProgram& program, const std::vector<Tensor>& ts,
                 const Shape& shape, const Tensor& out, ComputeSet cs) {
  std::vector<Tensor> operands;
  for (const unsigned i : program.inputs) operands.push_back(operand(ts[i], shape));
  const Tensor flat = asBits(out.flatten());
  const std::string type = templateVertex("popops::Map", flat.elementType());
  const auto mapping = graph.getTileMapping(flat);
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    if (mapping[tile].empty()) continue;
    std::vector<Interval> regions;
    for (const auto& region : graph.getSortedContiguousRegions(flat, mapping[tile])) {
      regions.insert(regions.end(), region.begin(), region.end());
    }
    const VertexRef v = graph.addVertex(cs, type);
    const Tensor elements = concat(flat.slices(regions));
    graph.connect(v["out"], elements);
    for (const char* field : {"in8", "in16", "in32", "in64"}) {
      std::vector<Tensor> inputs;
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (mapInputField(operands[i].elementType()) != std::string(field)) continue;
        const bool single = operands[i].numElements() == 1;
        inputs.push_back(single ? operands[i] : concat(operands[i].slices(regions)));
      }
      graph.connect(v[field], ArrayRef<Tensor>(inputs));
    }
    graph.setInitialValue(v["code"], program.code);
    graph.setInitialValue(v["kind"], program.kind);
    graph.setTileMapping(v, tile);
  }
}

// A shape that broadcasts to another one of as many elements differs from it in these alone.
Shape withoutLeadingOnes(const Shape& shape) {
  const auto first = std::find_if(shape.begin(), shape.end(), [](std::size_t d) { return d != 1; });
  return Shape(first, shape.end());
}

void checkOutput(const Tensor& out, const Shape& shape, Type type, const char* operation) {
  if (withoutLeadingOnes(out.shape()) != withoutLeadingOnes(shape)) {
    throw poplibs_error(std::string(operation) +
                        ": expected an output of the shape that the inputs broadcast to, got " +
                        out.shapeToString());
  }
  if (out.elementType() != type) {
    throw poplibs_error(std::string(operation) + ": expected an output of type " + type.toString() +
                        ", the expression's, got " + out.elementType().toString());
  }
  if (!out.isParallelWriteable()) {
    throw poplibs_error(std::string(operation) +
                        ": expected an output without aliases and constants, got one with them");
  }
}

void mapOnto(Graph& graph, const Expr& e, const std::vector<Tensor>& ts, const Tensor& out,
             Sequence& prog, const DebugContext& dc, const char* operation) {
  std::vector<Tensor> inputs = ts;
  for (Tensor& t : inputs) {
    // An input that is the output is read before it is written, element by element; one that only
    // overlaps it must be saved.
    if (t != out && overlap(t, out)) {
      const Tensor saved = graph.clone(t, {dc, "copy"});
      prog.add(Copy(t, saved, false, dc));
      t = saved;
    }
  }
  const ComputeSet cs = graph.addComputeSet(dc);
  addMapVertices(graph, e, inputs, out, cs, operation);
  prog.add(Execute(cs, dc));
}

// Writes the result of expression i to outs[i], after all of them are evaluated.
void copyResults(Graph& graph, const std::vector<Any>& exprs, const std::vector<Tensor>& ts,
                 const std::vector<Tensor>& outs, Sequence& prog, const DebugContext& dc,
                 const OptionFlags& options, const char* operation) {
  const std::vector<Tensor> results = map(graph, exprs, ts, prog, dc, options);
  for (std::size_t i = 0; i < results.size(); ++i) {
    checkOutput(outs[i], results[i].shape(), results[i].elementType(), operation);
    prog.add(Copy(results[i], outs[i], false, dc));
  }
}

}  // namespace

void addMapVertices(Graph& graph, const Expr& e, const std::vector<Tensor>& ts, const Tensor& out,
                    ComputeSet cs, const char* operation) {
  const MapProgram program = makeMapProgram(e, typesOf(ts), operation);
  const Shape shape = ts.empty() ? out.shape() : broadcastShape(ts);
  checkOutput(out, shape, program.type, operation);
  addVertices(graph, program, ts, shape, out, cs);
}

Tensor createOutputForElementWiseOp(Graph& graph, const std::vector<Tensor>& inputs,
                                    const Type& outputType, const DebugContext& debugContext) {
  const Shape shape = broadcastShape(inputs);
  const Tensor* best = nullptr;
  std::size_t best_tiles = 0;
  for (const Tensor& t : inputs) {
    if (t.shape() != shape || t.containsConstant() || t.containsAliases()) continue;
    const auto mapping = graph.getTileMapping(t);
    const std::size_t tiles =
        std::count_if(mapping.begin(), mapping.end(), [](const auto& m) { return !m.empty(); });
    if (best == nullptr || tiles > best_tiles) {
      best = &t;
      best_tiles = tiles;
    }
  }
  if (best) return graph.clone(outputType, *best, debugContext);
  const Tensor out = graph.addVariable(outputType, shape, debugContext);
  mapTensorLinearly(graph, out);
  return out;
}

Tensor map(Graph& graph, const Expr& e, const std::vector<Tensor>& ts, Sequence& prog,
           const DebugContext& debugContext, const OptionFlags&) {
  const DebugContext dc(debugContext, "map");
  const MapProgram program = makeMapProgram(e, typesOf(ts), "map");
  const Tensor out = createOutputForElementWiseOp(graph, ts, program.type, {dc, "out"});
  const ComputeSet cs = graph.addComputeSet(dc);
  addVertices(graph, program, ts, out.shape(), out, cs);
  prog.add(Execute(cs, dc));
  return out;
}

std::vector<Tensor> map(Graph& graph, const std::vector<Any>& exprs, const std::vector<Tensor>& ts,
                        Sequence& prog, const DebugContext& debugContext,
                        const OptionFlags& options) {
  std::vector<Tensor> out;
  for (const Expr& e : exprs) out.push_back(map(graph, e, ts, prog, debugContext, options));
  return out;
}

void mapInPlace(Graph& graph, const Expr& e, const std::vector<Tensor>& ts, Sequence& prog,
                const DebugContext& debugContext, const OptionFlags&) {
  if (ts.empty()) throw poplibs_error("mapInPlace: expected a tensor to write to, got none");
  mapOnto(graph, e, ts, ts[0], prog, {debugContext, "mapInPlace"}, "mapInPlace");
}

void mapInPlace(Graph& graph, const std::vector<Any>& exprs, const std::vector<Tensor>& ts,
                Sequence& prog, const DebugContext& debugContext, const OptionFlags& options) {
  if (exprs.size() > ts.size()) {
    throw poplibs_error("mapInPlace: expected a tensor for each of the " +
                        std::to_string(exprs.size()) + " expressions, got " +
                        std::to_string(ts.size()));
  }
  copyResults(graph, exprs, ts, ts, prog, debugContext, options, "mapInPlace");
}

void mapWithOutput(Graph& graph, const Expr& e, const std::vector<Tensor>& ts, const Tensor& out,
                   Sequence& prog, const DebugContext& debugContext, const OptionFlags&) {
  mapOnto(graph, e, ts, out, prog, {debugContext, "mapWithOutput"}, "mapWithOutput");
}

void mapWithOutput(Graph& graph, const std::vector<Any>& exprs, const std::vector<Tensor>& ts,
                   const std::vector<Tensor>& outs, Sequence& prog,
                   const DebugContext& debugContext, const OptionFlags& options) {
  if (exprs.size() != outs.size()) {
    throw poplibs_error("mapWithOutput: expected an output for each of the " +
                        std::to_string(exprs.size()) + " expressions, got " +
                        std::to_string(outs.size()));
  }
  copyResults(graph, exprs, ts, outs, prog, debugContext, options, "mapWithOutput");
}

}  // namespace popops
