#include <limits>
#include <popops/ElementWise.hpp>
#include <popops/Loop.hpp>

namespace popops {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;

Sequence countedLoop(Graph& graph, std::size_t begin, std::size_t end, std::size_t step,
                     const CountedLoopBodyType& body, const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "countedLoop");
  if (step == 0) throw poplibs_error("countedLoop: expected a step above 0, got 0");
  if (begin >= end) {
    throw poplibs_error("countedLoop: expected a begin below the end, got " +
                        std::to_string(begin) + " and " + std::to_string(end));
  }
  if (end > std::numeric_limits<unsigned>::max()) {
    throw poplibs_error("countedLoop: expected an end below 2^32, got " + std::to_string(end));
  }
  const Tensor counter = graph.addVariable(UNSIGNED_INT, {1}, {dc, "counter"});
  const Tensor first =
      graph.addConstant(UNSIGNED_INT, {1}, static_cast<unsigned>(begin), {dc, "begin"});
  graph.setTileMapping(counter, 0);
  graph.setTileMapping(first, 0);
  Sequence each{body(counter)};
  addInPlace(graph, counter, static_cast<unsigned>(step), each, dc);
  Sequence out;
  out.add(Copy(first, counter, false, dc));
  out.add(Repeat(static_cast<unsigned>((end - begin - 1) / step + 1), each, dc));
  return out;
}

Sequence countedLoop(Graph& graph, std::size_t count, const CountedLoopBodyType& body,
                     const DebugContext& debugContext) {
  return countedLoop(graph, 0, count, 1, body, debugContext);
}

Tensor addForLoopCounterVertex(Graph& graph, const Tensor& count, const Tensor& countLimit,
                               int countStep, unsigned tile, Sequence& prog,
                               const DebugContext& debugContext) {
  const Tensor more = graph.addVariable(UNSIGNED_INT, {}, {debugContext, "predicate"});
  const ComputeSet cs = graph.addComputeSet({debugContext, "count"});
  const VertexRef v = graph.addVertex(cs, "popops::ForLoopCounter");
  graph.connect(v["count"], count.reshape({}).reinterpret(UNSIGNED_INT));
  graph.connect(v["limit"], countLimit.reshape({}).reinterpret(UNSIGNED_INT));
  graph.connect(v["more"], more);
  graph.setInitialValue(v["step"], static_cast<unsigned>(countStep));
  graph.setTileMapping(more, tile);
  graph.setTileMapping(v, tile);
  prog.add(Execute(cs, debugContext));
  return more;
}

Sequence countedForLoop(Graph& graph, const Tensor& count, int initialCount,
                        const Tensor& countLimit, int countStep, const Program& body,
                        const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "countedForLoop");
  const Type type = count.elementType();
  if ((type != INT && type != UNSIGNED_INT) || countLimit.elementType() != type) {
    throw poplibs_error(
        "countedForLoop: expected a count and a limit that are both int or both unsigned int, "
        "got " +
        type.toString() + " and " + countLimit.elementType().toString());
  }
  // One step early: the condition counts before each run of the body.
  const unsigned before = static_cast<unsigned>(initialCount) - static_cast<unsigned>(countStep);
  const Tensor first = graph.addConstant(type, count.shape(), static_cast<int>(before), dc);
  graph.setTileMapping(first, 0);
  Sequence condition, out;
  const Tensor more =
      addForLoopCounterVertex(graph, count, countLimit, countStep, 0, condition, dc);
  out.add(Copy(first, count, false, dc));
  out.add(RepeatWhileTrue(condition, more, body, dc));
  return out;
}

Sequence countedForLoop(Graph& graph, int initialCount, const Tensor& countLimit, int countStep,
                        const Program& body, const DebugContext& debugContext) {
  const Tensor count = graph.addVariable(countLimit.elementType(), {}, {debugContext, "count"});
  graph.setTileMapping(count, 0);
  return countedForLoop(graph, count, initialCount, countLimit, countStep, body, debugContext);
}

}  // namespace popops
