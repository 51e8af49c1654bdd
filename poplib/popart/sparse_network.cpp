#include "sparse_network.hpp"

#include <popart/opmanager.hpp>
#include <popart/shapeinference.hpp>
#include <popart/tensorindex.hpp>

#include "check.hpp"
#include "identifiers.hpp"

namespace popsnn {
namespace ops {
namespace {

using ::popart::DataType;
using ::popart::GradOpInType;
using ::popart::OpDefinition;
using ::popart::TensorInfo;

// A saved tensor is the bits of an integer of the same size: PopART may cast or check floats on
// their way from one operator to another. PopTorch has no unsigned integers.
DataType saved_type(const poplar::Type& type) {
  return type == poplar::UNSIGNED_SHORT ? DataType::INT16 : DataType::INT32;
}

TensorInfo info_of(DataType type, const std::vector<std::size_t>& shape) {
  return TensorInfo(type, ::popart::Shape(shape.begin(), shape.end()));
}

// Of all outputs, in order.
std::vector<TensorInfo> output_infos(const NetworkSpec& network, std::size_t checkpoint_interval) {
  const LayerSpec& last = network.layers.back();
  const std::size_t steps = network.steps, batch = network.batch;
  std::vector<TensorInfo> infos;
  if (last.kind == LayerKind::LeakyReadout) {
    infos.push_back(info_of(DataType::FLOAT, {steps, batch, last.neurons}));
  } else {
    infos.push_back(info_of(DataType::FLOAT, {steps, batch, last.capacity}));
    infos.push_back(info_of(DataType::INT32, {steps, batch, last.capacity}));
    infos.push_back(info_of(DataType::INT32, {steps, batch, 2}));
  }
  for (const SavedTensor& saved : saved_tensors(network, checkpoint_interval))
    infos.push_back(info_of(saved_type(saved.type), saved.shape));
  for (const LayerSpec& layer : network.layers)
    if (layer.kind == LayerKind::SparseLif)
      infos.push_back(info_of(DataType::INT32, {steps, batch, 2}));
  return infos;
}

}  // namespace

int results_of(const NetworkSpec& network) {
  return network.layers.back().kind == LayerKind::LeakyReadout ? 1 : 3;
}

SparseNetworkOp::SparseNetworkOp(const ::popart::OperatorIdentifier& id, const Settings& settings,
                                 NetworkAttributes attributes)
    : Op(id, settings), attributes_(std::move(attributes)) {}

std::unique_ptr<::popart::Op> SparseNetworkOp::clone() const {
  return std::make_unique<SparseNetworkOp>(*this);
}

void SparseNetworkOp::setup() {
  std::vector<TensorInfo> inputs;
  for (int i = 0; i < input->n(); ++i) inputs.push_back(inInfo(i));
  network_ = network_of(opid.type, attributes_, inputs);
  const std::vector<TensorInfo> infos = output_infos(network_, interval_of(network_, attributes_));
  if (output->n() != int(infos.size()))
    fail(opid.type, "expected " + std::to_string(infos.size()) + " outputs for its layers, got " +
                        std::to_string(output->n()));
  for (std::size_t i = 0; i < infos.size(); ++i) outInfo(int(i)) = infos[i];
}

std::vector<std::unique_ptr<::popart::Op>> SparseNetworkOp::getGradOps() {
  std::vector<std::unique_ptr<Op>> ops;
  ops.emplace_back(std::make_unique<SparseNetworkGradOp>(*this));
  return ops;
}

void SparseNetworkOp::appendOutlineAttributes(::popart::OpSerialiserBase& serialiser) const {
  Op::appendOutlineAttributes(serialiser);
  attributes_.append(serialiser);
}

SparseNetworkGradOp::SparseNetworkGradOp(const SparseNetworkOp& forward)
    : Op(identifier("SparseNetworkGrad"), forward.settings),
      attributes_(forward.attributes()),
      network_(forward.network()) {
  inputs_.emplace_back(kOutGrad, 0, GradOpInType::GradOut);
  for (int i = kFirstLayer; i < count_inputs(attributes_); ++i)
    inputs_.emplace_back(grad_input_index(i), i, GradOpInType::In);
  const int saved = int(saved_tensors(network_, interval_of(network_, attributes_)).size());
  for (int i = 0; i < saved; ++i)
    inputs_.emplace_back(grad_input_index(count_inputs(attributes_)) + i, results_of(network_) + i,
                         GradOpInType::Out);
  const auto add = [&](int forward_input) {
    const int output = int(outputs_.size());
    outputs_[output] = forward_input;
    infos_[output] = forward.inInfo(forward_input);
  };
  const std::vector<LayerInputs> at = layer_inputs(attributes_);
  for (std::size_t l = 0; l < at.size(); ++l)
    for (const int index : {at[l].weights, at[l].recurrent_weights, at[l].bias,
                            network_.layers[l].learns ? at[l].parameters : -1,
                            network_.layers[l].learnt_delays != 0 ? at[l].taps : -1,
                            network_.layers[l].learns_steps(0) ? at[l].delay_steps : -1,
                            network_.layers[l].learns_steps(1) ? at[l].recurrent_delay_steps : -1})
      if (index >= 0) add(index);
  if (network_.input_gradient) add(kValues);
}

std::unique_ptr<::popart::Op> SparseNetworkGradOp::clone() const {
  return std::make_unique<SparseNetworkGradOp>(*this);
}

void SparseNetworkGradOp::setup() {
  for (const auto& info : infos_) outInfo(info.first) = info.second;
}

void SparseNetworkGradOp::appendOutlineAttributes(::popart::OpSerialiserBase& serialiser) const {
  Op::appendOutlineAttributes(serialiser);
  attributes_.append(serialiser);
}

namespace {

NetworkAttributes read_attributes(const std::string& type, const ::popart::Attributes& attributes) {
  NetworkAttributes result = NetworkAttributes::of(type, attributes);
  if (type == "SparseLayer" && result.layers.size() != 1)
    fail(type, "capacity: expected one entry, got " + std::to_string(result.layers.size()));
  return result;
}

OpDefinition::Attributes attribute_names() {
  OpDefinition::Attributes names;
  const LayerSpec layer;
  LayerSpec::each_option(layer,
                         [&](const char* name, const auto&) { names.insert({name, {"*"}}); });
  LayerSpec::each_delay(layer, [&](const char* name, const auto&) { names.insert({name, {"*"}}); });
  for (const char* name : {"model", "codelet", "model_numbers", "input_gradient", "segment",
                           "replicas", "sizes", "dense", "remote_partials"})
    names.insert({name, {"*"}});
  return names;
}

const OpDefinition definition({}, {}, attribute_names());

const ::popart::OpCreator<SparseNetworkOp> creator(
    {{identifier("SparseNetwork"), definition}, {identifier("SparseLayer"), definition}},
    [](const ::popart::OpCreatorInfo& info) {
      return std::unique_ptr<::popart::Op>(new SparseNetworkOp(
          info.opid, info.settings, read_attributes(info.opid.type, info.attributes)));
    },
    true);

void infer_shapes(const std::string& type, ::popart::ShapeInferenceContext& context) {
  const NetworkAttributes attributes = read_attributes(type, context.getAttributes());
  std::vector<TensorInfo> inputs;
  for (int i = 0; i < context.getNumInputs(); ++i) inputs.push_back(context.inInfo(i));
  const NetworkSpec network = network_of(type, attributes, inputs);
  const std::vector<TensorInfo> infos = output_infos(network, interval_of(network, attributes));
  for (std::size_t i = 0; i < infos.size(); ++i) context.outInfo(int(i)) = infos[i];
}

const ::popart::RegisterShapeInferenceFunction network_shapes(
    identifier("SparseNetwork"),
    [](::popart::ShapeInferenceContext& context) { infer_shapes("SparseNetwork", context); });
const ::popart::RegisterShapeInferenceFunction layer_shapes(
    identifier("SparseLayer"),
    [](::popart::ShapeInferenceContext& context) { infer_shapes("SparseLayer", context); });

}  // namespace

}  // namespace ops
}  // namespace popsnn
