#include "streams.hpp"

#include <string>
#include <vector>

#include "update.hpp"
#include "views.hpp"

namespace popsnn {
namespace {

using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Sequence;

// Adds the streams of one layer.
class LayerStreams {
 public:
  LayerStreams(ProgramTable& table, const NetworkSpec& network, const Plan& plan,
               const NetworkTensors& tensors, std::size_t l)
      : table_(table),
        network_(network),
        plan_(plan),
        layer_(network.layers[l]),
        tensors_(tensors),
        l_(l),
        number_(std::to_string(l)) {}

  void add() {
    for (std::size_t source = 0; source < layer_.sources(); ++source)
      add_parameter((source == 0 ? "weights" : "recurrent_weights") + number_, true, source);
    add_parameter("bias" + number_, layer_.bias, layer_.sources());
    write_to_all(ProgramId::WriteNeurons, "parameters" + number_,
                 [](const LayerTensors& t) { return t.parameters.rows_by_neurons(); });
    if (layer_.has_ring()) add_delays();
    for (std::size_t source = 0; source < layer_.sources(); ++source)
      if (layer_.late(source)) add_axonal_delays(source);
    if (layer_.rows_ahead > 0) add_delays_ahead();
    for (std::size_t i = 0; i < first().learnt.size(); ++i) add_learnt(i);
    if (layer_.learns)
      table_.read(ProgramId::ReadGradients, "parameters" + number_,
                  first().parameter_grad.rows_by_neurons());
    if (saves_all_states() || network_.traced)
      table_.read(ProgramId::ReadMembranes, "membrane" + number_, membranes(last_row()));
    if (network_.carries_state) add_states();
    if (layer_.kind == LayerKind::LeakyReadout)
      add_readout();
    else
      add_spikes();
  }

  // At the end of a checkpoint interval its membranes go to the host, before the next one
  // overwrites them.
  void add_interval_end(Sequence& interval_end) {
    if (saves_all_states() || !network_.traced) return;
    interval_end.add(table_.read_rows(ProgramId::Forward, "earlier_membrane" + number_,
                                      membranes(plan_.checkpoint_interval),
                                      plan_.checkpoints(network_.steps)));
  }

  // From a layer's current gradients at the first time step the host computes those of the initial
  // spikes, which have no list: the active set of the time step before is not known here.
  void add_first_step_end(Sequence& first_step_end) {
    if (!network_.carries_state) return;
    const auto read = [&](const std::string& name, const Tensor& grad) {
      first_step_end.add(table_.read_rows(ProgramId::Backward, name + number_, grad, 1));
    };
    bool has_ring_grad = false;
    for (std::size_t source = 0; source < layer_.sources(); ++source) {
      if (source == 0 && layer_.delay == 0) continue;
      // Of sources without delays it is the same: read once.
      if (source > 0 && layer_.delay > 0 && !layer_.delays(0) && !layer_.delays(1)) continue;
      if (layer_.delays_weights(source)) {  // of steps at which the spikes arrive
        if (!has_ring_grad)
          read("first_ring_grad",
               whole(1, [&](const LayerTensors& t) { return ring_rows(t.delays.grad_ring); }));
        has_ring_grad = true;
        continue;
      }
      read(layer_.delays(source) ? "first_product_grad" + std::to_string(source) + "_"
                                 : "first_current_grad",
           whole(0, [=](const LayerTensors& t) { return t.grad_of(source).rows_by_neurons(); }));
    }
    // dL/d(current) of the first steps, which inputs before them reach through delays.
    if (layer_.has_ring())
      read("early_grad",
           whole(1, [&](const LayerTensors& t) { return early(t.delays.grad_ring); }));
  }

 private:
  const LayerTensors& first() const { return tensors_.replicas[0].layers[l_]; }

  template <class OfLayer>
  Tensor whole(unsigned axis, OfLayer of_layer) const {
    return whole_batch(tensors_, axis,
                       [&](const ReplicaTensors& replica) { return of_layer(replica.layers[l_]); });
  }

