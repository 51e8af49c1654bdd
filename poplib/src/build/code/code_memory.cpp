#include "popsnn/code_memory.hpp"

#include <algorithm>

#include "code_counter.hpp"
#include "plan/pattern_ranges.hpp"
#include "plan/reductions.hpp"

namespace popsnn {
namespace {

// For the programs' own code, which calls compute sets and copies on every tile, and for Poplar's
// vertices that copy and popops' that fill: estimates.
constexpr std::size_t kControlBytes = 4 * 1024;
constexpr std::size_t kLibraryBytes = 2 * 1024;
// Of the supervisor, and of six workers.
constexpr std::size_t kStackBytes = 512 + 6 * 256;
// Of an exchange, for each message that a tile receives: an estimate of three instructions, which
// choose whom to listen to, wait and receive.
constexpr std::size_t kMessageBytes = 12;
// An estimate for functions of custom neurons: a vertex has several loops over them, for neurons
// that learn and others, with kept and with dropped spikes, by reset.
constexpr std::size_t kBundleBytes = 8, kStepLoops = 2, kGradLoops = 6;

// What the exchanges of a layer's lists and gradients bring to the tiles of its neurons.
void count_neuron_messages(CodeCounter& code, const ReplicaPlan& replica, std::size_t l) {
  const NetworkSpec& network = code.network();
  const Plan& plan = code.plan();
  const LayerPlan& where = replica.layers[l];
  const std::size_t sources = network.layers[l].sources(), replicas = plan.replicas.size();
  for (std::size_t t = 0; t < where.tiles; ++t) {
    const std::size_t tile = where.first_tile + t;
    for (std::size_t source = 0; source < sources; ++source) {
      // Ids and counts of a step and of a repeated step, and ids and bounds of a step back.
      const std::size_t exchanges =
          2 * (plan.forward_sizes + (code.checkpoints() ? 1 : 0) + plan.backward_sizes);
      code.add_messages(tile, exchanges * replica.list_of(l, source).ranges.size());
      // Ids and counts of those that arrive at once come from where the neurons' lists are.
      if (network.layers[l].late(source))
        code.add_messages(tile, (exchanges - 2 * plan.backward_sizes) *
                                    replica.fired_list(l, source).ranges.size());
    }
    if (code.spikes(l))
      code.add_messages(tile, 2 * replica.lists[l].ranges.size());  // gradients and windows
    if (replicas > 1) code.add_messages(tile, 2 * (replicas - 1) * (sources + 1));
  }
}

// What they bring to the tiles of the lists of its spikes.
void count_list_messages(CodeCounter& code, const ReplicaPlan& replica, std::size_t l) {
  const ListPlan& list = replica.lists[l];
  const unsigned sizes = code.plan().backward_sizes;
  for (const SampleRange& range : list.ranges)
    code.add_messages(range.tile, range.samples.size() * (list.scan_tiles.front().size() + sizes));
  // The ids and counts, and the sums of a tile that adds those of two layers.
  for (const std::vector<std::size_t>& tiles : list.row_tiles)
    for (const std::size_t tile : tiles) code.add_messages(tile, 2 + 2 * sizes);
  for (const Range& tiles : list.scan_tiles)
    for (std::size_t tile = tiles.begin; tile < tiles.end; ++tile)
      code.add_messages(tile, ceil_div(replica.layers[l].tiles, tiles.size()));
}

void count_source_messages(CodeCounter& code, const ReplicaPlan& replica, std::size_t l,
                           std::size_t source) {
  if (code.network().layers[l].late(source))
    for (const ListPlan* list : {&replica.list_of(l, source), &replica.fired_list(l, source)}) {
      if (!list->row_tiles.empty()) continue;  // its tiles' messages are counted there
      for (const SampleRange& range : list->ranges)
        code.add_messages(range.tile, 4 * range.samples.size());
    }
  if (replica.layers[l].dense[source])
    for (const WordRange& range :
         pattern_ranges(replica.list_of(l, source), code.network().source_size(l, source)))
      code.add_messages(range.tile, replica.batch());
}

void count_replica(CodeCounter& code, const ReplicaPlan& replica) {
  for (std::size_t l = 0; l < code.network().layers.size(); ++l) {
    count_forward_code(code, replica, l);
    count_backward_code(code, replica, l);
    count_update_code(code, replica, l);
    count_backward_list_code(code, replica, l);
    count_neuron_messages(code, replica, l);
    if (code.spikes(l)) count_list_messages(code, replica, l);
    for (std::size_t source = 0; source < code.network().layers[l].sources(); ++source) {
      count_source_messages(code, replica, l, source);
      if (!code.network().layers[l].late(source)) continue;
      count_forward_arrival_code(code, replica, l, source);
      count_backward_arrival_code(code, replica, l, source);
    }
  }
  count_input_code(code, replica);
  count_step_code(code, replica);
  count_reduction_code(code, replica);
}

}  // namespace

CodeCounter::CodeCounter(const NetworkSpec& network, const Plan& plan, std::size_t tiles)
    : network_(network),
      plan_(plan),
      id_type_(plan.short_ids ? "unsigned short" : "unsigned int"),
      code_{std::vector<std::vector<std::string>>(tiles),
            std::vector<std::size_t>(tiles, kControlBytes + kLibraryBytes + kStackBytes)} {}

void CodeCounter::add(std::size_t tile, std::initializer_list<std::string> types) {
  std::vector<std::string>& present = code_.types[tile];
  for (const std::string& type : types) {
    if (std::find(present.begin(), present.end(), type) != present.end()) continue;
    present.push_back(type);
    code_.bytes[tile] += bytes_of(type);
  }
}

void CodeCounter::add_messages(std::size_t tile, std::size_t messages) {
  code_.bytes[tile] += kMessageBytes * messages;
}

// Of a custom neuron the table has what LIF takes: its own functions are added.
std::size_t CodeCounter::bytes_of(const std::string& type) {
  const auto known = bytes_.find(type);
  if (known != bytes_.end()) return known->second;
  std::size_t bytes = vertex_code_bytes(type);
  for (const LayerSpec& layer : network_.layers) {
    if (layer.kind != LayerKind::SparseLif || layer.model.codelet.empty()) continue;
    const auto& n = layer.model.numbers;
    if (type == step_vertex(layer))
      bytes += kBundleBytes * kStepLoops * (n.step + n.fires + n.near);
    if (type == layer.model.grad_vertex(layer.surrogate, layer.reads()))
      bytes += kBundleBytes * kGradLoops * n.grad;
  }
  return bytes_[type] = bytes;
}

std::size_t vertex_code_bytes(const std::string& type) {
  const std::string prefix = "popsnn::";
  const std::string name =
      type.compare(0, prefix.size(), prefix) == 0 ? type.substr(prefix.size()) : type;
  const auto exact = codelet_sizes().find(name);
  return exact != codelet_sizes().end() ? exact->second
                                        : codelet_sizes().at(name.substr(0, name.find('<')));
}

TileCode tile_code(const NetworkSpec& network, const Plan& plan, std::size_t tiles) {
  CodeCounter code(network, plan, tiles);
  for (const ReplicaPlan& replica : plan.replicas) count_replica(code, replica);
  count_size_code(code);
  return code.code();
}

}  // namespace popsnn
