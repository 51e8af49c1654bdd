#include "network_attributes.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

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

  // The entry of a layer, in the type of a layer's field.
  template <class Field>
  Field entry(const std::string& name, std::size_t layer) const {
    if constexpr (std::is_enum_v<Field>) {
      return named<Field>(operation_, name, list<Attributes::Strings>(name)[layer]);
    } else if constexpr (std::is_floating_point_v<Field>) {
      return list<Attributes::Floats>(name)[layer];
    } else {
      const int64_t value = list<Attributes::Ints>(name)[layer];
      if (value < 0)
        fail(operation_, name + ": expected entries of at least 0, got " + std::to_string(value));
      return Field(value);
    }
  }

  bool flag(const std::string& name, bool otherwise) const {
    const int64_t value = attributes_.getAttribute<Attributes::Int>(name, otherwise);
    if (value != 0 && value != 1)
      fail(operation_, name + ": expected 0 or 1, got " + std::to_string(value));
    return value == 1;
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

// A neuron model of the numbers that NeuronModel lists, in its order.
NeuronModel model_of(const std::string& type, const std::string& codelet, const int64_t* numbers) {
  NeuronModel model;
  model.type = type;
  model.codelet = codelet;
  model.numbers = cycles::NeuronCycles();
  NeuronModel::each_number(model, [&](const char*, auto& number) {
    number = std::decay_t<decltype(number)>(*numbers++);
  });
  return model;
}

std::size_t count_numbers() {
  std::size_t count = 0;
  const NeuronModel model;
  NeuronModel::each_number(model, [&](const char*, auto) { ++count; });
  return count;
}

void read_models(const std::string& operation, const Reader& reader, const Attributes& attributes,
                 std::vector<LayerSpec>& layers) {
  if (!reader.has("model")) return;
  const auto models = reader.list<Attributes::Strings>("model");
  const auto codelets = reader.list<Attributes::Strings>("codelet");
  const auto numbers =
      attributes.getAttribute<Attributes::Ints>("model_numbers", Attributes::Ints());
  const std::size_t each = count_numbers();
  if (numbers.size() != each * layers.size())
    fail(operation, "model_numbers: expected " + std::to_string(each) + " entries a layer, got " +
                        std::to_string(numbers.size()) + " for " + std::to_string(layers.size()) +
                        " layers");
  for (std::size_t l = 0; l < layers.size(); ++l)
    if (!models[l].empty()) layers[l].model = model_of(models[l], codelets[l], &numbers[each * l]);
}

}  // namespace

NetworkAttributes NetworkAttributes::of(const std::string& operation,
                                        const Attributes& attributes) {
  const Reader reader(operation, attributes);
  NetworkAttributes result;
  for (std::size_t l = 0; l < reader.layers(); ++l) {
    LayerSpec layer;
    LayerSpec::each_option(layer, [&](const char* name, auto& option) {
      option = reader.entry<std::decay_t<decltype(option)>>(name, l);
    });
    LayerSpec::each_delay(layer, [&](const char* name, auto& option) {
      if (reader.has(name)) option = reader.entry<std::decay_t<decltype(option)>>(name, l);
    });
    layer.kind = layer.capacity == 0 ? LayerKind::LeakyReadout : LayerKind::SparseLif;
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
    if (choice < 0 || choice > int64_t(Choice::Never))
      fail(operation, "dense: expected entries of 0 to 2, got " + std::to_string(choice));
    result.plan.dense.push_back(Choice(choice));
  }
  result.plan.remote_partials = reader.flag("remote_partials", true);
  return result;
}

void NetworkAttributes::append(::popart::OpSerialiserBase& serialiser) const {
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const LayerSpec& layer = layers[l];
    const auto add = [&](const char* name, auto value) {
      serialiser.appendAttribute(name + std::to_string(l), value);
    };
    LayerSpec::each_option(layer, [&](const char* name, auto option) {
      if constexpr (std::is_enum_v<decltype(option)>)
        add(name, uint32_t(option));
      else if constexpr (std::is_same_v<decltype(option), std::size_t>)
        add(name, uint64_t(option));
      else
        add(name, option);
    });
    LayerSpec::each_delay(layer, add);
    add("model", layer.model.type);
    add("codelet", layer.model.codelet);
  }
  serialiser.appendAttribute("input_gradient", input_gradient);
  serialiser.appendAttribute("segment", uint64_t(plan.checkpoint_interval));
  serialiser.appendAttribute("replicas", uint64_t(plan.replicas));
  serialiser.appendAttribute("sizes", uint32_t(plan.sizes));
  for (std::size_t i = 0; i < plan.dense.size(); ++i)
    serialiser.appendAttribute("dense" + std::to_string(i), uint32_t(plan.dense[i]));
  serialiser.appendAttribute("remote_partials", plan.remote_partials);
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
    of.taps = layer.tap_rows() > 0 ? next++ : -1;
    const auto steps = [&](std::size_t source) {
      return layer.late(source) || layer.delays_weights(source) ? next++ : -1;
    };
    of.delay_steps = steps(0);
    of.recurrent_delay_steps = steps(1);
    inputs.push_back(of);
  }
  return inputs;
}

int count_inputs(const NetworkAttributes& attributes) {
  const LayerInputs last = layer_inputs(attributes).back();
  return 1 + std::max({last.parameters, last.taps, last.delay_steps, last.recurrent_delay_steps});
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
    check("taps", at[l].taps, {int64_t(layer.tap_rows()), size});
    const auto check_steps = [&](const char* what, int index, std::size_t source, int64_t sources) {
      if (layer.delays_weights(source))
        check(what, index, {size, sources});
      else
        check(what, index, {sources});
    };
    check_steps("delay_steps", at[l].delay_steps, 0, int64_t(layer.inputs));
    check_steps("recurrent_delay_steps", at[l].recurrent_delay_steps, 1, size);
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
  // A readout stores all of its states, so one alone has no checkpoints.
  const bool spikes = network.layers.front().kind == LayerKind::SparseLif;
  return spikes && attributes.plan.checkpoint_interval > 0 ? attributes.plan.checkpoint_interval
                                                           : network.steps;
}

}  // namespace ops
}  // namespace popsnn