  // Values that every replica has a copy of: written to the first one, and copied to the others.
  template <class OfLayer>
  void write_to_all(ProgramId id, const std::string& name, OfLayer of_layer) {
    const Tensor source = of_layer(first());
    table_.write(id, name, source);
    for (std::size_t r = 1; r < tensors_.replicas.size(); ++r)
      table_.add(id, Copy(source, of_layer(tensors_.replicas[r].layers[l_])));
  }

  // `which`: as `parameter_at` numbers them.
  void add_parameter(const std::string& name, bool trained, std::size_t which) {
    const auto of_layer = [=](const LayerTensors& t) -> const Parameter& {
      return parameter_at(t, which);
    };
    write_to_all(ProgramId::WriteParameters, name,
                 [&](const LayerTensors& t) { return of_layer(t).value.rows_by_neurons(); });
    if (!trained) return;
    const Parameter& parameter = of_layer(first());
    if (!parameter.rest.empty()) {
      const Tensor rest = ranges(of_layer, [](const Parameter& p) { return p.rest; });
      table_.write(ProgramId::WriteParameters, name + "_rest", rest);
      table_.read(ProgramId::ReadParameters, name + "_rest", rest);
    }
    table_.read(ProgramId::ReadParameters, name, parameter.value.rows_by_neurons());
    table_.read(ProgramId::ReadGradients, name, summed_gradient(tensors_, l_, which));
    for (std::size_t copy = 0; copy < parameter.state.size(); ++copy) {
      const Tensor state = ranges(of_layer, [=](const Parameter& p) { return p.state[copy]; });
      table_.read(ProgramId::ReadOptimizer, name + "_state" + std::to_string(copy), state);
      table_.write(ProgramId::WriteOptimizer, name + "_state" + std::to_string(copy), state);
    }
  }

  // Taps of dendritic delays, or whole steps; steps of each weight; currents of the first steps
  // that come from inputs before them.
  void add_delays() {
    if (layer_.tap_rows() > 0)
      write_to_all(ProgramId::WriteNeurons, "taps" + number_,
                   [](const LayerTensors& t) { return t.delays.taps.rows_by_neurons(); });
    if (layer_.learnt_delays != 0)
      table_.read(ProgramId::ReadGradients, "taps" + number_,
                  first().delays.tap_grad.rows_by_neurons());
    for (std::size_t source = 0; source < layer_.sources(); ++source) {
      const std::string name = (source == 0 ? "synapses" : "recurrent_synapses") + number_;
      if (layer_.delays_weights(source))
        write_to_all(ProgramId::WriteNeurons, name, [=](const LayerTensors& t) {
          return t.delays.synapses[source].rows_by_neurons();
        });
      if (layer_.learns_synapses(source))
        table_.read(ProgramId::ReadGradients, name,
                    first().delays.synapse_grad[source].rows_by_neurons());
    }
    if (network_.carries_state)
      table_.write(ProgramId::Forward, "early_current" + number_,
                   whole(1, [&](const LayerTensors& t) { return early(t.delays.ring); }));
  }

  // Whole steps, to every tile of the samples.
  void add_axonal_delays(std::size_t source) {
    const std::string name = (source == 0 ? "axons" : "recurrent_axons") + number_;
    const Tensor steps = first().arrivals[source].delays[0];
    table_.write(ProgramId::WriteNeurons, name, steps);
    std::vector<Tensor> others;
    for (const ReplicaTensors& replica : tensors_.replicas) {
      const Arrivals& arrivals = replica.layers[l_].arrivals[source];
      for (std::size_t tile = &replica == &tensors_.replicas[0] ? 1 : 0;
           tile < arrivals.delays.dim(0); ++tile)
        others.push_back(arrivals.delays[tile]);
      for (std::size_t tile = 0; tile < arrivals.fired_delays.dim(0); ++tile)
        others.push_back(arrivals.fired_delays[tile]);
      for (std::size_t b = 0; arrivals.part_delays.valid() && b < arrivals.part_delays.dim(0); ++b)
        others.push_back(arrivals.part_delays[b]);
    }
    table_.add(
        ProgramId::WriteNeurons,
        Copy(poplar::concat(std::vector<Tensor>(others.size(), steps)), poplar::concat(others)));
    if (layer_.learns_axons(source))  // the host sums over samples
      table_.read(ProgramId::ReadGradients, name,
                  whole(0, [=](const LayerTensors& t) { return t.arrivals[source].steps_grad; }));
  }

