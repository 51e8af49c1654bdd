#include "popsnn/code_memory.hpp"

#include <algorithm>
#include <initializer_list>

#include "buckets.hpp"
#include "pattern_ranges.hpp"
#include "reductions.hpp"

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

class CodeCounter {
 public:
  CodeCounter(const NetworkSpec& network, const Plan& plan, std::size_t tiles)
      : network_(network),
        plan_(plan),
        id_type_(plan.short_ids ? "unsigned short" : "unsigned int"),
        code_{std::vector<std::vector<std::string>>(tiles),
              std::vector<std::size_t>(tiles, kControlBytes + kLibraryBytes + kStackBytes)} {}

  TileCode count() {
    for (const ReplicaPlan& replica : plan_.replicas) {
      for (std::size_t l = 0; l < network_.layers.size(); ++l) {
        count_neurons(replica, l);
        count_update(replica, l);
        if (network_.layers[l].kind == LayerKind::SparseLif) count_spikes(replica, l);
        for (std::size_t source = 0; source < network_.layers[l].sources(); ++source)
          if (network_.layers[l].late(source)) count_arrivals(replica, l, source);
      }
      count_input(replica);
      count_patterns(replica);
      count_reductions(replica);
    }
    count_sizes();
    return std::move(code_);
  }

 private:
  // Adds types to a tile that lacks them.
  void add(std::size_t tile, std::initializer_list<std::string> types) {
    std::vector<std::string>& present = code_.types[tile];
    for (const std::string& type : types) {
      if (std::find(present.begin(), present.end(), type) != present.end()) continue;
      present.push_back(type);
      code_.bytes[tile] += bytes_of(type);
    }
  }

  void add_messages(std::size_t tile, std::size_t messages) {
    code_.bytes[tile] += kMessageBytes * messages;
  }

  // Of a custom neuron the table has what LIF takes: its own functions are added.
  std::size_t bytes_of(const std::string& type) {
    const auto known = bytes_.find(type);
    if (known != bytes_.end()) return known->second;
    std::size_t bytes = vertex_code_bytes(type);
    for (const LayerSpec& layer : network_.layers) {
      if (layer.kind != LayerKind::SparseLif || layer.model.codelet.empty()) continue;
      const auto& n = layer.model.numbers;
      if (type == step_vertex(layer))
        bytes += kBundleBytes * kStepLoops * (n.step + n.fires + n.near);
      if (type == layer.model.grad_vertex(layer.surrogate))
        bytes += kBundleBytes * kGradLoops * n.grad;
    }
    return bytes_[type] = bytes;
  }

  std::string step_vertex(const LayerSpec& layer) const {
    return layer.model.step_vertex(id_type_, layer.step_weight_type());
  }
  std::string by_id(const char* name) const {
    return std::string("popsnn::") + name + "<" + id_type_ + ">";
  }
  std::string by_id_and_weight(const char* name, const char* weight) const {
    return std::string("popsnn::") + name + "<" + id_type_ + "," + weight + ">";
  }
  bool checkpoints() const { return plan_.checkpoints(network_.steps) > 0; }
  bool optimizes() const { return network_.optimizer != Optimizer::None; }

