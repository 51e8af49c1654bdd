// The order in which a graph's ops run.
#include <map>
#include <popart/graph.hpp>
#include <popart/topocons.hpp>
#include <set>

namespace popart {

namespace {

using Successors = std::map<Op*, OpSet, POpCmp>;

// Each tensor's representative: tensors that alias each other have the same.
std::map<Tensor*, Tensor*> aliasClasses(const Graph& graph) {
  std::map<Tensor*, Tensor*> parent;
  for (Tensor* t : graph.getTensors().getAll()) parent[t] = t;
  const auto root = [&](Tensor* t) {
    while (parent[t] != t) t = parent[t];
    return t;
  };
  for (const auto& op : graph.getOps())
    for (const auto& in : op.second->input->tensorMap())
      for (const auto& out : op.second->output->tensorMap())
        if (op.second->doesAlias(in.first, out.first)) parent[root(out.second)] = root(in.second);
  for (auto& p : parent) p.second = root(p.first);
  return parent;
}

OpSet reachable(const Successors& successors, Op* from) {
  OpSet out;
  std::vector<Op*> next{from};
  while (!next.empty()) {
    Op* op = next.back();
    next.pop_back();
    for (Op* successor : successors.at(op))
      if (out.insert(successor).second) next.push_back(successor);
  }
  return out;
}

Successors dataFlow(const Graph& graph) {
  Successors out;
  for (const auto& op : graph.getOps()) {
    OpSet& successors = out[op.second.get()];
    for (Tensor* t : op.second->output->tensors())
      for (Op* consumer : t->consumers.getOps()) successors.insert(consumer);
  }
  return out;
}

}  // namespace

std::vector<Op*> Graph::getOpSchedule(const OpsBeforeKey& more, RequireOptimalSchedule) const {
  Successors successors = dataFlow(*this);
  for (const auto& before : topoCons->getValsAfter())
    for (const TopoOp& after : before.second) successors[before.first].insert(after.op);
  for (const auto& key : more)
    for (Op* before : key.second) successors[before].insert(key.first);
  std::map<Tensor*, OpSet> readers;  // by the representative of what they read
  std::map<Tensor*, Tensor*> classes = aliasClasses(*this);
  for (const auto& t : classes)
    for (Op* consumer : t.first->consumers.getOps()) readers[t.second].insert(consumer);
  for (const auto& op : ops_) {
    Op* modifier = op.second.get();
    const OpSet after = reachable(successors, modifier);
    for (const auto& in : modifier->input->tensorMap()) {
      if (!modifier->modifiesIndex(in.first)) continue;
      for (Op* reader : readers[classes[in.second]])
        if (reader != modifier && after.count(reader) == 0) successors[reader].insert(modifier);
    }
  }
  std::map<Op*, int, POpCmp> waits;
  for (const auto& s : successors)
    for (Op* successor : s.second) ++waits[successor];
  OpSet ready;
  for (const auto& s : successors)
    if (waits[s.first] == 0) ready.insert(s.first);
  std::vector<Op*> out;
  while (!ready.empty()) {
    Op* op = *ready.begin();
    ready.erase(ready.begin());
    out.push_back(op);
    for (Op* successor : successors[op])
      if (--waits[successor] == 0) ready.insert(successor);
  }
  if (out.size() != ops_.size()) {
    throw error(
        "Graph::getOpSchedule: expected an order of {} ops that keeps all constraints, and in "
        "which a tensor is written in place after all others have read it, got one of {}",
        ops_.size(), out.size());
  }
  return out;
}

}  // namespace popart
