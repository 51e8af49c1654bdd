#include "estimators.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <poplar/VertexIntrospector.hpp>
#include <poputil/VertexTemplates.hpp>

#include "delays/cycles.hpp"
#include "lists/cycles.hpp"
#include "neurons/cycles.hpp"
#include "optimizers/cycles.hpp"
#include "popsnn/code_memory.hpp"
#include "popsnn/plan.hpp"
#include "products/cycles.hpp"

namespace popsnn {
namespace {

using poplar::Graph;
using poplar::Target;
using poplar::VertexIntrospector;

// A vertex's sizes: its state, and the numbers of rows of its fields.
class Sizes {
 public:
  Sizes(const VertexIntrospector& vertex, const Target& target)
      : vertex_(vertex), target_(target) {}

  unsigned operator[](const char* field) const {
    return vertex_.getFieldInfo(field).getInitialValue<unsigned>(target_);
  }
  std::vector<unsigned> all(const char* field) const {
    return vertex_.getFieldInfo(field).getInitialValues<unsigned>(target_);
  }
  unsigned rows(const char* field) const { return unsigned(vertex_.getFieldInfo(field).size()); }

 private:
  const VertexIntrospector& vertex_;
  const Target& target_;
};

// Entries of lists by their row length. Every list has as many as its capacity, which a row may
// exceed, but those of arrivals, whose mean length is that of the lists that fired; with the
// neighbors of learnt delays three times as much, which counts more than the forward pass reads.
// Their row lengths are taken where no other list has the same.
class UsualEntries {
 public:
  explicit UsualEntries(const NetworkSpec& network) : batch_(network.batch) {
    const auto add_list = [&](std::size_t capacity, unsigned buckets) {
      for (unsigned bucket = 0; bucket < buckets; ++bucket) {
        const auto row = unsigned(bucket_capacity(pad_capacity(capacity), bucket));
        full_[row] = std::max(full_[row], std::min(row, unsigned(capacity)));
      }
    };
    add_list(network.input_capacity, 1);
    for (const LayerSpec& layer : network.layers) add_list(layer.capacity, kMostSizes);
    for (std::size_t l = 0; l < network.layers.size(); ++l)
      for (std::size_t source = 0; source < network.layers[l].sources(); ++source)
        if (network.layers[l].late(source)) add_arrivals(network, l, source);
    for (const auto& row : full_) of_.erase(row.first);
  }

  // Where each worker sums the lists of its own samples: of the slowest worker.
  unsigned operator()(unsigned capacity, unsigned batch) const {
    const auto at = of_.find(capacity);
    if (at == of_.end()) return full(capacity);
    const std::size_t lists = ceil_div(batch, kWorkers);
    return std::min(capacity, unsigned(usual_arrivals(at->second.fired, lists, batch_)));
  }
  // Where each worker has a range of the ids of all lists.
  unsigned mean(unsigned capacity) const {
    const auto at = of_.find(capacity);
    if (at == of_.end()) return full(capacity);
    return std::min(capacity, unsigned(at->second.fired));
  }
  // Of the longest list of a batch.
  unsigned longest(unsigned capacity) const {
    const auto at = of_.find(capacity);
    return at == of_.end() ? full(capacity)
                           : std::min(capacity, unsigned(longest_list(double(at->second.fired))));
  }
  // Entries that arrive at the step that fires them, likewise.
  unsigned at_once(unsigned capacity, unsigned fired) const {
    const auto at = of_.find(capacity);
    return at == of_.end() ? fired : std::min(fired, unsigned(longest_list(at->second.at_once)));
  }

 private:
  struct Arrivals {
    std::size_t fired;
    double at_once;
  };

  unsigned full(unsigned row) const {
    const auto at = full_.find(row);
    return at == full_.end() ? row : at->second;
  }

  void add_arrivals(const NetworkSpec& network, std::size_t l, std::size_t source) {
    const LayerSpec& layer = network.layers[l];
    const std::size_t fired = network.layers[NetworkSpec::firing(l, source)].capacity;
    ListPlan list;
    list.padded_capacity = pad_capacity(layer.arrivals_of(source));
    list.at_once = network.at_once(l, source);
    list.neighbors = layer.learns_axons(source);
    const double undelayed =
        double(layer.undelayed_of(source)) / double(network.source_size(l, source));
    const Arrivals usual = {list.usual(fired), double(fired) * undelayed};
    for (unsigned bucket = 0; bucket < kMostSizes; ++bucket) {
      of_.emplace(arrival_capacity(list, pad_capacity(fired), bucket), usual);
      const std::size_t earlier = earlier_capacity(list, pad_capacity(fired), bucket);
      of_.emplace(earlier + at_once_capacity(list), usual);  // forward
    }
  }