  // Whole steps, to every tile of the neurons.
  void add_delays_ahead() {
    const Tensor delays = first().delays_ahead[0];
    table_.write(ProgramId::WriteNeurons, "axons" + number_, delays);
    std::vector<Tensor> others;
    for (const ReplicaTensors& replica : tensors_.replicas) {
      const Tensor& all = replica.layers[l_].delays_ahead;
      const std::size_t written = &replica == &tensors_.replicas[0] ? 1 : 0;
      if (all.dim(0) > written) others.push_back(all.slice(written, all.dim(0)));
    }
    if (others.empty()) return;
    const Tensor copies = poplar::concat(others);
    table_.add(ProgramId::WriteNeurons,
               Copy(delays.expand({0}).broadcast(unsigned(copies.dim(0)), 0), copies));
  }

  // A ring's rows of all steps but the last: [slots - 1, batch, neurons].
  Tensor early(const TileShards& ring) const {
    return ring_rows(ring).slice(0, layer_.ring_slots() - 1);
  }

  // [slots, batch, neurons]
  Tensor ring_rows(const TileShards& ring) const {
    const Tensor rows = ring.rows_by_neurons();
    const std::size_t slots = layer_.ring_slots();
    return rows.reshape({slots, rows.dim(0) / slots, layer_.neurons});
  }

  // A learnt parameter of the neurons, not clamped, and the optimizer's state.
  void add_learnt(std::size_t i) {
    const Learnt& learnt = first().learnt[i];
    const std::string name = "learnt" + std::to_string(learnt.row) + "_" + number_;
    write_to_all(ProgramId::WriteParameters, name,
                 [=](const LayerTensors& t) { return t.learnt[i].value.rows_by_neurons(); });
    table_.read(ProgramId::ReadParameters, name, learnt.value.rows_by_neurons());
    for (std::size_t copy = 0; copy < learnt.state.size(); ++copy) {
      const Tensor state = learnt.state[copy].rows_by_neurons();
      table_.read(ProgramId::ReadOptimizer, name + "_state" + std::to_string(copy), state);
      table_.write(ProgramId::WriteOptimizer, name + "_state" + std::to_string(copy), state);
    }
  }

  // [rows, neurons] of the replicas' ranges, by tile.
  template <class OfLayer, class OfParameter>
  Tensor ranges(OfLayer of_layer, OfParameter of_parameter) const {
    const std::vector<Tensor>& shards = of_layer(first()).value.on;
    std::vector<Tensor> on;
    for (std::size_t tile = 0; tile < shards.size(); ++tile) {
      std::vector<Tensor> parts;
      for (const ReplicaTensors& replica : tensors_.replicas)
        parts.push_back(of_parameter(of_layer(replica.layers[l_]))[tile]);
      on.push_back(poplar::concat(parts).reshape(shards[tile].shape()));
    }
    return poplar::concat(on, 1);
  }

  bool saves_all_states() const {
    return layer_.kind == LayerKind::LeakyReadout || plan_.checkpoints(network_.steps) == 0;
  }

  // The row of the states after the last time step.
  std::size_t last_row() const {
    if (saves_all_states()) return network_.steps;
    return network_.steps - plan_.checkpoints(network_.steps) * plan_.checkpoint_interval;
  }

  // The stored states of one replica: [1 + steps, batch, states, neurons].
  Tensor states(const LayerTensors& t) const {
    return state_rows(t.states,
                      1 + (saves_all_states() ? network_.steps : plan_.checkpoint_interval),
                      layer_.states());
  }

  // [batch, grad_states, neurons] of shards of as many rows.
  Tensor by_sample(const TileShards& shards) const {
    const Tensor rows = shards.rows_by_neurons();
    const std::size_t states = layer_.grad_states();
    return rows.reshape({rows.dim(0) / states, states, layer_.neurons});
  }

