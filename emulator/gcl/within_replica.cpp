// Collective operations between the IPUs of a replica.
#include <algorithm>
#include <gcl/Collectives.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <poputil/exceptions.hpp>

#include "operators.hpp"

namespace gcl {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;

namespace {

Tensor reduced(Graph& graph, const Tensor& toReduce, CollectiveOperator op, Sequence& prog,
               const DebugContext& dc, const char* function) {
  if (toReduce.rank() == 0 || toReduce.dim(0) == 0) {
    throw poplibs_error(std::string(function) + ": expected at least one row, got " +
                        toReduce.shapeToString());
  }
  const Tensor sum = popops::reduce(graph, toReduce, toReduce.elementType(), {0},
                                    operationOf(op, function), prog, {dc, function});
  if (op != CollectiveOperator::MEAN) return sum;
  const Type type = toReduce.elementType();
  if (type != FLOAT && type != HALF) {
    throw poplibs_error(std::string(function) + ": expected elements of float or half for MEAN, " +
                        "got " + type.toString());
  }
  const float rows = static_cast<float>(toReduce.dim(0));
  return popops::map(graph, popops::expr::_1 / popops::expr::Const(rows), {sum}, prog,
                     {dc, function});
}

}  // namespace

Tensor allReduceWithinReplica(Graph& graph, const Tensor& toReduce, CollectiveOperator op,
                              Sequence& prog, const DebugContext& debugContext,
                              const OptionFlags&) {
  const Tensor sum = reduced(graph, toReduce, op, prog, debugContext, "allReduceWithinReplica");
  const Tensor out = graph.clone(toReduce, {debugContext, "allReduceWithinReplica"});
  const unsigned rows = static_cast<unsigned>(toReduce.dim(0));
  prog.add(Copy(sum.expand({0}).broadcast(rows, 0), out, false, {debugContext}));
  return out;
}

Chunks reduceScatterWithinReplica(Graph& graph, const Tensor& toReduce, CollectiveOperator op,
                                  Sequence& prog, const DebugContext& debugContext,
                                  const OptionFlags&) {
  const char* const function = "reduceScatterWithinReplica";
  const Tensor sum = reduced(graph, toReduce, op, prog, debugContext, function).flatten();
  const std::size_t rows = toReduce.dim(0), n = sum.numElements();
  Chunks out;
  out.originalInput = toReduce;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t begin = n * i / rows, end = n * (i + 1) / rows;
    const Tensor part = toReduce[i].flatten().slice(begin, end);
    const Tensor own = graph.clone(part, {debugContext, function});
    prog.add(Copy(sum.slice(begin, end), own, false, {debugContext}));
    out.chunks.emplace_back(own, static_cast<unsigned>(i), 0);
  }
  return out;
}

Tensor allGatherWithinReplica(Graph& graph, const Chunks& toGather, Sequence& prog,
                              const DebugContext& debugContext, const OptionFlags&) {
  const Tensor all = concatChunks(toGather);
  const unsigned rows = static_cast<unsigned>(toGather.chunks.size());
  const Tensor wide = all.expand({0}).broadcast(rows, 0);
  const Tensor& original = toGather.originalInput;
  const bool like = original.valid() && original.numElements() == wide.numElements() &&
                    original.elementType() == wide.elementType();
  const DebugContext dc(debugContext, "allGatherWithinReplica");
  const Tensor out =
      like ? graph.clone(original, dc)
           : graph.addVariable(all.elementType(), wide.shape(), VariableMappingMethod::LINEAR, dc);
  prog.add(Copy(wide.flatten(), out.flatten(), false, dc));
  return out.reshape(wide.shape());
}

Tensor concatChunks(Chunks chunks) {
  if (chunks.chunks.empty())
    throw poplibs_error("concatChunks: expected at least one chunk, got 0");
  std::sort(chunks.chunks.begin(), chunks.chunks.end(), [](const Chunk& a, const Chunk& b) {
    return a.index != b.index ? a.index < b.index : a.offset < b.offset;
  });
  std::vector<Tensor> all;
  for (const Chunk& c : chunks.chunks) all.push_back(c.tensor.flatten());
  return concat(all);
}

}  // namespace gcl