  const std::size_t batch_;
  std::map<unsigned, Arrivals> of_;    // by row length
  std::map<unsigned, unsigned> full_;  // entries by row length, but of arrivals
};

// What poplib knows of the codelets: each row has a codelet's size of code, for the planner, and
// its cycles, for profiles.
class Codelets {
 public:
  explicit Codelets(Graph* graph = nullptr) : graph_(graph) {}

  // Bytes by class, or with the template arguments for which they are others.
  const std::map<std::string, std::size_t>& sizes() const { return sizes_; }

  void add_size(const std::string& name, std::size_t bytes) { sizes_[name] = bytes; }

  template <class Cycles>
  void add(const std::string& name, std::size_t bytes, Cycles cycles) {
    add_size(name, bytes);
    add_cycles("popsnn::" + name, cycles);
  }

  // For both types of ids; `cycles` is told whether they have 16 bits.
  template <class Cycles>
  void add_by_id(const std::string& name, std::size_t bytes, Cycles cycles) {
    add_size(name, bytes);
    for (const bool short_ids : {true, false})
      add_cycles("popsnn::" + name + "<" + id_type(short_ids) + ">",
                 [=](const Sizes& v) { return cycles(v, short_ids); });
  }

  // Also for both types of weights.
  template <class Cycles>
  void add_by_id_and_weight(const std::string& name, std::size_t bytes, Cycles cycles) {
    add_size(name, bytes);
    add_cycles_by_id_and_weight("popsnn::" + name + "<", cycles);
  }

  // For both types of weights, each with its bytes; `cycles` is told whether they have 16 bits.
  template <class Cycles>
  void add_by_weight(const std::string& name, std::size_t bytes, std::size_t bytes_of_halves,
                     Cycles cycles) {
    add_size(name, bytes);
    add_size(name + "<half>", bytes_of_halves);
    for (const bool half_weights : {true, false})
      add_cycles("popsnn::" + name + "<" + weight_type(half_weights) + ">",
                 [=](const Sizes& v) { return cycles(v, half_weights); });
  }

  template <class Cycles>
  void add_cycles(const std::string& type, Cycles cycles) {
    if (graph_ == nullptr) return;
    graph_->registerPerfEstimator(
        type, [=](const VertexIntrospector& vertex, const Target& target) {
          return poplar::VertexPerfEstimate(cycles(Sizes(vertex, target)));
        });
  }

  // `type` lacks its last template argument.
  template <class Cycles>
  void add_cycles_by_id(const std::string& type, Cycles cycles) {
    for (const bool short_ids : {true, false})
      add_cycles(type + id_type(short_ids) + ">",
                 [=](const Sizes& v) { return cycles(v, short_ids); });
  }

  // `type` lacks its last two template arguments.
  template <class Cycles>
  void add_cycles_by_id_and_weight(const std::string& type, Cycles cycles) {
    for (const bool short_ids : {true, false})
      for (const bool half_weights : {true, false})
        add_cycles(type + id_type(short_ids) + "," + weight_type(half_weights) + ">",
                   [=](const Sizes& v) { return cycles(v, short_ids, half_weights); });
  }

 private:
  static std::string id_type(bool short_ids) {
    return (short_ids ? poplar::UNSIGNED_SHORT : poplar::UNSIGNED_INT).toString();
  }
  static std::string weight_type(bool half_weights) {
    return (half_weights ? poplar::HALF : poplar::FLOAT).toString();
  }

