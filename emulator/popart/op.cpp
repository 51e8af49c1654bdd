#include <popart/graph.hpp>
#include <popart/ir.hpp>
#include <popart/op.hpp>
#include <popart/opserialiser.hpp>
#include <popart/patterns/pattern.hpp>
#include <popart/region.hpp>

namespace popart {

void Op::Settings::setFromAttributes(const Attributes& attributes) {
  std::int64_t value = 0;
  if (attributes.hasAttribute(sVirtualGraphAttribute)) {
    attributes.set(value, sVirtualGraphAttribute);
    vgraphId = value;
  }
  if (attributes.hasAttribute(sPipelineStageAttribute)) {
    attributes.set(value, sPipelineStageAttribute);
    pipelineStage = value;
  }
  if (attributes.hasAttribute(sExecutionPhaseAttribute)) {
    attributes.set(value, sExecutionPhaseAttribute);
    executionPhase = value;
  }
  float priority = 0;
  if (attributes.hasAttribute(sSchedulePriority)) {
    attributes.set(priority, sSchedulePriority);
    schedulePriority = priority;
  }
}

Ir& Op::Settings::getIr() const { return graph.get().getIr(); }

Op::Op(const OperatorIdentifier& opid_, const Op::Settings& settings_)
    : input(new TensorIndexMap()),
      output(new TensorIndexMap()),
      id(settings_.graph.get().getIr().getAndIncrOpsCounter()),
      opid(opid_),
      settings(settings_),
      debugInfo_(settings_.name.empty() ? opid_.type : settings_.name, "popart") {}

Op::Op(const Op& other)
    : Vertex(other),
      input(new TensorIndexMap()),
      output(new TensorIndexMap()),
      id(other.settings.graph.get().getIr().getAndIncrOpsCounter()),
      opid(other.opid),
      pruneable(other.pruneable),
      settings(other.settings),
      debugInfo_(settings.name.empty() ? opid.type : settings.name, "popart") {}

Op::~Op() = default;

Ir& Op::getIr() { return getGraph().getIr(); }
const Ir& Op::getIr() const { return getGraph().getIr(); }

void Op::setup() { throw error("Op::setup: expected {} to override it, got none", opid); }

void Op::appendAttributes(OpSerialiserBase& os) const {
  os.appendAttribute(sVirtualGraphAttribute, settings.vgraphId);
  os.appendAttribute(sPipelineStageAttribute, settings.pipelineStage);
}

void Op::appendOutlineAttributes(OpSerialiserBase& os) const {
  os.appendAttribute(sVirtualGraphAttribute, settings.vgraphId);
  for (const auto& attribute : settings.extraOutlineAttributes)
    os.appendAttribute(attribute.first, attribute.second);
}

std::vector<std::unique_ptr<Op>> Op::getGradOps() { return {}; }

const std::vector<GradInOutMapper>& Op::gradInputInfo() const {
  throw error("Op::gradInputInfo: expected the gradient op {} to override it, got none", opid);
}

const std::map<int, int>& Op::gradOutToNonGradIn() const {
  throw error("Op::gradOutToNonGradIn: expected the gradient op {} to override it, got none", opid);
}

int Op::getNonGradInIndex(int gradOpOutIndex) const {
  const std::map<int, int>& map = gradOutToNonGradIn();
  const auto entry = map.find(gradOpOutIndex);
  if (entry == map.end())
    throw error("Op::getNonGradInIndex: {}: expected an output that is a gradient, got {}", opid,
                gradOpOutIndex);
  return entry->second;
}

view::Regions Op::uses(InIndex index) const { return {view::Region::getFull(inShape(index))}; }
view::Regions Op::modifies(InIndex index) const { return {view::Region::getEmpty(inRank(index))}; }
view::Regions Op::aliases(InIndex in, OutIndex) const {
  return {view::Region::getEmpty(inRank(in))};
}

view::RegMap Op::fwdRegMap(InIndex in, OutIndex out) const {
  if (inShape(in) != outShape(out))
    throw error("Op::fwdRegMap: {}: expected an override where shapes differ, got none", opid);
  return [](const view::Region& region) { return view::Regions{region}; };
}

view::RegMap Op::bwdRegMap(InIndex in, OutIndex out) const {
  if (inShape(in) != outShape(out))
    throw error("Op::bwdRegMap: {}: expected an override where shapes differ, got none", opid);
  return [](const view::Region& region) { return view::Regions{region}; };
}

bool Op::doesAlias(InIndex in, OutIndex out) const {
  return view::nonEmptyRegion(aliases(in, out));
}

bool Op::doesAlias() const {
  for (const auto& in : input->tensorMap())
    for (const auto& out : output->tensorMap())
      if (doesAlias(in.first, out.first)) return true;
  return false;
}

bool Op::modifiesIndex(InIndex in) const { return view::regionsModified(modifies(in)); }

bool Op::modifies() const {
  for (const auto& in : input->tensorMap())
    if (modifiesIndex(in.first)) return true;
  return false;
}

bool Op::modifiesTensor(Tensor* tensor) const {
  for (int index : input->indices(tensor))
    if (modifiesIndex(index)) return true;
  return false;
}

std::unique_ptr<Op> Op::getInplaceVariant(const OperatorIdentifier& variant) const {
  throw error("Op::getInplaceVariant: {}: expected a variant that there is, got {}", opid, variant);
}

VGraphIdAndTileSet Op::getIntrospectionInVirtualGraphId(InIndex, std::set<OpId>&) const {
  return {settings.vgraphId ? *settings.vgraphId : unusedVGraphId, settings.tileSet};
}
VGraphIdAndTileSet Op::getIntrospectionOutVirtualGraphId(OutIndex, std::set<OpId>&) const {
  return {settings.vgraphId ? *settings.vgraphId : unusedVGraphId, settings.tileSet};
}

void Op::connectInTensor(InIndex index, TensorId tensorId) {
  Tensor* tensor = getGraph().getTensors().get(tensorId);
  input->insert(index, tensor);
  tensor->consumers.increment(this);
}

void Op::connectInTensor(InIndex index, TensorId tensorId, VGraphId) {
  connectInTensor(index, tensorId);
}

void Op::connectOutTensor(OutIndex index, TensorId tensorId) {
  Tensor* tensor = getGraph().getTensors().get(tensorId);
  output->insert(index, tensor);
  tensor->setProducer(this);
}

void Op::createAndConnectOutTensor(OutIndex index, TensorId tensorId) {
  getGraph().getTensors().addActGrad(tensorId);
  connectOutTensor(index, tensorId);
}

void Op::disconnectInTensor(Tensor* tensor) {
  for (int index : input->indices(tensor)) disconnectInTensor(index, tensor);
}
void Op::disconnectInTensor(InIndex index, Tensor* tensor) {
  tensor->consumers.decrement(this);
  input->erase(index);
}
void Op::disconnectInTensor(InIndex index) { disconnectInTensor(index, inTensor(index)); }

void Op::disconnectOutTensor(Tensor* tensor) {
  for (int index : output->indices(tensor)) output->erase(index);
  tensor->resetProducer(nullptr);
}

void Op::disconnectAllInputs() {
  for (Tensor* tensor : input->tensors()) tensor->consumers.decrement(this);
  input->clear();
}

void Op::disconnectAllOutputs() {
  for (Tensor* tensor : output->tensors()) tensor->resetProducer(nullptr);
  output->clear();
}

InIndex Op::inIndex(Tensor* tensor) const {
  const std::vector<int> indices = input->indices(tensor);
  if (indices.empty())
    throw error("Op::inIndex: {}: expected an input, got '{}'", debugName(), tensor->id);
  return indices.front();
}

OutIndex Op::outIndex(Tensor* tensor) const {
  const std::vector<int> indices = output->indices(tensor);
  if (indices.empty())
    throw error("Op::outIndex: {}: expected an output, got '{}'", debugName(), tensor->id);
  return indices.front();
}

Shape Op::prettyNpOut(const Shape& a, const Shape& b) const { return npOut(a, b, debugName()); }
TensorInfo Op::prettyNpOut(const TensorInfo& a, const TensorInfo& b, bool checkDataType) const {
  return npOut(a, b, checkDataType, debugName());
}

std::string Op::str() const {
  return std::to_string(id) + " (" + logging::format("{}", opid) + ")";
}

std::string Op::debugName() const {
  std::vector<TensorId> in, out;
  for (const auto& t : input->tensorIdMap()) in.push_back(t.second);
  for (const auto& t : output->tensorIdMap()) out.push_back(t.second);
  const std::string called =
      name().empty() ? logging::format("{}", opid) : logging::format("{} ({})", name(), opid);
  return logging::format("Op({}, inputs=[{}], outputs=[{}])", called,
                         logging::join(in.begin(), in.end(), ", "),
                         logging::join(out.begin(), out.end(), ", "));
}

VGraphId Op::getVirtualGraphId() const {
  if (!settings.vgraphId)
    throw error("Op::getVirtualGraphId: {}: expected a virtual graph, got none", debugName());
  return *settings.vgraphId;
}

PipelineStage Op::getPipelineStage() const {
  if (!settings.pipelineStage)
    throw error("Op::getPipelineStage: {}: expected a stage, got none", debugName());
  return *settings.pipelineStage;
}

bool Op::isExcludedFromPattern(const Pattern* pattern) const {
  return settings.excludePatterns.count(pattern->getPatternName()) > 0;
}

void Op::append(std::stringstream& out) const {
  OpSerialiser os(this, out);
  appendAttributes(os);
  appendMore(os);
}

}  // namespace popart
