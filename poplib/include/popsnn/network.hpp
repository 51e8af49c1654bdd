// Descriptions of a network and of its layers, before any device is thought of. `each_field` is the
// one table of a record's fields, in their order: bindings read Python's records of the same names
// by it (python/popsnn/_internal/spec.py), and PopART's operators their attributes.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "delays/ring.hpp"
#include "delays/sections.hpp"
#include "neurons/cycles.hpp"
#include "neurons/options.hpp"
#include "popsnn/names.hpp"

namespace popsnn {

enum class LayerKind { SparseLif, LeakyReadout };

template <>
struct Names<LayerKind> {
  static constexpr const char* all[] = {"SparseLif", "LeakyReadout"};
};

// How a layer's neurons take the spikes of its sources: lists that fired, lists of arrivals, or
// lists that fired whose products go to the rows of the time steps at which they arrive.
enum class Reads { Fired, Arrivals, Ahead };

// A neuron model of codelets/neurons/neuron_model.hpp, or a neuron with an adjoint
// (codelets/neurons/forward_model.hpp): its struct and its numbers.
struct NeuronModel {
  std::string type = "popsnn::Lif";
  // Path of a custom neuron's header, which is compiled when a network is built; empty: one of the
  // project's codelets.
  std::string codelet;
  cycles::NeuronCycles numbers = cycles::kLif;
  std::size_t membrane = 0;  // which of its states
  bool adjoint = false;      // the struct has an adjoint; `grad` of the numbers is its cycles

  template <class Self, class Visit>
  static void each_number(Self& self, Visit&& visit) {
    visit("states", self.numbers.states);
    visit("parameters", self.numbers.parameters);
    visit("learnable", self.numbers.learnable);
    visit("step", self.numbers.step);
    visit("fires", self.numbers.fires);
    visit("near", self.numbers.near);
    visit("grad", self.numbers.grad);
    visit("membrane", self.membrane);
    visit("adjoint", self.adjoint);
  }

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("type", self.type);
    visit("codelet", self.codelet);
    each_number(self, visit);
  }

  // Whether it has vertices that add products to rows ahead: the project's own neurons alone.
  bool takes_ahead() const { return codelet.empty() && !adjoint; }
  // The vertices' names; `step_vertices` lacks the last template arguments: the types of ids and,
  // but of rows ahead, of weights.
  std::string step_vertices(Reads reads) const {
    const std::string model = adjoint ? "popsnn::ForwardModel<" + type + ">" : type;
    if (reads == Reads::Ahead) return "popsnn::NeuronStepAhead<" + model + ",";
    return "popsnn::NeuronStep<" +
           (reads == Reads::Arrivals ? "popsnn::LateModel<" + model + ">" : model) + ",";
  }
  std::string step_vertex(Reads reads, const std::string& id_type,
                          const std::string& weight_type) const {
    return step_vertices(reads) + id_type + (reads == Reads::Ahead ? "" : "," + weight_type) + ">";
  }
  std::string grad_vertex(Surrogate surrogate, Reads reads) const {
    const std::string vertex = adjoint                 ? "NeuronAdjoint<"
                               : reads == Reads::Ahead ? "NeuronStepGradAhead<"
                                                       : "NeuronStepGrad<";
    return "popsnn::" + vertex + type + "," + std::to_string(unsigned(surrogate)) + ">";
  }
  // States that a backward step hands to the step before: of an adjoint the spike is one.
  std::size_t grad_states() const { return numbers.states + (adjoint ? 1 : 0); }
  // `zeroes`: a spike zeroes the membrane, and no gradient passes the reset.
  std::uint64_t grad_cycles(unsigned batch, unsigned neurons, Surrogate surrogate,
                            unsigned learnable, bool zeroes) const {
    return adjoint
               ? cycles::neuron_adjoint(numbers, batch, neurons, surrogate, learnable)
               : cycles::neuron_step_grad(numbers, batch, neurons, surrogate, learnable, zeroes);
  }
};

