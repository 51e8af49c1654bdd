#include "popsnn/build.hpp"

#include "backward.hpp"
#include "forward.hpp"
#include "tensors.hpp"
#include "update.hpp"

namespace popsnn {
namespace {

using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Sequence;

// Collects programs and their streams; a stream's host order is that of the view it copies.
class ProgramTable {
 public:
  explicit ProgramTable(poplar::Graph& graph)
      : graph_(graph), programs_(unsigned(ProgramId::Count)), streams_(programs_.size()) {}

  void add(ProgramId id, const poplar::program::Program& part) { at(id).add(part); }

  void write(ProgramId id, const std::string& name, const Tensor& view) {
    const auto fifo =
        graph_.addHostToDeviceFIFO(stream_handle(id, name), view.elementType(), view.numElements());
    at(id).add(Copy(fifo, view));
    streams_[unsigned(id)].push_back({name, view.elementType(), view.shape(), true});
  }

  void read(ProgramId id, const std::string& name, const Tensor& view) {
    const auto fifo =
        graph_.addDeviceToHostFIFO(stream_handle(id, name), view.elementType(), view.numElements());
    at(id).add(Copy(view, fifo));
    streams_[unsigned(id)].push_back({name, view.elementType(), view.shape(), false});
  }

  Sequence& at(ProgramId id) { return programs_[unsigned(id)]; }

  BuiltNetwork finish() {
    BuiltNetwork built;
    built.programs.assign(programs_.begin(), programs_.end());
    built.streams = std::move(streams_);
    return built;
  }

 private:
  poplar::Graph& graph_;
  std::vector<Sequence> programs_;
  std::vector<std::vector<HostStream>> streams_;
};

// [batch, steps, row] -> [steps, batch, row]
Tensor time_major(const Tensor& history) { return history.dimShuffle({1, 0, 2}); }

// [steps, batch, neurons]
Tensor time_major(const TilePieces& membrane, const NetworkSpec& network) {
  return membrane.rows_by_neurons().reshape(
      {network.steps, network.batch, membrane.flat.numElements() / network.steps / network.batch});
}

void add_optimizer_streams(ProgramTable& table, const std::vector<TilePieces>& states,
                           const std::string& name) {
  for (std::size_t copy = 0; copy < states.size(); ++copy) {
    const std::string full_name = name + "_state" + std::to_string(copy);
    table.read(ProgramId::ReadOptimizer, full_name, states[copy].rows_by_neurons());
    table.write(ProgramId::WriteOptimizer, full_name, states[copy].rows_by_neurons());
  }
}

void add_layer_streams(ProgramTable& table, const NetworkSpec& network, const LayerTensors& t,
                       std::size_t l) {
  const std::string number = std::to_string(l);
  const LayerSpec& layer = network.layers[l];
  const bool last = l + 1 == network.layers.size();
  table.write(ProgramId::WriteParameters, "weights" + number, t.weights.rows_by_neurons());
  table.write(ProgramId::WriteParameters, "bias" + number, t.bias.flat);
  table.write(ProgramId::WriteNeurons, "beta" + number, t.beta.flat);
  table.read(ProgramId::ReadParameters, "weights" + number, t.weights.rows_by_neurons());
  table.read(ProgramId::ReadParameters, "bias" + number, t.bias.flat);
  table.read(ProgramId::ReadGradients, "weights" + number, t.weight_grad.rows_by_neurons());
  table.read(ProgramId::ReadGradients, "bias" + number, t.bias_grad.flat);
  table.read(ProgramId::ReadMembranes, "membrane" + number, time_major(t.membrane, network));
  add_optimizer_streams(table, t.weight_state, "weights" + number);
  add_optimizer_streams(table, t.bias_state, "bias" + number);
  if (layer.kind == LayerKind::LeakyReadout) {
    table.read(ProgramId::Forward, "output", time_major(t.membrane, network));
    table.write(ProgramId::Backward, "output_grad", time_major(t.output_grad, network));
    return;
  }
  table.write(ProgramId::WriteNeurons, "threshold" + number, t.threshold.flat);
  table.write(ProgramId::WriteNeurons, "grad_threshold" + number, t.grad_threshold.flat);
  table.read(ProgramId::ReadCounts, "counts" + number, time_major(t.lists.counts_history));
  table.read(ProgramId::ReadCounts, "drops" + number, time_major(t.drop_history));
  table.read(ProgramId::ReadSpikes, "ids" + number, time_major(t.lists.ids_history));
  if (last) table.write(ProgramId::Backward, "output_grad", time_major(t.slot_grad));
}

}  // namespace

const char* program_name(ProgramId id) {
  static const char* const names[] = {"write_parameters", "write_neurons",  "read_parameters",
                                      "forward",          "backward",       "read_gradients",
                                      "read_counts",      "read_spikes",    "read_membranes",
                                      "update",           "read_optimizer", "write_optimizer"};
  return names[unsigned(id)];
}

std::string stream_handle(ProgramId id, const std::string& name) {
  return std::string(program_name(id)) + "/" + name;
}

BuiltNetwork build_network(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan) {
  const NetworkTensors tensors = add_tensors(graph, network, plan);
  ProgramTable table(graph);

  table.write(ProgramId::Forward, "input_ids", time_major(tensors.input.ids_history));
  table.write(ProgramId::Forward, "input_counts", time_major(tensors.input.counts_history));
  table.write(ProgramId::Forward, "seed", tensors.seed);
  table.add(ProgramId::Forward, build_forward(graph, network, plan, tensors));
  if (network.optimizer != Optimizer::None)
    table.write(ProgramId::Update, "settings", tensors.settings);
  for (std::size_t l = 0; l < plan.layers.size(); ++l)
    add_layer_streams(table, network, tensors.layers[l], l);
  table.add(ProgramId::Backward, build_backward(graph, network, plan, tensors));
  if (network.input_gradient)
    table.read(ProgramId::Backward, "input_grad", time_major(tensors.input_grad));
  table.add(ProgramId::Update, build_update(graph, network, plan, tensors));
  return table.finish();
}

}  // namespace popsnn
