#include <ostream>
#include <popart/error.hpp>
#include <popart/graph.hpp>
#include <popart/topocons.hpp>
#include <utility>

namespace popart {

namespace {

using Constraints = std::map<Op*, std::set<TopoOp>, POpCmp>;

std::vector<Op*> othersOf(const Constraints& constraints, Op* op, bool tiedOnly) {
  std::vector<Op*> out;
  const auto entry = constraints.find(op);
  if (entry == constraints.end()) return out;
  for (const TopoOp& other : entry->second)
    if (other.tied || !tiedOnly) out.push_back(other.op);
  return out;
}

std::set<TopoOp> copyOf(const Constraints& constraints, Op* op) {
  const auto entry = constraints.find(op);
  return entry == constraints.end() ? std::set<TopoOp>() : entry->second;
}

void erase(Constraints& constraints, Op* op, Op* other) {
  const auto entry = constraints.find(op);
  if (entry == constraints.end()) return;
  entry->second.erase(TopoOp(other));
  if (entry->second.empty()) constraints.erase(entry);
}

}  // namespace

void TopoCons::insert(Op* before, Op* after, bool tied) {
  if (before == after)
    throw error("TopoCons::insert: expected two ops, got {} twice", before->debugName());
  if (contains(after, before))
    throw error("TopoCons::insert: expected an order that can be kept, got {} before {} and after",
                before->debugName(), after->debugName());
  after_[before].insert(TopoOp(after, tied));
  before_[after].insert(TopoOp(before, tied));
}

void TopoCons::insert(const OpsBeforeKey& ops, bool tied) {
  for (const auto& key : ops)
    for (Op* before : key.second) insert(before, key.first, tied);
}

void TopoCons::remove(Op* before, Op* after) {
  erase(after_, before, after);
  erase(before_, after, before);
}

void TopoCons::remove(Op* op) {
  for (Op* before : getBefores(op)) remove(before, op);
  for (Op* after : getAfters(op)) remove(op, after);
}

void TopoCons::transfer(Op* from, Op* to, bool removeOld) {
  transferToMultiple(from, {to}, removeOld);
}

void TopoCons::transferToMultiple(Op* from, const std::vector<Op*>& to, bool removeOld) {
  const std::set<TopoOp> befores = copyOf(before_, from), afters = copyOf(after_, from);
  for (Op* op : to) {
    for (const TopoOp& before : befores) insert(before.op, op, before.tied);
    for (const TopoOp& after : afters) insert(op, after.op, after.tied);
  }
  if (removeOld) remove(from);
}

void TopoCons::transferToSubgraph(Op* replacement, std::map<Op*, std::vector<Op*>, POpCmp> remaps,
                                  bool removeOld) {
  TopoCons& outer = *replacement->getGraph().topoCons;
  std::vector<std::pair<Op*, TopoOp>> inner;  // an op of the subgraph, and what runs after it
  std::set<TopoOp> befores, afters;           // of the replacement
  for (const auto& remap : remaps) {
    for (const TopoOp& before : copyOf(outer.before_, remap.first))
      if (remaps.count(before.op) == 0) befores.insert(before);
    for (const TopoOp& after : copyOf(outer.after_, remap.first)) {
      const auto inside = remaps.find(after.op);
      if (inside == remaps.end()) {
        afters.insert(after);
        continue;
      }
      for (Op* first : remap.second)
        for (Op* second : inside->second) inner.emplace_back(first, TopoOp(second, after.tied));
    }
  }
  if (removeOld)
    for (const auto& remap : remaps) outer.remove(remap.first);
  for (const auto& pair : inner)
    pair.first->getGraph().topoCons->insert(pair.first, pair.second.op, pair.second.tied);
  for (const TopoOp& before : befores) outer.insert(before.op, replacement, before.tied);
  for (const TopoOp& after : afters) outer.insert(replacement, after.op, after.tied);
}

bool TopoCons::hasConstraint(Op* op) { return before_.count(op) > 0 || after_.count(op) > 0; }

bool TopoCons::contains(Op* before, Op* after) const {
  const auto entry = after_.find(before);
  return entry != after_.end() && entry->second.count(TopoOp(after)) > 0;
}

std::vector<Op*> TopoCons::getAfters(Op* before) const { return othersOf(after_, before, false); }
std::vector<Op*> TopoCons::getBefores(Op* after) const { return othersOf(before_, after, false); }
std::vector<Op*> TopoCons::getTiedAfters(Op* before) const {
  return othersOf(after_, before, true);
}
std::vector<Op*> TopoCons::getTiedBefores(Op* after) const {
  return othersOf(before_, after, true);
}

OpsBeforeKey TopoCons::finalConsumerCons(const Tensor* consumed, Op* last) const {
  if (consumed->consumers.n(last) == 0)
    throw error("TopoCons::finalConsumerCons: expected a consumer of '{}', got {}", consumed->id,
                last->debugName());
  OpsBeforeKey out{{last, {}}};
  for (Op* op : consumed->consumers.getOps())
    if (op != last) out[last].push_back(op);
  return out;
}

std::ostream& operator<<(std::ostream& stream, const TopoCons& constraints) {
  stream << "TopoCons:\n";
  for (const auto& before : constraints.getValsAfter())
    for (const TopoOp& after : before.second)
      stream << "  " << before.first->debugName() << " -> " << after.op->debugName()
             << (after.tied ? " (tied)\n" : "\n");
  return stream;
}

}  // namespace popart
