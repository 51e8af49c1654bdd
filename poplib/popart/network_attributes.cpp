#include "network_attributes.hpp"

#include <algorithm>
#include <stdexcept>

#include "check.hpp"
#include "names.hpp"

namespace popsnn {
namespace ops {
namespace {

using ::popart::Attributes;
using ::popart::DataType;
using ::popart::TensorInfo;

// Reads lists of one entry a layer.
class Reader {
 public:
  Reader(const std::string& operation, const Attributes& attributes)
      : operation_(operation), attributes_(attributes) {
    layers_ = list<Attributes::Ints>("capacity").size();
    if (layers_ == 0) fail(operation, "capacity: expected one entry a layer, got none");
  }

  std::size_t layers() const { return layers_; }

  template <class List>
  List list(const std::string& name) const {
    if (!attributes_.hasAttribute(name))
      fail(operation_, name + ": expected an attribute with one entry a layer, got none");
    const List entries = attributes_.getAttribute<List>(name);
    if (layers_ > 0 && entries.size() != layers_)
      fail(operation_, name + ": expected " + std::to_string(layers_) +
                           " entries, one a layer, got " + std::to_string(entries.size()));
    return entries;
  }

  int64_t number(const std::string& name, int64_t least) const {
    const int64_t value = attributes_.getAttribute<Attributes::Int>(name, 0);
    if (value < least)
      fail(operation_, name + ": expected at least " + std::to_string(least) + ", got " +
                           std::to_string(value));
    return value;
  }

  bool has(const std::string& name) const { return attributes_.hasAttribute(name); }