  void count_neurons(const ReplicaPlan& replica, std::size_t l) {
    const LayerSpec& layer = network_.layers[l];
    const LayerPlan& where = replica.layers[l];
    const bool spikes = layer.kind == LayerKind::SparseLif;
    const bool saves = checkpoints() && (spikes || layer.has_ring()) && !plan_.streamed;
    for (std::size_t t = 0; t < where.tiles; ++t) {
      const std::size_t tile = where.first_tile + t;
      if (spikes)
        add(tile, {step_vertex(layer), layer.model.grad_vertex(layer.surrogate)});
      else
        add(tile, {by_id_and_weight("LiStep", layer.step_weight_type()), "popsnn::LiStepGrad"});
      if (saves) add(tile, {"popsnn::SaveRow", "popsnn::LoadRow"});
      if (layer.has_ring())
        add(tile, {by_id_and_weight("DelayCurrents", layer.weight_type()), "popsnn::DelayGrad"});
      if (network_.carries_state && !layer.has_adjoint()) add(tile, {"popsnn::AddFinalGrad"});
      for (std::size_t source = 0; source < layer.sources(); ++source) {
        if (layer.delays_weights(source))
          add(tile, {by_id_and_weight("SynapticGrad", layer.weight_type())});
        else if (where.dense[source])
          add(tile, {"popsnn::PatternGrad", "popsnn::PatternSums"});
        else
          add(tile, {by_id("WeightGrad")});
        if (network_.sends_gradient(l, source) && !layer.delays_weights(source)) {
          const std::string sums = by_id_and_weight("InputSpikeGrad", layer.weight_type());
          if (replica.own_entries(l, source, 0) > 0) add(tile, {sums});
          if (replica.own_entries(l, source, 0) < replica.capacity_of(l, source, 0))
            add(where.partial_tile(source, t), {sums});
        }
        // Ids and counts of a step and of a repeated step, and ids and bounds of a step back.
        const std::size_t exchanges =
            2 * (plan_.forward_sizes + (checkpoints() ? 1 : 0) + plan_.backward_sizes);
        add_messages(tile, exchanges * replica.list_of(l, source).ranges.size());
      }
      if (spikes) add_messages(tile, 2 * replica.lists[l].ranges.size());  // gradients and windows
    }
  }

  void count_update(const ReplicaPlan& replica, std::size_t l) {
    const LayerSpec& layer = network_.layers[l];
    const bool first = &replica == &plan_.replicas.front(), several = plan_.replicas.size() > 1;
    const bool learnt = optimizes() && layer.learnt != 0;
    for (std::size_t t = 0; t < replica.layers[l].tiles; ++t) {
      const std::size_t tile = replica.layers[l].first_tile + t;
      const std::string name = std::string("popsnn::") +
                               (network_.optimizer == Optimizer::Adam ? "Adam" : "Sgd") + "Update<";
      if (optimizes()) add(tile, {name + layer.weight_type() + ">"});
      if ((optimizes() && layer.bias) || (learnt && first)) add(tile, {name + "float>"});
      if (several) add_messages(tile, 2 * (plan_.replicas.size() - 1) * (layer.sources() + 1));
      if (several) add(tile, {"popsnn::AddGradients"});
      if (layer.learns) add(tile, {"popsnn::SumSamples"});
      if (learnt) add(tile, {"popsnn::ClampParameters"});
      if (learnt && first) add(tile, {"popsnn::ClampGradients"});
    }
  }

  // The lists of a layer's spikes, on the tiles of its samples.
  void count_spikes(const ReplicaPlan& replica, std::size_t l) {
    const ListPlan& list = replica.lists[l];
    const bool read = reads_at_once(replica, l, false), in_parts = !list.row_tiles.empty();
    for (const SampleRange& range : list.ranges) {
      add(range.tile, {by_id("MergeLists"), by_id("FetchStep"), "popsnn::FetchStep<unsigned int>"});
      if (read) add(range.tile, {by_id("FetchList")});
      if (reads_at_once(replica, l, true)) add(range.tile, {by_id("ListRanges")});
      if (!in_parts) add(range.tile, {by_id("ClearSpikeGrad")});
      if ((read && !in_parts) || network_.layers[l].observed)
        add(range.tile, {by_id("ScatterSpikeGrad")});
      add_messages(range.tile,
                   range.samples.size() * (list.scan_tiles.front().size() + plan_.backward_sizes));
    }
    for (const Range& tiles : list.row_tiles)
      for (std::size_t tile = tiles.begin; tile < tiles.end; ++tile) {
        add(tile, {by_id("SetSpikeGrad")});
        // The ids and counts, and the sums of a tile that adds those of two layers.
        add_messages(tile, 2 + 2 * plan_.backward_sizes);
      }
    for (const Range& tiles : list.scan_tiles)
      for (std::size_t tile = tiles.begin; tile < tiles.end; ++tile) {
        add(tile, {"popsnn::ScanMasks"});
        add_messages(tile, ceil_div(replica.layers[l].tiles, tiles.size()));
      }
  }

