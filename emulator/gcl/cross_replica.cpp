// Collective operations over replicas: there is one, so that each is a copy, or a map of elements.
#include <gcl/Collectives.hpp>
#include <popops/ElementWise.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include "operators.hpp"

namespace gcl {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;
using Tensors = std::vector<Tensor>;

namespace {

void checkGroup(const Graph& graph, const CommGroup& group, const char* function) {
  const unsigned replicas = graph.getReplicationFactor();
  if (group.replicaGroupSize() > replicas) {
    throw poplibs_error(std::string(function) + ": expected a group of at most " +
                        std::to_string(replicas) + " replicas, got " +
                        std::to_string(group.replicaGroupSize()));
  }
}

void checkSame(const Tensor& data, const Tensor& destination, const char* function) {
  if (data.numElements() != destination.numElements() ||
      data.elementType() != destination.elementType()) {
    throw poplibs_error(std::string(function) + ": expected a destination of " +
                        std::to_string(data.numElements()) + " elements of " +
                        data.elementType().toString() + ", got " + destination.shapeToString() +
                        " of " + destination.elementType().toString());
  }
}

void checkSizes(const Tensors& datas, const Tensors& destinations, const char* function) {
  if (datas.size() != destinations.size()) {
    throw poplibs_error(std::string(function) + ": expected a destination for each of " +
                        std::to_string(datas.size()) + " tensors, got " +
                        std::to_string(destinations.size()));
  }
}

// A reduction over one replica.
void reduceTo(Graph& graph, const Tensor& data, const Tensor& destination, CollectiveOperator op,
              Sequence& prog, const CommGroup& group, const DebugContext& dc,
              const char* function) {
  checkGroup(graph, group, function);
  checkSame(data, destination, function);
  const popops::Operation operation = operationOf(op, function);
  const bool logical =
      operation == popops::Operation::LOGICAL_AND || operation == popops::Operation::LOGICAL_OR;
  if (logical != (data.elementType() == BOOL)) {
    throw poplibs_error(std::string(function) + ": expected " +
                        (logical ? "elements of type bool" : "an operator of bools") + ", got " +
                        data.elementType().toString());
  }
  if (operation == popops::Operation::SQUARE_ADD) {
    popops::squareWithOutput(graph, data.flatten(), destination.flatten(), prog, {dc, function});
  } else if (data != destination) {
    prog.add(Copy(data.flatten(), destination.flatten(), false, {dc, function}));
  }
}

Tensor copyOf(Graph& graph, const Tensor& data, Sequence& prog, const CommGroup& group,
              const DebugContext& dc, const char* function) {
  checkGroup(graph, group, function);
  return poputil::duplicate(graph, data, prog, {dc, function});
}

// The tensors that fn(tensor) makes of each.
template <class Fn>
Tensors each(const Tensors& datas, const Fn& fn) {
  Tensors out;
  for (const Tensor& data : datas) out.push_back(fn(data));
  return out;
}

}  // namespace

Tensor allReduceCrossReplica(Graph& graph, const Tensor& data, CollectiveOperator op,
                             Sequence& prog, const CommGroup& group,
                             const DebugContext& debugContext, const OptionFlags&) {
  const Tensor out = graph.clone(data, {debugContext, "allReduceCrossReplica"});
  reduceTo(graph, data, out, op, prog, group, debugContext, "allReduceCrossReplica");
  return out;
}

Tensors allReduceCrossReplica(Graph& graph, const Tensors& datas, CollectiveOperator op,
                              Sequence& prog, const CommGroup& group,
                              const DebugContext& debugContext, const OptionFlags& options) {
  return each(datas, [&](const Tensor& data) {
    return allReduceCrossReplica(graph, data, op, prog, group, debugContext, options);
  });
}

void allReduceToDestinationCrossReplica(Graph& graph, const Tensor& data, const Tensor& destination,
                                        CollectiveOperator op, Sequence& prog,
                                        const CommGroup& group, const DebugContext& debugContext,
                                        const OptionFlags&) {
  reduceTo(graph, data, destination, op, prog, group, debugContext,
           "allReduceToDestinationCrossReplica");
}

void allReduceToDestinationCrossReplica(Graph& graph, const Tensors& datas,
                                        const Tensors& destinations, CollectiveOperator op,
                                        Sequence& prog, const CommGroup& group,
                                        const DebugContext& debugContext,
                                        const OptionFlags& options) {
  checkSizes(datas, destinations, "allReduceToDestinationCrossReplica");
  for (std::size_t i = 0; i < datas.size(); ++i) {
    allReduceToDestinationCrossReplica(graph, datas[i], destinations[i], op, prog, group,
                                       debugContext, options);
  }
}

void allReduceInPlaceCrossReplica(Graph& graph, const Tensor& data, CollectiveOperator op,
                                  Sequence& prog, const CommGroup& group,
                                  const DebugContext& debugContext, const OptionFlags&) {
  reduceTo(graph, data, data, op, prog, group, debugContext, "allReduceInPlaceCrossReplica");
}

void allReduceInPlaceCrossReplica(Graph& graph, const Tensors& datas, CollectiveOperator op,
                                  Sequence& prog, const CommGroup& group,
                                  const DebugContext& debugContext, const OptionFlags& options) {
  for (const Tensor& data : datas) {
    allReduceInPlaceCrossReplica(graph, data, op, prog, group, debugContext, options);
  }
}

Tensor reduceScatterCrossReplica(Graph& graph, const Tensor& data, CollectiveOperator op,
                                 Sequence& prog, const CommGroup& group,
                                 const DebugContext& debugContext, const OptionFlags&) {
  const char* const function = "reduceScatterCrossReplica";
  if (data.rank() != 1) {
    throw poplibs_error("reduceScatterCrossReplica: expected one dimension, got " +
                        data.shapeToString());
  }
  if (op == CollectiveOperator::LOCAL) {
    return copyOf(graph, data, prog, group, debugContext, function);
  }
  const Tensor out = graph.clone(data, {debugContext, function});
  reduceTo(graph, data, out, op, prog, group, debugContext, function);
  return out;
}

Tensors reduceScatterCrossReplica(Graph& graph, const Tensors& datas, CollectiveOperator op,
                                  Sequence& prog, const CommGroup& group,
                                  const DebugContext& debugContext, const OptionFlags& options) {
  return each(datas, [&](const Tensor& data) {
    return reduceScatterCrossReplica(graph, data, op, prog, group, debugContext, options);
  });
}

void reduceScatterToDestinationCrossReplica(Graph& graph, const Tensor& data,
                                            const Tensor& destination, CollectiveOperator op,
                                            Sequence& prog, const CommGroup& group,
                                            const DebugContext& debugContext, const OptionFlags&) {
  const char* const function = "reduceScatterToDestinationCrossReplica";
  if (op == CollectiveOperator::LOCAL) op = CollectiveOperator::ADD;  // of one replica: the same
  reduceTo(graph, data, destination, op, prog, group, debugContext, function);
}

void reduceScatterToDestinationCrossReplica(Graph& graph, const Tensors& datas,
                                            const Tensors& destinations, CollectiveOperator op,
                                            Sequence& prog, const CommGroup& group,
                                            const DebugContext& debugContext,
                                            const OptionFlags& options) {
  checkSizes(datas, destinations, "reduceScatterToDestinationCrossReplica");
  for (std::size_t i = 0; i < datas.size(); ++i) {
    reduceScatterToDestinationCrossReplica(graph, datas[i], destinations[i], op, prog, group,
                                           debugContext, options);
  }
}

Tensor allGatherCrossReplica(Graph& graph, const Tensor& data, Sequence& prog,
                             const CommGroup& group, const DebugContext& debugContext,
                             const OptionFlags&) {
  return copyOf(graph, data, prog, group, debugContext, "allGatherCrossReplica").expand({0});
}

Tensors allGatherCrossReplica(Graph& graph, const Tensors& datas, Sequence& prog,
                              const CommGroup& group, const DebugContext& debugContext,
                              const OptionFlags& options) {
  return each(datas, [&](const Tensor& data) {
    return allGatherCrossReplica(graph, data, prog, group, debugContext, options);
  });
}

void allGatherToDestinationCrossReplica(Graph& graph, const Tensor& data, const Tensor& destination,
                                        Sequence& prog, const CommGroup& group,
                                        const DebugContext& debugContext, const OptionFlags&) {
  const char* const function = "allGatherToDestinationCrossReplica";
  checkGroup(graph, group, function);
  checkSame(data, destination, function);
  prog.add(Copy(data.flatten(), destination.flatten(), false, {debugContext, function}));
}

void allGatherToDestinationCrossReplica(Graph& graph, const Tensors& datas,
                                        const Tensors& destinations, Sequence& prog,
                                        const CommGroup& group, const DebugContext& debugContext,
                                        const OptionFlags& options) {
  checkSizes(datas, destinations, "allGatherToDestinationCrossReplica");
  for (std::size_t i = 0; i < datas.size(); ++i) {
    allGatherToDestinationCrossReplica(graph, datas[i], destinations[i], prog, group, debugContext,
                                       options);
  }
}

Tensor allToAllCrossReplica(Graph& graph, const Tensor& data, Sequence& prog,
                            const CommGroup& group, const DebugContext& debugContext,
                            const OptionFlags&) {
  if (data.rank() == 0 || data.dim(0) != graph.getReplicationFactor()) {
    throw poplibs_error("allToAllCrossReplica: expected a row for each of " +
                        std::to_string(graph.getReplicationFactor()) + " replicas, got " +
                        data.shapeToString());
  }
  return copyOf(graph, data, prog, group, debugContext, "allToAllCrossReplica");
}

Tensor broadcastCrossReplica(Graph& graph, const Tensor& data, Sequence& prog,
                             const CommGroup& group, unsigned rootReplica,
                             const DebugContext& debugContext, const OptionFlags&) {
  if (rootReplica >= graph.getReplicationFactor()) {
    throw poplibs_error("broadcastCrossReplica: expected a root below " +
                        std::to_string(graph.getReplicationFactor()) + ", got " +
                        std::to_string(rootReplica));
  }
  return copyOf(graph, data, prog, group, debugContext, "broadcastCrossReplica");
}

// Of all replicas.
Tensor allReduceCrossReplica(Graph& graph, const Tensor& data, CollectiveOperator op,
                             Sequence& prog, const DebugContext& dc, const OptionFlags& options) {
  return allReduceCrossReplica(graph, data, op, prog, CommGroup(), dc, options);
}
Tensors allReduceCrossReplica(Graph& graph, const Tensors& datas, CollectiveOperator op,
                              Sequence& prog, const DebugContext& dc, const OptionFlags& options) {
  return allReduceCrossReplica(graph, datas, op, prog, CommGroup(), dc, options);
}
void allReduceToDestinationCrossReplica(Graph& graph, const Tensor& data, const Tensor& destination,
                                        CollectiveOperator op, Sequence& prog,
                                        const DebugContext& dc, const OptionFlags& options) {
  allReduceToDestinationCrossReplica(graph, data, destination, op, prog, CommGroup(), dc, options);
}
void allReduceInPlaceCrossReplica(Graph& graph, const Tensor& data, CollectiveOperator op,
                                  Sequence& prog, const DebugContext& dc,
                                  const OptionFlags& options) {
  allReduceInPlaceCrossReplica(graph, data, op, prog, CommGroup(), dc, options);
}
void allReduceInPlaceCrossReplica(Graph& graph, const Tensors& datas, CollectiveOperator op,
                                  Sequence& prog, const DebugContext& dc,
                                  const OptionFlags& options) {
  allReduceInPlaceCrossReplica(graph, datas, op, prog, CommGroup(), dc, options);
}
Tensor reduceScatterCrossReplica(Graph& graph, const Tensor& data, CollectiveOperator op,
                                 Sequence& prog, const DebugContext& dc,
                                 const OptionFlags& options) {
  return reduceScatterCrossReplica(graph, data, op, prog, CommGroup(), dc, options);
}
Tensor allGatherCrossReplica(Graph& graph, const Tensor& data, Sequence& prog,
                             const DebugContext& dc, const OptionFlags& options) {
  return allGatherCrossReplica(graph, data, prog, CommGroup(), dc, options);
}
Tensor allToAllCrossReplica(Graph& graph, const Tensor& data, Sequence& prog,
                            const DebugContext& dc, const OptionFlags& options) {
  return allToAllCrossReplica(graph, data, prog, CommGroup(), dc, options);
}
Tensor broadcastCrossReplica(Graph& graph, const Tensor& data, Sequence& prog, unsigned rootReplica,
                             const DebugContext& dc, const OptionFlags& options) {
  return broadcastCrossReplica(graph, data, prog, CommGroup(), rootReplica, dc, options);
}

}  // namespace gcl
