#include <popart/graph.hpp>
#include <popart/ir.hpp>
#include <popart/opmanager.hpp>
#include <popart/patterns/pattern.hpp>

namespace popart {

namespace {

struct Registered {
  std::string name;
  bool enabled;
  PreAliasPatternManager::Factory make;
};

std::map<std::type_index, Registered>& registry() {
  static std::map<std::type_index, Registered> all;
  return all;
}

}  // namespace

void PreAliasPatternManager::registerPattern(std::type_index type, const std::string& name,
                                             bool enabled, Factory factory) {
  registry()[type] = {name, enabled, std::move(factory)};
}

const std::string& PreAliasPatternManager::getPatternName(std::type_index type) {
  const auto entry = registry().find(type);
  if (entry == registry().end())
    throw error("Pattern::getPatternName: expected a registered pattern, got {}", type.name());
  return entry->second.name;
}

std::vector<std::unique_ptr<PreAliasPattern>> PreAliasPatternManager::enabled(
    const std::map<std::string, bool>& settings) {
  std::map<std::string, const Registered*> byName;  // an order that does not depend on addresses
  for (const auto& pattern : registry()) byName[pattern.second.name] = &pattern.second;
  std::vector<std::unique_ptr<PreAliasPattern>> out;
  for (const auto& pattern : byName) {
    const auto set = settings.find(pattern.first);
    if (set == settings.end() ? pattern.second->enabled : set->second)
      out.push_back(pattern.second->make());
  }
  return out;
}

const std::string& Pattern::getPatternName() const {
  return PreAliasPatternManager::getPatternName(std::type_index(typeid(*this)));
}

std::string Pattern::getReplacementOpName(Op* op, const std::string name) const {
  const std::string base = op->name().empty() ? op->opid.type : op->name();
  return name.empty() ? base + "_from_" + getPatternName() : base + "_" + name;
}

void Pattern::transferBaseProperties(const Op* from, Op* to) const {
  to->settings.vgraphId = from->settings.vgraphId;
  to->settings.pipelineStage = from->settings.pipelineStage;
  to->settings.executionPhase = from->settings.executionPhase;
  to->settings.executionContext = from->settings.executionContext;
  to->settings.recomputeType = from->settings.recomputeType;
  to->settings.tileSet = from->settings.tileSet;
  to->settings.schedulePriority = from->settings.schedulePriority;
}

bool PreAliasPattern::touchesAnchored(Op* op) const {
  for (const Tensor* tensor : touches(op))
    if (tensor->isAnchored()) return true;
  return false;
}

Op* PreAliasPattern::makeReplacementOpInIr(const OperatorIdentifier& opid, Op* oldOp,
                                           const std::string name) const {
  Graph& graph = oldOp->getGraph();
  std::unique_ptr<Op> op = OpManager::createOp(opid, graph, getReplacementOpName(oldOp, name));
  if (op == nullptr)
    throw error("PreAliasPattern::makeReplacementOpInIr: expected a registered operator, got {}",
                opid);
  transferBaseProperties(oldOp, op.get());
  return graph.getOp(graph.moveIntoGraph(std::move(op)));
}

void Ir::applyPreAliasPatterns() {
  const auto patterns = PreAliasPatternManager::enabled(options_.patterns);
  bool changed = true;
  while (changed) {
    changed = false;
    for (const auto& pattern : patterns) {
      for (OpId id : main_->getOpIds()) {
        const auto entry = main_->getOps().find(id);  // an earlier pattern may have erased it
        if (entry == main_->getOps().end()) continue;
        Op* op = entry->second.get();
        if (op->isExcludedFromPattern(pattern.get()) || !pattern->matches(op)) continue;
        if (pattern->touchesAnchored(op)) continue;
        changed = pattern->apply(op) || changed;
      }
    }
  }
}

}  // namespace popart