  // Whether a layer reads the spikes of layer `l` at once, and not from lists of arrivals;
  // `sparse`: for a sparse weight gradient.
  bool reads_at_once(const ReplicaPlan& replica, std::size_t l, bool sparse) const {
    const auto reads = [&](std::size_t reader, std::size_t source) {
      return !network_.layers[reader].late(source) &&
             !(sparse && replica.layers[reader].dense[source]);
    };
    return (network_.layers[l].recurrent && reads(l, 1)) ||
           (l + 1 < network_.layers.size() && reads(l + 1, 0));
  }

  void count_input(const ReplicaPlan& replica) {
    const bool sparse = !replica.layers[0].dense[0];
    for (const SampleRange& range : replica.input.ranges) {
      add(range.tile, {by_id("FetchStep"), "popsnn::FetchStep<unsigned int>"});
      if (!network_.layers[0].late(0)) add(range.tile, {by_id("FetchList")});
      if (sparse) add(range.tile, {by_id("ListRanges")});
      if (network_.input_gradient) add(range.tile, {"popsnn::SaveInputGrad"});
    }
  }

  void count_arrivals(const ReplicaPlan& replica, std::size_t l, std::size_t source) {
    const bool learns = network_.layers[l].learns_axons(source);
    const ListPlan &list = replica.list_of(l, source), &fired = replica.fired_list(l, source);
    for (const SampleRange& range : list.ranges) {
      add(range.tile, {by_id("PutSpikes"), by_id("TakeSpikes"), by_id("AppendSpikes"),
                       by_id("StoreArrivals"), by_id("GatherArrivals")});
      if (learns) add(range.tile, {by_id("StepsGrad")});
      add_messages(range.tile, 4 * range.samples.size());
    }
    for (const SampleRange& range : fired.ranges) {
      add(range.tile, {by_id("ScatterArrivals")});
      add_messages(range.tile, 4 * range.samples.size());
    }
  }

  void count_patterns(const ReplicaPlan& replica) {
    for (std::size_t l = 0; l < network_.layers.size(); ++l)
      for (std::size_t source = 0; source < network_.layers[l].sources(); ++source) {
        if (!replica.layers[l].dense[source]) continue;
        const ListPlan& list = replica.list_of(l, source);
        const std::size_t inputs = network_.source_size(l, source);
        for (std::size_t b = 0; b < replica.batch(); ++b)
          for (const WordRange& range : bit_ranges(list, b, inputs))
            add(range.tile, {by_id("ListBits")});
        for (const WordRange& range : pattern_ranges(list, inputs)) {
          add(range.tile, {"popsnn::SamplePatterns"});
          add_messages(range.tile, replica.batch());
        }
      }
  }

  void count_reductions(const ReplicaPlan& replica) {
    for (unsigned stage = 0; stage < plan_.stages; ++stage)
      for (unsigned bucket = 0; bucket < plan_.backward_sizes; ++bucket)
        for (const Reduction& how : reductions(network_, replica, stage, bucket)) {
          const std::size_t capacity = replica.capacity_of(how.layer, how.source, bucket);
          const std::size_t vertices = replica.batch() * how.entry_ranges(capacity);
          const std::size_t partials = replica.layers[how.layer].tiles;
          for (std::size_t i = 0; i < vertices; ++i) {
            add(how.tile(i), {"popsnn::ReducePartials"});
            add_messages(how.tile(i), partials);
          }
        }
  }

