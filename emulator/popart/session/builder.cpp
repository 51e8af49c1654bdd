#include <popart/attributes.hpp>
#include <popart/builder.hpp>
#include <popart/error.hpp>
#include <popart/shapeinference.hpp>
#include <set>

#include "model.hpp"

namespace popart {

struct Builder::Data {
  emulator::Model model;
  std::set<TensorId> ids;
  std::map<TensorId, TensorInfo> infos;  // of tensors whose shapes are known
};

namespace {

// The outputs by the operator's shape inference, where it has such a function and the inputs are
// known.
std::map<int, TensorInfo> inferred(const emulator::ModelNode& node,
                                   const std::map<TensorId, TensorInfo>& infos) {
  if (!ShapeInferenceFunctions::hasFunction(node.opid)) return {};
  std::map<int, TensorInfo> inputs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const auto known = infos.find(node.inputs[i]);
    if (known == infos.end()) return {};
    inputs[static_cast<int>(i)] = known->second;
  }
  ShapeInferenceContext context(inputs, Attributes(node.attributes),
                                static_cast<int>(node.outputs.size()));
  ShapeInferenceFunctions::getFunction(node.opid)(context);
  return context.getOutputInfos();
}

}  // namespace

Builder::Builder() : data_(new Data()) {}
Builder::~Builder() = default;

std::unique_ptr<Builder> Builder::create() { return std::unique_ptr<Builder>(new Builder()); }

// As PopART names tensors: the base, then base/1, base/2, ...
TensorId Builder::newId(const std::string& base) {
  TensorId id = base;
  for (int i = 1; !data_->ids.insert(id).second; ++i)
    id = base + sNameDelimiter + std::to_string(i);
  return id;
}

TensorId Builder::addInputTensor(const TensorInfo& info, const DebugContext& debugContext) {
  const std::string name = debugContext.getPathName();
  data_->model.tensors.push_back({newId(name.empty() ? "input" : name), info, ""});
  data_->infos[data_->model.tensors.back().id] = info;
  return data_->model.tensors.back().id;
}

TensorId Builder::addInputTensor(const std::string& dataType, const Shape& shape,
                                 const DebugContext& debugContext) {
  return addInputTensor(TensorInfo(dataType, shape), debugContext);
}

TensorId Builder::addInitializedInputTensor(const ConstVoidData& data,
                                            const DebugContext& debugContext) {
  const std::string name = debugContext.getPathName();
  const auto* bytes = static_cast<const char*>(data.data);
  data_->model.tensors.push_back(
      {newId(name.empty() ? "init_input" : name), data.info,
       std::string(bytes, static_cast<std::size_t>(data.info.nbytes()))});
  data_->infos[data_->model.tensors.back().id] = data.info;
  return data_->model.tensors.back().id;
}

TensorId Builder::addConstant(const ConstVoidData& data, const DebugContext& debugContext) {
  const TensorId id = addInitializedInputTensor(data, debugContext);
  data_->model.tensors.back().constant = 1;
  return id;
}

void Builder::addOutputTensor(const TensorId& id) {
  if (data_->ids.count(id) == 0)
    throw error("Builder::addOutputTensor: expected a tensor of the model, got '{}'", id);
  data_->model.outputs.push_back(id);
}

std::vector<TensorId> Builder::customOp(const OperatorIdentifier& opid, int opsetVersion,
                                        const std::vector<TensorId>& inputs,
                                        const unsigned numOutputs,
                                        const std::map<std::string, popart::any>& attributes,
                                        const DebugContext& debugContext) {
  const int count = static_cast<int>(inputs.size());
  const NumInputs& allowed = opid.numInputs;
  if ((allowed.min > 0 && count < allowed.min) || (allowed.max > 0 && count > allowed.max))
    throw error("{}: expected {} to {} inputs, got {}", opid, allowed.min, allowed.max, count);
  for (const TensorId& input : inputs)
    if (!input.empty() && data_->ids.count(input) == 0)
      throw error("{}: expected inputs of the model, got '{}'", opid, input);
  emulator::ModelNode node{
      opid, debugContext.getPathName(), Attributes(attributes).values(), inputs, {}};
  node.opid.version = static_cast<OpVersion>(opsetVersion);
  for (unsigned i = 0; i < numOutputs; ++i)
    node.outputs.push_back(
        newId((node.name.empty() ? opid.type : node.name) + ":" + std::to_string(i)));
  for (const auto& output : inferred(node, data_->infos))
    data_->infos[node.outputs.at(static_cast<std::size_t>(output.first))] = output.second;
  data_->model.nodes.push_back(node);
  return node.outputs;
}

const TensorInfo& Builder::info(const TensorId& id, const char* operation) const {
  const auto known = data_->infos.find(id);
  if (known == data_->infos.end()) {
    throw error(
        "Builder::{}: '{}': expected an input, or an output of an operator with a "
        "RegisterShapeInferenceFunction, got another",
        operation, id);
  }
  return known->second;
}

Shape Builder::getTensorShape(const TensorId& id) const {
  return info(id, "getTensorShape").shape();
}

std::string Builder::getTensorDtypeString(const TensorId& id) const {
  return info(id, "getTensorDtypeString").data_type_lcase();
}

std::string Builder::getModelProto() const { return emulator::serialize(data_->model); }

std::vector<TensorId> Builder::getInputTensorIds() const {
  std::vector<TensorId> out;
  for (const emulator::ModelTensor& tensor : data_->model.tensors)
    if (!tensor.constant) out.push_back(tensor.id);
  return out;
}

std::vector<TensorId> Builder::getOutputTensorIds() const { return data_->model.outputs; }

}  // namespace popart
