#include <popart/graph.hpp>
#include <popart/opmanager.hpp>

namespace popart {

bool OpCreatorInfo::hasInputTensor(int index) const {
  return index >= 0 && index < static_cast<int>(inputIds_.size()) &&
         !inputIds_[static_cast<std::size_t>(index)].empty();
}

Tensor* OpCreatorInfo::getInputTensor(int index) const {
  if (!hasInputTensor(index))
    throw error("OpCreatorInfo::getInputTensor: {}: expected an input {}, got none", debugName(),
                index);
  return settings.graph.get().getTensors().get(inputIds_[static_cast<std::size_t>(index)]);
}

TensorInfo& OpCreatorInfo::getInputTensorInfo(int index) const {
  return getInputTensor(index)->info;
}

std::string OpCreatorInfo::debugName() const {
  return logging::format("{} ({})", settings.name, opid);
}

OpManager& OpManager::instance() {
  static OpManager manager;
  return manager;
}

void OpManager::registerOp(const OpInfo& info) {
  instance().ops_[{info.id.domain, info.id.type}].insert({static_cast<int>(info.id.version), info});
}

OpManager::OpInfo* OpManager::find(const OpDomain& domain, const OpType& type, int opsetVersion) {
  const auto entry = ops_.find({domain.empty() ? Domain::ai_onnx : domain, type});
  if (entry == ops_.end()) return nullptr;
  OpInfo* newest = nullptr;
  for (auto& version : entry->second)
    if (version.first <= opsetVersion) newest = &version.second;
  return newest;
}

namespace {

std::unique_ptr<Op> makeOp(OpManager::OpInfo& info, Graph& graph, const std::string& name,
                           const Scope& scope, const Attributes& attributes,
                           const std::vector<TensorId>& inputIds,
                           const std::vector<TensorId>& outputIds) {
  Op::Settings settings(graph, name, scope);
  settings.setFromAttributes(attributes);
  return info.getSimpleFactory()(OpCreatorInfo(info.id, settings, attributes, inputIds, outputIds));
}

}  // namespace

std::unique_ptr<Op> OpManager::createOp(const OpDomain& domain, const OpType& type,
                                        int opsetVersion, Graph& graph, const std::string& name,
                                        const Scope& scope, const Attributes& attributes,
                                        const std::vector<TensorId>& inputIds,
                                        const std::vector<TensorId>& outputIds) {
  OpInfo* info = instance().find(domain, type, opsetVersion);
  if (info == nullptr) return nullptr;
  return makeOp(*info, graph, name, scope, attributes, inputIds, outputIds);
}

std::unique_ptr<Op> OpManager::createOp(const OperatorIdentifier& opid, Graph& graph,
                                        const std::string& name, const Attributes& attributes) {
  return createOpWithInputs(opid, graph, name, attributes, {});
}

std::unique_ptr<Op> OpManager::createOpWithInputs(const OperatorIdentifier& opid, Graph& graph,
                                                  const std::string& name,
                                                  const Attributes& attributes,
                                                  const std::vector<TensorId>& inputIds) {
  const int version = static_cast<int>(opid.version);
  OpInfo* info = instance().find(opid.domain, opid.type, version);
  if (info == nullptr || info->id.version != opid.version) return nullptr;
  return makeOp(*info, graph, name, {}, attributes, inputIds, {});
}

const std::vector<OperatorIdentifier> OpManager::getSupportedOperations(bool includePrivate) {
  std::vector<OperatorIdentifier> out;
  for (const auto& definition : getSupportedOperationsDefinition(includePrivate))
    out.push_back(definition.first);
  return out;
}

const OpDefinitions OpManager::getSupportedOperationsDefinition(bool includePrivate) {
  OpDefinitions out;
  for (const auto& op : instance().ops_)
    for (const auto& version : op.second)
      if (version.second.isPublic || includePrivate)
        out.insert({version.second.id, version.second.details});
  return out;
}

OpVersion OpManager::getOpVersionFromOpSet(const OpDomain& domain, const OpType& type,
                                           int opsetVersion) {
  const OpInfo* info = instance().find(domain, type, opsetVersion);
  return info == nullptr ? 0 : info->id.version;
}

Attributes OpManager::getAttributesFromAnyMap(std::map<std::string, popart::any> attributes) {
  return Attributes(attributes);
}

}  // namespace popart