  // The membrane at the first `steps` time steps that are stored: [steps, batch, neurons].
  Tensor membranes(std::size_t steps) const {
    return whole(1, [&](const LayerTensors& t) {
      return membranes_of(states(t), layer_.membrane(), steps);
    });
  }

  void add_states() {
    const auto at = [&](std::size_t row) {
      return whole(0, [&](const LayerTensors& t) { return states(t)[row]; });
    };
    table_.write(ProgramId::Forward, "initial_state" + number_, at(0));
    table_.read(ProgramId::ReadStates, "final_state" + number_, at(last_row()));
    table_.write(ProgramId::Backward, "final_grad" + number_,
                 whole(0, [&](const LayerTensors& t) { return by_sample(t.final_grad); }));
    table_.read(ProgramId::ReadStates, "initial_grad" + number_,
                whole(0, [&](const LayerTensors& t) { return by_sample(t.state_grad); }));
  }

  void add_readout() {
    table_.read(ProgramId::Forward, "output", membranes(network_.steps));
    table_.write(
        ProgramId::Backward, "output_grad", whole(1, [&](const LayerTensors& t) {
          const Tensor rows = t.output_grad.rows_by_neurons();
          return rows.reshape({network_.steps, rows.dim(0) / network_.steps, layer_.neurons});
        }));
  }

  void add_spikes() {
    if (network_.carries_state) {
      table_.write(ProgramId::Forward, "initial_ids" + number_,
                   whole(0, [](const LayerTensors& t) { return first_row(t.lists.ids_history); }));
      table_.write(
          ProgramId::Forward, "initial_counts" + number_,
          whole(0, [](const LayerTensors& t) { return first_row(t.lists.counts_history); }));
    }
    table_.read(ProgramId::ReadCounts, "counts" + number_,
                whole(1, [](const LayerTensors& t) { return step_rows(t.lists.counts_history); }));
    table_.read(ProgramId::ReadCounts, "drops" + number_,
                whole(1, [](const LayerTensors& t) { return time_major(t.drop_history); }));
    table_.read(ProgramId::ReadSpikes, "ids" + number_,
                whole(1, [](const LayerTensors& t) { return step_rows(t.lists.ids_history); }));
    if (layer_.observed)
      table_.write(ProgramId::Backward, "slot_grad" + number_,
                   whole(1, [](const LayerTensors& t) { return time_major(t.value_grad); }));
  }

  ProgramTable& table_;
  const NetworkSpec& network_;
  const Plan& plan_;
  const LayerSpec& layer_;
  const NetworkTensors& tensors_;
  const std::size_t l_;
  const std::string number_;
};

}  // namespace

StreamPrograms add_streams(ProgramTable& table, const NetworkSpec& network, const Plan& plan,
                           const NetworkTensors& tensors) {
  const auto input = [&](unsigned axis, const char* name, Tensor (*rows)(const Tensor&),
                         Tensor SpikeHistory::* history) {
    table.write(ProgramId::Forward, name,
                whole_batch(tensors, axis, [&](const ReplicaTensors& replica) {
                  return rows(replica.input.*history);
                }));
  };
  input(1, "input_ids", &step_rows, &SpikeHistory::ids_history);
  input(1, "input_counts", &step_rows, &SpikeHistory::counts_history);
  if (network.carries_state) {
    input(0, "initial_input_ids", &first_row, &SpikeHistory::ids_history);
    input(0, "initial_input_counts", &first_row, &SpikeHistory::counts_history);
  }
  table.write(ProgramId::Forward, "sequence", tensors.sequence);
  if (network.optimizer != Optimizer::None)
    table.write(ProgramId::Update, "settings", tensors.settings);
  StreamPrograms programs;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    LayerStreams streams(table, network, plan, tensors, l);
    streams.add();
    streams.add_interval_end(programs.interval_end);
    streams.add_first_step_end(programs.first_step_end);
  }
  if (network.input_gradient)
    table.read(ProgramId::Backward, "input_grad",
               whole_batch(tensors, 1, [](const ReplicaTensors& replica) {
                 return time_major(replica.input_grad);
               }));
  return programs;
}

}  // namespace popsnn