// One layer: a linear map of spikes and its neurons. Parameters' values are data, not part of it.
struct LayerSpec {
  LayerKind kind = LayerKind::SparseLif;
  std::size_t inputs = 0;
  std::size_t neurons = 0;
  std::size_t capacity = 0;  // active neurons a sample and time step; SparseLif only
  unsigned delay = 0;        // 0 or 1 time steps between the input's spikes and this layer
  bool recurrent = false;    // also reads its spikes of the time step before; SparseLif only
  bool bias = true;          // false: the bias is zero
  float gain = 1.0f;
  Reset reset = Reset::Zero;
  bool detach_reset = true;
  Surrogate surrogate = Surrogate::SuperSpike;
  float surrogate_parameter = 10.0f;
  bool half_weights = false;  // of 16 bits, recurrent ones too; all else has 32
  bool learns = false;        // the gradient of the neurons' parameters is wanted
  NeuronModel model;          // SparseLif only
  bool observed = false;      // the loss has a gradient of its spikes; true of a last SparseLif
  // Of the parameters that may learn, by bits: which ones the device's optimizer updates; and what
  // each of these is clamped to, by its rank among them, where infinite is no bound.
  unsigned learnt = 0;
  std::vector<float> lowest, highest;
  // Delays of currents: the longest of the input's, and of those of its own spikes, in steps after
  // `delay` and after the one that its spikes take; 0: none. Bit s: those of source s are of each
  // weight, in whole steps, and not dendritic; dendritic ones are whole steps, or their taps learn.
  unsigned dendritic = 0, recurrent_dendritic = 0;
  unsigned synaptic = 0, whole_delays = 0, learnt_delays = 0;
  // Axonal delays of whole steps, likewise, and the most entries that arrive at a time step.
  unsigned axonal = 0, recurrent_axonal = 0;
  unsigned arrivals = 0, recurrent_arrivals = 0;
  // Bit s: the axonal delays of source s, or those of each weight, learn by a straight-through
  // gradient.
  unsigned straight_through = 0;
  // Neurons of a source with axonal delays that have a delay of 0: they arrive at once.
  unsigned undelayed = 0, recurrent_undelayed = 0;
  // Axonal delays of its input whose products go to the rows of the time steps at which they
  // arrive: the longest, in steps after `delay`; 0: none. The planner's choice (plan_delays),
  // in place of `axonal`.
  unsigned rows_ahead = 0;
  // First time steps whose currents come in part from inputs before them, which the host
  // multiplies.
  unsigned early = 0;

  // The fields that PopART's operators have as an attribute, with one entry a layer.
  template <class Self, class Visit>
  static void each_option(Self& self, Visit&& visit) {
    visit("capacity", self.capacity);
    visit("delay", self.delay);
    visit("recurrent", self.recurrent);
    visit("bias", self.bias);
    visit("gain", self.gain);
    visit("reset", self.reset);
    visit("detach_reset", self.detach_reset);
    visit("surrogate", self.surrogate);
    visit("surrogate_parameter", self.surrogate_parameter);
    visit("half_weights", self.half_weights);
    visit("learns", self.learns);
  }

  // Those about delays, which PopART's operators have as attributes where a layer has any.
  template <class Self, class Visit>
  static void each_delay(Self& self, Visit&& visit) {
    visit("dendritic", self.dendritic);
    visit("recurrent_dendritic", self.recurrent_dendritic);
    visit("synaptic", self.synaptic);
    visit("whole_delays", self.whole_delays);
    visit("learnt_delays", self.learnt_delays);
    visit("axonal", self.axonal);
    visit("recurrent_axonal", self.recurrent_axonal);
    visit("arrivals", self.arrivals);
    visit("recurrent_arrivals", self.recurrent_arrivals);
    visit("straight_through", self.straight_through);
    visit("undelayed", self.undelayed);
    visit("recurrent_undelayed", self.recurrent_undelayed);
    visit("early", self.early);
  }

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("kind", self.kind);
    visit("inputs", self.inputs);
    visit("neurons", self.neurons);
    each_option(self, visit);
    visit("model", self.model);
    visit("observed", self.observed);
    visit("learnt", self.learnt);
    visit("lowest", self.lowest);
    visit("highest", self.highest);
    each_delay(self, visit);
  }

  // A readout's neuron has one state, its membrane, and one parameter, its decay.
  std::size_t states() const { return kind == LayerKind::SparseLif ? model.numbers.states : 1; }
  std::size_t grad_states() const {
    return kind == LayerKind::SparseLif ? model.grad_states() : states();
  }
  bool has_adjoint() const { return kind == LayerKind::SparseLif && model.adjoint; }
  std::size_t parameters() const {
    return kind == LayerKind::SparseLif ? model.numbers.parameters : 1;
  }
  std::size_t learnable() const {
    return kind == LayerKind::SparseLif ? model.numbers.learnable : 1;
  }
  std::size_t membrane() const { return kind == LayerKind::SparseLif ? model.membrane : 0; }
  // As in the names of vertices.
  const char* weight_type() const { return half_weights ? "half" : "float"; }
  // Of what the neurons' step sums: a delayed layer's currents have 32 bits.
  const char* step_weight_type() const { return has_ring() ? "float" : weight_type(); }
  std::size_t weight_bytes() const { return half_weights ? 2 : 4; }
  // Lists that it reads: its input's, and its own of the time step before.
  std::size_t sources() const { return recurrent ? 2 : 1; }

  unsigned longest_delay(std::size_t source) const {
    return source == 0 ? dendritic : recurrent_dendritic;
  }
  bool delays(std::size_t source) const { return longest_delay(source) > 0; }
  bool has_ring() const { return ring_slots() > 1; }
  bool delays_weights(std::size_t source) const { return (synaptic >> source & 1) != 0; }
  bool has_dendrites(std::size_t source) const { return delays(source) && !delays_weights(source); }
  bool learns_delays(std::size_t source) const { return (learnt_delays >> source & 1) != 0; }
  // Rows of a source's taps (delays/ring.hpp), and of all sources.
  unsigned tap_rows(std::size_t source) const {
    if (!has_dendrites(source)) return kUndelayed;
    return (whole_delays >> source & 1) != 0 ? kWhole : longest_delay(source) + 1;
  }
  unsigned tap_rows() const { return tap_rows(0) + (recurrent ? tap_rows(1) : 0); }
  // Steps of its ring of currents.
  unsigned ring_slots() const { return std::max({dendritic, recurrent_dendritic, early}) + 1; }
  // Whether it reads a source's spikes late, as lists of arrivals; then the slots of their ring.
  bool late(std::size_t source) const { return axonal_slots(source) > 1; }
  unsigned axonal_slots(std::size_t source) const {
    return (source == 0 ? axonal : recurrent_axonal) + 1;
  }
  // What its neurons read; those of a ring of currents read its row alone.
  Reads reads() const {
    return rows_ahead > 0                        ? Reads::Ahead
           : !has_ring() && (late(0) || late(1)) ? Reads::Arrivals
                                                 : Reads::Fired;
  }
  bool steps_late() const { return reads() == Reads::Arrivals; }
  unsigned arrivals_of(std::size_t source) const {
    return source == 0 ? arrivals : recurrent_arrivals;
  }
  bool learns_axons(std::size_t source) const {
    return late(source) && (straight_through >> source & 1) != 0;
  }
  bool learns_synapses(std::size_t source) const {
    return delays_weights(source) && (straight_through >> source & 1) != 0;
  }
  bool learns_steps(std::size_t source) const {
    return learns_axons(source) || learns_synapses(source);
  }
  // Sections of a source's lists of arrivals.
  unsigned arrival_kinds(std::size_t source) const {
    return learns_axons(source) ? kLearntKinds : kMaskKinds;
  }
  unsigned undelayed_of(std::size_t source) const {
    return source == 0 ? undelayed : recurrent_undelayed;
  }
  // Sources whose products are saved for the gradient of their taps.
  unsigned learnt_sources() const { return (learnt_delays & 1) + (learnt_delays >> 1 & 1); }
};

