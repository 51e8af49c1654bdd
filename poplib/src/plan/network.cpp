#include "popsnn/network.hpp"

#include <bitset>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace popsnn {
namespace {

[[noreturn]] void fail(std::size_t layer, const std::string& what) {
  throw std::invalid_argument("network: layer " + std::to_string(layer) + ": " + what);
}

std::vector<std::uint64_t> numbers_of(const NeuronModel& model) {
  std::vector<std::uint64_t> numbers;
  NeuronModel::each_number(model,
                           [&](const char*, std::uint64_t number) { numbers.push_back(number); });
  return numbers;
}

}  // namespace

std::size_t optimizer_copies(Optimizer optimizer) {
  return optimizer == Optimizer::Adam ? 2 : optimizer == Optimizer::Sgd ? 1 : 0;
}

void NetworkSpec::check() const {
  if (layers.empty()) throw std::invalid_argument("network: expected at least one layer, got none");
  if (steps == 0 || batch == 0)
    throw std::invalid_argument("network: expected at least one step and one sample, got steps=" +
                                std::to_string(steps) + " and batch=" + std::to_string(batch));
  if (input_capacity == 0)
    throw std::invalid_argument("network: input_capacity: expected at least 1, got 0");
  std::map<std::string, NeuronModel> models;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const LayerSpec& layer = layers[l];
    const bool last = l + 1 == layers.size();
    if (layer.neurons == 0 || layer.inputs == 0)
      fail(l, "expected at least one input and one neuron, got " + std::to_string(layer.inputs) +
                  " and " + std::to_string(layer.neurons));
    if (l > 0 && layer.inputs != layers[l - 1].neurons)
      fail(l, "inputs: expected the " + std::to_string(layers[l - 1].neurons) +
                  " neurons of the layer before, got " + std::to_string(layer.inputs));
    if (layer.delay > 1) fail(l, "delay: expected 0 or 1, got " + std::to_string(layer.delay));
    if (layer.kind == LayerKind::LeakyReadout && !last)
      fail(l, "a leaky readout sends no spikes: expected it last");
    if (layer.kind == LayerKind::LeakyReadout && layer.recurrent)
      fail(l, "a leaky readout sends no spikes: expected it not recurrent");
    if (layer.kind == LayerKind::SparseLif &&
        (layer.capacity == 0 || layer.capacity > layer.neurons))
      fail(l, "capacity: expected 1 to " + std::to_string(layer.neurons) + ", got " +
                  std::to_string(layer.capacity));
    if (layer.has_ring() && batch > 65536)  // samples are entries of lists of 16-bit ids
      fail(l, "delays: expected a batch of at most 65536, got " + std::to_string(batch));
    if (layer.axonal > 0 && l == 0)
      fail(l, "axonal: expected 0 of the network's input, got " + std::to_string(layer.axonal));
    if (layer.recurrent_axonal > 0 && !layer.recurrent)
      fail(l, "recurrent_axonal: expected 0 without recurrent weights, got " +
                  std::to_string(layer.recurrent_axonal));
    for (std::size_t source = 0; source < 2; ++source) {
      const std::size_t arrivals = layer.arrivals_of(source);
      if (layer.late(source) != (arrivals > 0))
        fail(l, "arrivals: expected some exactly where a source has axonal delays, got " +
                    std::to_string(arrivals) + " of source " + std::to_string(source));
      if (layer.delays_weights(source) && !layer.delays(source))
        fail(l, "synaptic: expected sources with delays, got source " + std::to_string(source) +
                    " without");
      const bool learns = (layer.straight_through >> source & 1) != 0;
      if (learns && !layer.learns_axons(source) && !layer.learns_synapses(source))
        fail(l, "straight_through: expected sources with axonal or synaptic delays, got source " +
                    std::to_string(source) + " without");
      if (layer.undelayed_of(source) > (layer.late(source) ? source_size(l, source) : 0))
        fail(l, "undelayed: expected at most the neurons of a source with axonal delays, got " +
                    std::to_string(layer.undelayed_of(source)) + " of source " +
                    std::to_string(source));
      // A neuron has one delay, so at a step one of its spikes at most arrives.
      if (arrivals > source_size(l, source))
        fail(l, "arrivals: expected at most the " + std::to_string(source_size(l, source)) +
                    " neurons of a source, got " + std::to_string(arrivals) + " of source " +
                    std::to_string(source));
    }
    if (layer.recurrent_dendritic > 0 && !layer.recurrent)
      fail(l, "recurrent_dendritic: expected 0 without recurrent weights, got " +
                  std::to_string(layer.recurrent_dendritic));
    for (std::size_t source = 0; source < 2; ++source) {
      const unsigned kinds =
          (layer.whole_delays >> source & 1) + (layer.learnt_delays >> source & 1);
      if (kinds > (layer.has_dendrites(source) ? 1 : 0))
        fail(l,
             "whole_delays, learnt_delays: expected one of them where a source has dendritic "
             "delays, got source " +
                 std::to_string(source) + " with " + std::to_string(kinds));
    }
    const std::size_t learnt = std::bitset<32>(layer.learnt).count();
    if (layer.lowest.size() != learnt || layer.highest.size() != learnt)
      fail(l, "lowest, highest: expected bounds of the " + std::to_string(learnt) +
                  " parameters that the optimizer learns, got " +
                  std::to_string(layer.lowest.size()) + " and " +
                  std::to_string(layer.highest.size()));
    if (layer.kind != LayerKind::SparseLif) continue;
    const NeuronModel& known = models.emplace(layer.model.type, layer.model).first->second;
    if (known.codelet != layer.model.codelet)
      fail(l, "model: expected '" + known.type + "' of " + known.codelet +
                  " as in a layer before, got one of " + layer.model.codelet);
    if (numbers_of(known) != numbers_of(layer.model))
      fail(l, "model: expected the states, parameters and cycles of '" + known.type +
                  "' as in a layer before, got others");
  }
}

}  // namespace popsnn