  Graph* graph_;  // none: sizes alone
  std::map<std::string, std::size_t> sizes_;
};

void add_model(Codelets& codelets, const NeuronModel& of, const UsualEntries& usual) {
  const cycles::NeuronCycles model = of.numbers;
  for (const bool late : {false, true}) {
    const auto step = [=](const Sizes& v, bool short_ids, bool half_weights) {
      std::uint64_t gathered = cycles::biased_sum(v["neurons"], short_ids);
      const std::vector<unsigned> capacities = v.all("padded_capacity");
      const std::size_t entries = late ? 2 : 1, sources = capacities.size() / entries;
      for (std::size_t source = 0; source < sources; ++source)
        gathered +=
            (late ? cycles::kLateList : 0) +
            cycles::gather_rows(v["neurons"], short_ids,
                                usual(capacities[entries * source], v["batch"]), half_weights);
      return cycles::neuron_step(model, v["batch"], v["samples_per_row"], gathered,
                                 unsigned(sources), v["neurons"], Reset(v["reset"]) == Reset::Zero);
    };
    codelets.add_cycles_by_id_and_weight(of.step_vertices(late ? Reads::Arrivals : Reads::Fired),
                                         step);
  }
  const auto grad = [=](const Sizes& v, Surrogate kind) {
    const unsigned learnable = v["learnt"] > 0 ? model.learnable : 0;
    const bool zeroes =  // an adjoint's text has its reset
        !of.adjoint && Reset(v["reset"]) == Reset::Zero && v["detach_reset"] == 1;
    return of.grad_cycles(v["batch"], v["neurons"], kind, learnable, zeroes);
  };
  for (const Surrogate kind : kSurrogates)
    codelets.add_cycles(of.grad_vertex(kind, Reads::Fired),
                        [=](const Sizes& v) { return grad(v, kind); });
  if (!of.takes_ahead()) return;
  codelets.add_cycles_by_id(of.step_vertices(Reads::Ahead), [=](const Sizes& v, bool short_ids) {
    const unsigned listed = usual(v["padded_capacity"], v["batch"]);
    return cycles::neuron_step(model, v["batch"], v["samples_per_row"],
                               cycles::sum_ahead(v["neurons"], short_ids, listed), 1, v["neurons"],
                               Reset(v["reset"]) == Reset::Zero);
  });
  for (const Surrogate kind : kSurrogates)
    codelets.add_cycles(of.grad_vertex(kind, Reads::Ahead), [=](const Sizes& v) {
      return grad(v, kind) + cycles::kWorkers * cycles::kAheadRow;
    });
}

void add_delays(Codelets& codelets, const UsualEntries& usual) {
  const auto currents = [=](const Sizes& v, bool short_ids, bool half_weights) {
    const std::vector<unsigned> capacities = v.all("padded_capacity"), rows = v.all("tap_rows");
    std::uint64_t sources = 0;
    for (std::size_t s = 0; s < rows.size(); ++s)
      sources += (v["synaptic"] >> s & 1) != 0
                     ? cycles::synaptic_source(v["neurons"], usual(capacities[s], v["batch"]))
                     : cycles::delay_source(
                           rows[s], v["neurons"],
                           cycles::gather_rows(v["neurons"], short_ids,
                                               usual(capacities[s], v["batch"]), half_weights),
                           (v["learnt"] >> s & 1) != 0);
    return cycles::delay_currents(v["batch"], v["neurons"], sources);
  };
  codelets.add_by_id_and_weight("DelayCurrents", 6464, currents);
  codelets.add_by_id_and_weight("SynapticGrad", 3776, [](const Sizes& v, bool, bool) {
    return cycles::synaptic_grad(v["batch"], v["padded_capacity"], v["neurons"], v["learns"] > 0,
                                 v["sends"] > 0);
  });
  codelets.add("DelayGrad", 2112, [](const Sizes& v) {
    const std::vector<unsigned> rows = v.all("tap_rows");
    std::uint64_t sources = 0;
    unsigned learnt_taps = 0;
    for (std::size_t s = 0; s < rows.size(); ++s) {
      sources += cycles::collect(rows[s], v["neurons"]);
      if ((v["learnt"] >> s & 1) != 0) learnt_taps += rows[s];
    }
    return cycles::delay_grad(v["batch"], v["neurons"], sources, learnt_taps, v["biased"] > 0);
  });
}

void add_arrivals(Codelets& codelets, const UsualEntries& usual) {
  codelets.add_by_id("PutSpikes", 4352, [](const Sizes& v, bool short_ids) {
    return cycles::put_spikes(v["samples"], v["padded_capacity"], short_ids,
                              v["sections"] == kLearntKinds);
  });
  codelets.add_by_id("TakeSpikes", 3840, [=](const Sizes& v, bool short_ids) {
    return cycles::take_spikes(v["samples"], usual.longest(v["padded_capacity"]), v["words"],
                               v["taken"], v["forward"] != 0, short_ids);
  });
  codelets.add("CountArrivals", 448, [](const Sizes& v) {
    return cycles::count_arrivals(v["samples"], unsigned(v.all("limits").size()));
  });
  codelets.add("LargestBucket", 128,
               [](const Sizes& v) { return cycles::largest_bucket(v["lists"]); });
  codelets.add_by_id("StoreArrivals", 1024, [=](const Sizes& v, bool) {
    return cycles::store_arrivals(v["samples"], usual.longest(v["padded_capacity"]),
                                  v.rows("sums"));
  });
  codelets.add_by_id("GatherArrivals", 832, [](const Sizes& v, bool) {
    return cycles::gather_arrivals(v["samples"], v["padded_capacity"]);
  });
  codelets.add_by_id("NextArrivals", 704, [=](const Sizes& v, bool short_ids) {
    return cycles::next_arrivals(v["samples"], usual.longest(v["padded_capacity"]), v["records"],
                                 short_ids);
  });
  codelets.add_by_id("SetArrivals", 896, [=](const Sizes& v, bool short_ids) {
    return cycles::set_arrivals(usual.longest(v["sum_capacity"]), v["parts"], v["sources"],
                                short_ids);
  });
  codelets.add("RingSlots", 320, [](const Sizes&) { return cycles::ring_slots(); });
  codelets.add("NextSpikeGrad", 640,
               [](const Sizes& v) { return cycles::next_spike_grad(v["size"]); });
  codelets.add_by_id("StepsGrad", 1344, [](const Sizes& v, bool) {
    return cycles::steps_grad(v["samples"], v["padded_capacity"]);
  });
  codelets.add_by_id("ScatterArrivals", 1152, [=](const Sizes& v, bool) {
    const unsigned sum_capacity = v["sum_capacity"];
    return cycles::scatter_arrivals(v["samples"], v["padded_capacity"], usual.longest(sum_capacity),
                                    usual.at_once(sum_capacity, v["padded_capacity"]),
                                    v.rows("sums"));
  });
}

// `activity`: the fraction of neurons that are active.
void add_forward(Codelets& codelets, double activity, const UsualEntries& usual) {
  const auto readout = [=](const Sizes& v, bool short_ids, bool half_weights) {
    return cycles::li_step(v["batch"], usual(v["padded_capacity"], v["batch"]), v["neurons"],
                           short_ids, half_weights);
  };
  codelets.add_by_id_and_weight("LiStep", 3664, readout);
  codelets.add_by_id_and_weight(
      "LiStepLate", 3728, [=](const Sizes& v, bool short_ids, bool half_weights) {
        return readout(v, short_ids, half_weights) + cycles::late_readout(v["batch"]);
      });
  codelets.add_by_id("LiStepAhead", 7448, [=](const Sizes& v, bool short_ids) {
    return cycles::li_step_ahead(v["batch"], usual(v["padded_capacity"], v["batch"]), v["neurons"],
                                 short_ids);
  });
  codelets.add("ScanMasks", 1536, [=](const Sizes& v) {
    const auto active = std::uint64_t(std::ceil(activity * v["tiles"] * v["neurons_per_tile"]));
    return cycles::scan_masks(v["tiles"], v["words"], v["bits"], active);
  });
  codelets.add("ScanLateMasks", 1856, [=](const Sizes& v) {
    const auto active = std::uint64_t(std::ceil(activity * v["tiles"] * v["neurons_per_tile"]));
    return cycles::scan_late_masks(v["tiles"], v["words"], v["bits"], active, v.rows("delays"),
                                   v["usual_at_once"]);
  });
  codelets.add_by_id("MergeLists", 4672, [](const Sizes& v, bool short_ids) {
    return cycles::merge_lists(v["blocks"], v["capacity"], short_ids, v["readers"],
                               v["usual_at_once"]);
  });
  codelets.add_by_id("FetchStep", 704, [](const Sizes& v, bool short_entries) {
    return cycles::fetch_step(v["samples"], v["row"], short_entries);
  });
  codelets.add_by_id("FetchList", 1280, [](const Sizes& v, bool short_ids) {
    return cycles::fetch_list(v["samples"], v["padded_capacity"], short_ids, v["keeps"] > 0);
  });
  for (const char* name : {"SaveRow", "LoadRow"})
    codelets.add(name, 320, [](const Sizes& v) { return cycles::copy_rows(v["size"]); });
  codelets.add("CountStep", 64, [](const Sizes&) { return cycles::count_step(); });
  codelets.add("ListSizes", 384, [](const Sizes& v) {
    return cycles::list_sizes(v.rows("lengths"), v["samples"], v["smaller"]);
  });
  codelets.add("LargestSize", 256, [](const Sizes&) { return cycles::largest_size(); });
}

void add_backward(Codelets& codelets, const UsualEntries& usual) {
  codelets.add("LiStepGrad", 640, [](const Sizes& v) {
    return cycles::li_step_grad(v["batch"], v["neurons"], v["learnt"] > 0);
  });
  codelets.add("LiStepGradAhead", 640, [](const Sizes& v) {
    return cycles::li_step_grad(v["batch"], v["neurons"], v["learnt"] > 0) +
           cycles::kWorkers * cycles::kAheadRow;
  });
  codelets.add("AddFinalGrad", 320, [](const Sizes& v) {
    return cycles::add_final_grad(v["batch"], v["states"], v["neurons"]);
  });
  codelets.add_by_id("WeightGrad", 9048, [=](const Sizes& v, bool short_ids) {
    return cycles::weight_grad(v["batch"], usual.mean(v["padded_capacity"]), v["neurons"],
                               short_ids, v["biased"] > 0);
  });
  codelets.add_by_id("WeightGradAhead", 6208, [=](const Sizes& v, bool short_ids) {
    return cycles::weight_grad_ahead(v["batch"], usual.mean(v["padded_capacity"]), v["neurons"],
                                     short_ids, v["biased"] > 0);
  });
  codelets.add_by_id("ListBits", 448, [](const Sizes& v, bool) {
    return cycles::list_bits(v["padded_capacity"], v["words"]);
  });
  codelets.add("SamplePatterns", 832,
               [](const Sizes& v) { return cycles::sample_patterns(v.rows("bits"), v["words"]); });
  codelets.add("PatternSums", 8064,
               [](const Sizes& v) { return cycles::pattern_sums(v["batch"], v["neurons"]); });
  codelets.add("PatternGrad", 9048, [](const Sizes& v) {
    return cycles::pattern_grad(v["batch"], v["inputs"], v["neurons"], v["biased"] > 0);
  });
  const auto dots = [=](const Sizes& v, bool short_ids, bool half_weights) {
    const unsigned listed = usual(v["padded_capacity"], v["batch"]);
    const unsigned left = listed > v["first"] ? listed - v["first"] : 0;
    return cycles::input_spike_grad(v["batch"], std::min(left, v["entries"]), v["neurons"],
                                    short_ids, half_weights);
  };
  codelets.add_by_id_and_weight("InputSpikeGrad", 8880, dots);
  codelets.add_by_id("InputSpikeGradAhead", 10192, [=](const Sizes& v, bool short_ids) {
    const unsigned listed = usual(v["padded_capacity"], v["batch"]);
    const unsigned left = listed > v["first"] ? listed - v["first"] : 0;
    return cycles::input_spike_grad_ahead(v["batch"], std::min(left, v["entries"]), v["neurons"],
                                          short_ids);
  });
  codelets.add("ReducePartials", 1892,
               [](const Sizes& v) { return cycles::reduce_partials(v["tiles"], v["entries"]); });
  codelets.add_by_id("ScatterSpikeGrad", 832, [=](const Sizes& v, bool) {
    return cycles::scatter_spike_grad(v["samples"], usual.longest(v["sum_capacity"]), v["sources"],
                                      v["observed"]);
  });
  codelets.add_by_id("SetSpikeGrad", 448, [=](const Sizes& v, bool short_ids) {
    return cycles::set_spike_grad(usual.longest(v["sum_capacity"]), v["parts"], v["sources"],
                                  short_ids);
  });
  codelets.add("SaveInputGrad", 640, [](const Sizes& v) {
    return cycles::save_input_grad(v["samples"], v["padded_capacity"], v.rows("sums"));
  });
  codelets.add_by_id("ClearSpikeGrad", 400, [](const Sizes& v, bool) {
    return cycles::clear_spike_grad(v["samples"], v["padded_capacity"]);
  });
  codelets.add_by_id("ListRanges", 704, [](const Sizes& v, bool short_ids) {
    return cycles::list_ranges(v["samples"], v["padded_capacity"], short_ids);
  });
  codelets.add("SumSamples", 320,
               [](const Sizes& v) { return cycles::sum_samples(v["batch"], v["size"]); });
}

void add_update(Codelets& codelets) {
  codelets.add("AddGradients", 448,
               [](const Sizes& v) { return cycles::add_gradients(v.rows("others"), v["size"]); });
  codelets.add("ClampParameters", 128,
               [](const Sizes& v) { return cycles::clamp_parameters(v["size"]); });
  codelets.add("ClampGradients", 192,
               [](const Sizes& v) { return cycles::clamp_gradients(v["size"]); });
  codelets.add_by_weight("AdamUpdate", 1136, 2624, [](const Sizes& v, bool half_weights) {
    return cycles::adam_update(v["size"], half_weights);
  });
  codelets.add_by_weight("SgdUpdate", 512, 2304, [](const Sizes& v, bool half_weights) {
    return cycles::sgd_update(v["size"], half_weights);
  });
}

// Estimators of standalone operators, and of imported and exported spikes.
void add_operators(Codelets& codelets) {
  codelets.add_by_id("ImportSpikes", 512, [](const Sizes& v, bool short_ids) {
    return cycles::import_spikes(v["samples"], v["steps"], v["capacity"], short_ids);
  });
  codelets.add_by_id("ExportSpikes", 512, [](const Sizes& v, bool) {
    return cycles::export_spikes(v["samples"], v["steps"], v["capacity"]);
  });
  codelets.add("CompactSpikes", 1536, [](const Sizes& v) {
    return cycles::compact_spikes(v["rows"], v["size"], v["capacity"], v["silent"] != 0);
  });
  codelets.add("ExpandSpikes", 576, [](const Sizes& v) {
    return cycles::expand_spikes(v["rows"], v["size"], v["capacity"]);
  });
  codelets.add("GatherSpikes", 384,
               [](const Sizes& v) { return cycles::gather_spikes(v["rows"], v["capacity"]); });
  codelets.add("LifScan", 2432, [](const Sizes& v) {
    return cycles::lif_scan(v["steps"], v["batch"], v["neurons"]);
  });
  codelets.add("LifScanGrad", 6368, [](const Sizes& v) {
    return cycles::lif_scan_grad(v["steps"], v["batch"], v["neurons"], Surrogate(v["surrogate"]));
  });
}

// The bytes were compiled for the IPU by a code generator written from public sources, of the
// sources of f972f64, before loops over rows were inlined: NeuronStep, WeightGrad, InputSpikeGrad,
// LifScanGrad, LiStep, MergeLists, ReducePartials, ClearSpikeGrad with ScatterSpikeGrad,
// AdamUpdate<float>; NeuronStepGrad is a quarter of one vertex with all five surrogates. What these
// have got since is added: loops in assembly as they stand, to MergeLists as much as clang's code
// of it has grown. The others are estimates: what clang makes of them for rv32imf at -O2, whose
// instructions have 4 bytes too, times 1.5, as it is of ReducePartials, the largest ratio of those
// that are known; with the loops in assembly of a vertex that is known where they have the same.
// Those of rows ahead have the bytes of the vertices that they follow, with other loops in
// assembly.
void add_all(Codelets& codelets, const NetworkSpec& network) {
  std::map<std::string, NeuronModel> models;
  double capacity = 0.0, neurons = 0.0;
  for (const LayerSpec& layer : network.layers) {
    if (layer.kind != LayerKind::SparseLif) continue;
    models.emplace(layer.model.type, layer.model);
    capacity += double(layer.capacity);
    neurons += double(layer.neurons);
  }
  const UsualEntries usual(network);
  codelets.add_size("NeuronStep",
                    8944);  // of any model, which reads late lists, without its own functions
  codelets.add_size("NeuronStepAhead", 12704);
  codelets.add_size("NeuronStepGrad", 4540);
  codelets.add_size("NeuronStepGradAhead", 4540);
  codelets.add_size("NeuronAdjoint", 4200);
  for (const auto& model : models) add_model(codelets, model.second, usual);
  add_forward(codelets, neurons > 0.0 ? capacity / neurons : 0.0, usual);
  add_backward(codelets, usual);
  add_delays(codelets, usual);
  add_arrivals(codelets, usual);
  add_update(codelets);
  add_operators(codelets);
}

}  // namespace

const std::map<std::string, std::size_t>& codelet_sizes() {
  static const std::map<std::string, std::size_t> sizes = [] {
    Codelets codelets;
    add_all(codelets, NetworkSpec());
    return codelets.sizes();
  }();
  return sizes;
}

void add_estimators(Graph& graph, const NetworkSpec& network) {
  Codelets codelets(&graph);
  add_all(codelets, network);
}

}  // namespace popsnn
