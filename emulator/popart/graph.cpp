#include <algorithm>
#include <popart/graph.hpp>
#include <popart/ir.hpp>
#include <popart/topocons.hpp>

namespace popart {

Graph::Graph(Ir& ir, const GraphId& id_)
    : id(id_), topoCons(new TopoCons()), ir_(ir), tensors_(*this) {}
Graph::~Graph() = default;

std::vector<OpId> Graph::getOpIds() const {
  std::vector<OpId> out;
  for (const auto& op : ops_) out.push_back(op.first);
  return out;
}

Op* Graph::getOp(OpId opId) const {
  const auto entry = ops_.find(opId);
  if (entry == ops_.end()) throw error("Graph::getOp: expected an op {}, got none", opId);
  return entry->second.get();
}

OpId Graph::moveIntoGraph(std::unique_ptr<Op> op) {
  op->settings.graph = *this;
  op->id = ir_.getAndIncrOpsCounter();  // as it may come from another graph
  const OpId opId = op->id;
  ops_[opId] = std::move(op);
  return opId;
}

std::map<OpId, std::unique_ptr<Op>>::iterator Graph::eraseOp(OpId opId) {
  Op* op = getOp(opId);
  topoCons->remove(op);
  op->disconnectAllInputs();
  op->disconnectAllOutputs();
  return ops_.erase(ops_.find(opId));
}

bool Graph::hasInputId(const TensorId& tensorId) const {
  return std::find(inputs_.begin(), inputs_.end(), tensorId) != inputs_.end();
}

bool Graph::hasOutputId(const TensorId& tensorId) const {
  return std::find(outputs_.begin(), outputs_.end(), tensorId) != outputs_.end();
}

void Graph::addInput(const TensorId& tensorId, const TensorInfo& info) {
  tensors_.addStream(tensorId, info);
  inputs_.push_back(tensorId);
}

Ir::Ir() : main_(new Graph(*this, GraphId::root())) {}
Ir::~Ir() = default;

TensorId Ir::createIntermediateTensorId(const TensorId& base) {
  return base + "__t" + std::to_string(tensorCounter_++);
}

}  // namespace popart