 private:
  const std::string& operation_;
  const Attributes& attributes_;
  std::size_t layers_ = 0;
};

constexpr std::size_t kModelNumbers = 8;

// Numbers of a neuron model: states, parameters, those that learn, bundles of step, fires, near and
// grad, and which of the states is the membrane.
NeuronModel model_of(const std::string& type, const std::string& codelet, const int64_t* numbers) {
  NeuronModel model;
  model.type = type;
  model.codelet = codelet;
  cycles::NeuronCycles& of = model.numbers;
  of = cycles::NeuronCycles();
  of.states = unsigned(numbers[0]);
  of.parameters = unsigned(numbers[1]);
  of.learnable = unsigned(numbers[2]);
  of.step = std::uint64_t(numbers[3]);
  of.fires = std::uint64_t(numbers[4]);
  of.near = std::uint64_t(numbers[5]);
  of.grad = std::uint64_t(numbers[6]);
  model.membrane = std::size_t(numbers[7]);
  return model;
}

void read_models(const std::string& operation, const Reader& reader, const Attributes& attributes,
                 std::vector<LayerSpec>& layers) {
  if (!reader.has("model")) return;
  const auto models = reader.list<Attributes::Strings>("model");
  const auto codelets = reader.list<Attributes::Strings>("codelet");
  const auto numbers =
      attributes.getAttribute<Attributes::Ints>("model_numbers", Attributes::Ints());
  if (numbers.size() != kModelNumbers * layers.size())
    fail(operation, "model_numbers: expected 8 entries a layer, got " +
                        std::to_string(numbers.size()) + " for " + std::to_string(layers.size()) +
                        " layers");
  for (std::size_t l = 0; l < layers.size(); ++l)
    if (!models[l].empty())
      layers[l].model = model_of(models[l], codelets[l], &numbers[kModelNumbers * l]);
}

}  // namespace

NetworkAttributes NetworkAttributes::of(const std::string& operation,
                                        const Attributes& attributes) {
  const Reader reader(operation, attributes);
  const auto capacity = reader.list<Attributes::Ints>("capacity");
  const auto delay = reader.list<Attributes::Ints>("delay");
  const auto recurrent = reader.list<Attributes::Ints>("recurrent");
  const auto bias = reader.list<Attributes::Ints>("bias");
  const auto gain = reader.list<Attributes::Floats>("gain");
  const auto reset = reader.list<Attributes::Strings>("reset");
  const auto detach_reset = reader.list<Attributes::Ints>("detach_reset");
  const auto surrogate = reader.list<Attributes::Strings>("surrogate");
  const auto surrogate_parameter = reader.list<Attributes::Floats>("surrogate_parameter");
  const auto half_weights = reader.list<Attributes::Ints>("half_weights");
  const auto learns = reader.list<Attributes::Ints>("learns");
  NetworkAttributes result;
  for (std::size_t l = 0; l < reader.layers(); ++l) {
    LayerSpec layer;
    layer.kind = capacity[l] == 0 ? LayerKind::LeakyReadout : LayerKind::SparseLif;
    layer.capacity = std::size_t(std::max<int64_t>(0, capacity[l]));
    layer.delay = unsigned(delay[l]);
    layer.recurrent = recurrent[l] != 0;
    layer.bias = bias[l] != 0;
    layer.gain = gain[l];
    layer.half_weights = half_weights[l] != 0;
    layer.learns = learns[l] != 0;
    layer.reset = reset_of(operation, reset[l]);
    layer.detach_reset = detach_reset[l] != 0;
    layer.surrogate = surrogate_of(operation, surrogate[l]);
    layer.surrogate_parameter = surrogate_parameter[l];
    // The gradient of the last layer's spikes comes from the operators that read them.
    layer.observed = l + 1 == reader.layers() && layer.kind == LayerKind::SparseLif;
    result.layers.push_back(layer);
  }
  read_models(operation, reader, attributes, result.layers);
  result.input_gradient = reader.number("input_gradient", 0) != 0;
  result.plan.checkpoint_interval = std::size_t(reader.number("segment", 0));
  result.plan.replicas = std::size_t(reader.number("replicas", 0));
  result.plan.sizes = unsigned(reader.number("sizes", 0));
  for (int64_t choice : attributes.getAttribute<Attributes::Ints>("dense", Attributes::Ints())) {
    if (choice < 0 || choice > int64_t(Dense::Never))
      fail(operation, "dense: expected entries of 0 to 2, got " + std::to_string(choice));
    result.plan.dense.push_back(Dense(choice));
  }
  return result;
}

void NetworkAttributes::append(::popart::OpSerialiserBase& serialiser) const {
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const LayerSpec& layer = layers[l];
    const auto add = [&](const char* name, auto value) {
      serialiser.appendAttribute(name + std::to_string(l), value);
    };
    add("capacity", uint64_t(layer.capacity));
    add("delay", uint32_t(layer.delay));
    add("recurrent", layer.recurrent);
    add("bias", layer.bias);
    add("gain", layer.gain);
    add("reset", uint32_t(layer.reset));
    add("detach_reset", layer.detach_reset);
    add("surrogate", uint32_t(layer.surrogate));
    add("surrogate_parameter", layer.surrogate_parameter);
    add("half_weights", layer.half_weights);
    add("learns", layer.learns);
    add("model", layer.model.type);
    add("codelet", layer.model.codelet);
  }
  serialiser.appendAttribute("input_gradient", input_gradient);
  serialiser.appendAttribute("segment", uint64_t(plan.checkpoint_interval));
  serialiser.appendAttribute("replicas", uint64_t(plan.replicas));
  serialiser.appendAttribute("sizes", uint32_t(plan.sizes));
  for (std::size_t i = 0; i < plan.dense.size(); ++i)
    serialiser.appendAttribute("dense" + std::to_string(i), uint32_t(plan.dense[i]));
}

std::vector<LayerInputs> layer_inputs(const NetworkAttributes& attributes) {
  std::vector<LayerInputs> inputs;
  int next = kFirstLayer;
  for (const LayerSpec& layer : attributes.layers) {
    LayerInputs of;
    of.weights = next++;
    of.recurrent_weights = layer.recurrent ? next++ : -1;
    of.bias = layer.bias ? next++ : -1;
    of.parameters = next++;
    inputs.push_back(of);
  }
  return inputs;
}

int count_inputs(const NetworkAttributes& attributes) {
  return layer_inputs(attributes).back().parameters + 1;
}

NetworkSpec network_of(const std::string& operation, const NetworkAttributes& attributes,
                       const std::vector<TensorInfo>& inputs) {
  if (int(inputs.size()) != count_inputs(attributes))
    fail(operation, "expected " + std::to_string(count_inputs(attributes)) +
                        " inputs for its layers, got " + std::to_string(inputs.size()));
  check_rank(operation, "ids", inputs[kIds], DataType::INT32, 3, "[T, B, S]");
  const ::popart::Shape lists = inputs[kIds].shape();
  check_input(operation, "counts", inputs[kCounts], DataType::INT32, {lists[0], lists[1], 2});
  check_input(operation, "values", inputs[kValues], DataType::FLOAT, lists);
  check_input(operation, "sequence", inputs[kSequence], DataType::INT32, {2});
  NetworkSpec network;
  network.layers = attributes.layers;
  network.input_gradient = attributes.input_gradient;
  network.steps = std::size_t(lists[0]);
  network.batch = std::size_t(lists[1]);
  network.input_capacity = std::size_t(lists[2]);
  const std::vector<LayerInputs> at = layer_inputs(attributes);
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    LayerSpec& layer = network.layers[l];
    const auto name = [&](const char* what) { return what + std::to_string(l); };
    const TensorInfo& weights = inputs[std::size_t(at[l].weights)];
    check_rank(operation, name("weights"), weights, DataType::FLOAT, 2, "[N, M]");
    const int64_t size = weights.shape()[0];
    layer.neurons = std::size_t(size);
    layer.inputs = std::size_t(weights.shape()[1]);
    const auto check = [&](const char* what, int index, const ::popart::Shape& shape) {
      if (index >= 0)
        check_input(operation, name(what), inputs[std::size_t(index)], DataType::FLOAT, shape);
    };
    check("recurrent_weights", at[l].recurrent_weights, {size, size});
    check("bias", at[l].bias, {size});
    check("parameters", at[l].parameters, {int64_t(layer.parameters()), size});
  }
  try {
    network.check();
  } catch (const std::invalid_argument& error) {
    fail(operation, error.what());
  }
  if (attributes.plan.checkpoint_interval > network.steps)
    fail(operation, "segment: expected at most the " + std::to_string(network.steps) +
                        " steps, got " + std::to_string(attributes.plan.checkpoint_interval));
  return network;
}

std::size_t interval_of(const NetworkSpec& network, const NetworkAttributes& attributes) {
  return attributes.plan.checkpoint_interval > 0 ? attributes.plan.checkpoint_interval
                                                 : network.steps;
}

}  // namespace ops
}  // namespace popsnn