  // Counters of time steps, and the buckets of their exchanges.
  void count_sizes() {
    add(code_.types.size() - 1, {"popsnn::CountStep"});  // counter_tile
    for (unsigned stage = 0; stage < plan_.stages; ++stage) {
      if (lists_read(network_, plan_.replicas[0], stage).empty()) continue;
      if (plan_.forward_sizes > 1 || plan_.backward_sizes > 1) add(0, {"popsnn::LargestSize"});
      if (plan_.forward_sizes > 1) add(0, {"popsnn::ListSizes"});
      if (plan_.backward_sizes == 1) continue;
      const std::size_t steps = network_.steps, tiles = plan_.replicas.back().tiles.end;
      for (std::size_t t = 0; t < steps; ++t)
        add((stage * steps + t) * tiles / (plan_.stages * steps), {"popsnn::ListSizes"});
    }
  }

  const NetworkSpec& network_;
  const Plan& plan_;
  const std::string id_type_;
  std::map<std::string, std::size_t> bytes_;  // by type
  TileCode code_;
};

}  // namespace

const std::map<std::string, std::size_t>& codelet_sizes() {
  // Compiled for the IPU by a code generator written from public sources, of the sources of
  // f972f64, before loops over rows were inlined: NeuronStep, WeightGrad, InputSpikeGrad,
  // LifScanGrad, LiStep, MergeLists, ReducePartials, ClearSpikeGrad with ScatterSpikeGrad,
  // AdamUpdate<float>; NeuronStepGrad is a quarter of one vertex with all five surrogates. The
  // others are estimates: what clang makes of them for rv32imf at -O2, whose instructions have 4
  // bytes too, times 1.5, as it is of ReducePartials, the largest ratio of those that are known;
  // with the loops in assembly of a vertex that is known where they have the same.
  static const std::map<std::string, std::size_t> sizes = {
      {"AdamUpdate", 1136},      {"AdamUpdate<half>", 2624}, {"AddFinalGrad", 320},
      {"AddGradients", 448},     {"AppendSpikes", 1216},     {"ClampGradients", 192},
      {"ClampParameters", 128},  {"ClearSpikeGrad", 400},    {"CompactSpikes", 1536},
      {"CountStep", 64},         {"DelayCurrents", 5952},    {"DelayGrad", 2112},
      {"ExpandSpikes", 576},     {"ExportSpikes", 512},      {"FetchStep", 704},
      {"FetchList", 1024},       {"GatherArrivals", 832},    {"GatherSpikes", 384},
      {"ImportSpikes", 512},     {"InputSpikeGrad", 8880},   {"LargestSize", 256},
      {"LiStep", 3216},          {"LiStepGrad", 640},        {"LifScan", 2432},
      {"LifScanGrad", 6368},     {"ListBits", 448},          {"ListRanges", 704},
      {"ListSizes", 384},        {"LoadRow", 320},           {"MergeLists", 2652},
      {"NeuronAdjoint", 4200},   {"NeuronStep", 8256},       {"NeuronStepGrad", 4400},
      {"PatternGrad", 9048},     {"PatternSums", 7616},      {"PutSpikes", 4352},
      {"ReducePartials", 1892},  {"SamplePatterns", 832},    {"SaveInputGrad", 640},
      {"SaveRow", 320},          {"ScanMasks", 1536},        {"ScatterArrivals", 1152},
      {"ScatterSpikeGrad", 832}, {"SetSpikeGrad", 448},      {"SgdUpdate", 512},
      {"SgdUpdate<half>", 2304}, {"StepsGrad", 1344},        {"StoreArrivals", 1024},
      {"SumSamples", 320},       {"SynapticGrad", 3776},     {"TakeSpikes", 3712},
      {"WeightGrad", 9048},
  };
  return sizes;
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
  return CodeCounter(network, plan, tiles).count();
}

}  // namespace popsnn