enum class Optimizer { None, Sgd, Adam };

template <>
struct Names<Optimizer> {
  static constexpr const char* all[] = {"none", "sgd", "adam"};
};

// Values of state for each parameter: none, the momentum, or two moments.
std::size_t optimizer_copies(Optimizer optimizer);

// Numbers that the host sends with every update on the device, defined in sgd_update.cpp and
// adam_update.cpp.
constexpr std::size_t kOptimizerSettings = 7;

// A stack of layers, and the shapes that an executable is compiled for.
struct NetworkSpec {
  std::vector<LayerSpec> layers;   // only the last may be a LeakyReadout
  std::size_t steps = 0;           // T
  std::size_t batch = 0;           // B
  std::size_t input_capacity = 0;  // ids of an input list at most
  bool input_gradient = false;     // dL/dx of the active inputs is wanted
  Optimizer optimizer = Optimizer::None;
  // The initial states are inputs, and the final ones outputs; so are their gradients, in reverse.
  bool carries_state = false;
  bool traced = false;  // membranes of all time steps are wanted, even where tiles store only some

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("layers", self.layers);
    visit("steps", self.steps);
    visit("batch", self.batch);
    visit("input_capacity", self.input_capacity);
    visit("input_gradient", self.input_gradient);
    visit("optimizer", self.optimizer);
    visit("carries_state", self.carries_state);
    visit("traced", self.traced);
  }

  // The layer that fires the spikes of a source of layer `l`; none of the first layer's input.
  static std::size_t firing(std::size_t l, std::size_t source) { return source > 0 ? l : l - 1; }

  // Most spikes of a source of layer `l` that arrive at the step that fires them.
  std::size_t at_once(std::size_t l, std::size_t source) const {
    return std::min<std::size_t>(layers[l].undelayed_of(source),
                                 layers[firing(l, source)].capacity);
  }

  // Rows of a weight matrix of layer `l`: its inputs, or itself.
  std::size_t source_size(std::size_t l, std::size_t source) const {
    return source == 0 ? layers[l].inputs : layers[l].neurons;
  }

  // Rows of all its weight matrices.
  std::size_t weight_rows(std::size_t l) const {
    return layers[l].inputs + (layers[l].recurrent ? layers[l].neurons : 0);
  }

  // Whether the spikes of a source of layer `l` need their gradient.
  bool sends_gradient(std::size_t l, std::size_t source) const {
    return l > 0 || source > 0 || input_gradient;
  }

  // Whether the loss alone has a gradient of layer `l`'s spikes, of which a step back of the
  // library's own neuron takes those of active neurons alone.
  bool observed_alone(std::size_t l) const {
    const LayerSpec& layer = layers[l];
    return l + 1 == layers.size() && layer.observed && !layer.recurrent &&
           layer.model.codelet.empty() && !layer.has_adjoint();
  }

  // Whether the gradient of any neurons' parameters is wanted.
  bool learns() const {
    return std::any_of(layers.begin(), layers.end(),
                       [](const LayerSpec& layer) { return layer.learns; });
  }

  // Throws std::invalid_argument, naming the layer, where the network is invalid.
  void check() const;
};

}  // namespace popsnn
