#include "estimators.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <poplar/VertexIntrospector.hpp>
#include <poputil/VertexTemplates.hpp>

#include "delays/cycles.hpp"
#include "lists/cycles.hpp"
#include "neurons/cycles.hpp"
#include "optimizers/cycles.hpp"
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

// Entries of lists by their row length. Every list is full but those of arrivals, whose mean length
// is that of the lists that fired; with the neighbors of learnt delays three times as much, which
// counts more than the forward pass reads. Their row lengths are taken where no other list has the
// same.
class UsualEntries {
 public:
  explicit UsualEntries(const NetworkSpec& network) : batch_(network.batch) {
    std::set<unsigned> others;
    const auto add_other = [&](std::size_t capacity) {
      for (unsigned bucket = 0; bucket < kMostSizes; ++bucket)
        others.insert(unsigned(bucket_capacity(pad_capacity(capacity), bucket)));
    };
    add_other(network.input_capacity);
    for (const LayerSpec& layer : network.layers) add_other(layer.capacity);
    for (std::size_t l = 0; l < network.layers.size(); ++l)
      for (std::size_t source = 0; source < network.layers[l].sources(); ++source)
        if (network.layers[l].late(source)) add_arrivals(network, l, source);
    for (unsigned other : others) of_.erase(other);
  }

  // Where each worker sums the lists of its own samples: of the slowest worker.
  unsigned operator()(unsigned capacity, unsigned batch) const {
    const auto at = of_.find(capacity);
    if (at == of_.end()) return capacity;
    const std::size_t lists = ceil_div(batch, kWorkers);
    return std::min(capacity, unsigned(usual_arrivals(at->second.fired, lists, batch_)));
  }
  // Where each worker has a range of the ids of all lists.
  unsigned mean(unsigned capacity) const {
    const auto at = of_.find(capacity);
    if (at == of_.end()) return capacity;
    return std::min(capacity, unsigned(pad_capacity(at->second.fired)));
  }
  // Of the longest list of a batch.
  unsigned longest(unsigned capacity) const {
    const auto at = of_.find(capacity);
    return at == of_.end() ? capacity : std::min(capacity, most(double(at->second.fired)));
  }
  // Entries that arrive at the step that fires them, likewise.
  unsigned at_once(unsigned capacity, unsigned fired) const {
    const auto at = of_.find(capacity);
    return at == of_.end() ? fired : std::min(fired, most(at->second.at_once));
  }

 private:
  struct Arrivals {
    std::size_t fired;
    double at_once;
  };

  static unsigned most(double mean) { return unsigned(std::ceil(mean + 3.0 * std::sqrt(mean))); }

  void add_arrivals(const NetworkSpec& network, std::size_t l, std::size_t source) {
    const LayerSpec& layer = network.layers[l];
    const std::size_t fired = network.layers[NetworkSpec::firing(l, source)].capacity;
    ListPlan list;
    list.padded_capacity = pad_capacity(layer.arrivals_of(source));
    list.at_once = network.at_once(l, source);
    list.neighbors = layer.learns_axons(source);
    const double undelayed =
        double(layer.undelayed_of(source)) / double(network.source_size(l, source));
    for (unsigned bucket = 0; bucket < kMostSizes; ++bucket)
      of_.emplace(arrival_capacity(list, pad_capacity(fired), bucket),
                  Arrivals{list.usual(fired), double(fired) * undelayed});
  }

  const std::size_t batch_;
  std::map<unsigned, Arrivals> of_;  // by row length
};

template <class Cycles>
void add(Graph& graph, const std::string& type, Cycles cycles) {
  graph.registerPerfEstimator(type, [=](const VertexIntrospector& vertex, const Target& target) {
    return poplar::VertexPerfEstimate(cycles(Sizes(vertex, target)));
  });
}

// For both types of ids; `cycles` is told whether they have 16 bits. `type` lacks its last template
// argument.
template <class Cycles>
void add_by_id(Graph& graph, const std::string& type, Cycles cycles) {
  for (const bool short_ids : {true, false}) {
    const poplar::Type id = short_ids ? poplar::UNSIGNED_SHORT : poplar::UNSIGNED_INT;
    add(graph, type + id.toString() + ">", [=](const Sizes& v) { return cycles(v, short_ids); });
  }
}

// Also for both types of weights; `type` lacks its last two template arguments.
template <class Cycles>
void add_by_id_and_weight(Graph& graph, const std::string& type, Cycles cycles) {
  for (const bool short_ids : {true, false})
    for (const bool half_weights : {true, false}) {
      const poplar::Type id = short_ids ? poplar::UNSIGNED_SHORT : poplar::UNSIGNED_INT;
      const poplar::Type weight = half_weights ? poplar::HALF : poplar::FLOAT;
      add(graph, type + id.toString() + "," + weight.toString() + ">",
          [=](const Sizes& v) { return cycles(v, short_ids, half_weights); });
    }
}

void add_model(Graph& graph, const NeuronModel& of, const UsualEntries& usual) {
  const cycles::NeuronCycles model = of.numbers;
  const auto step = [=](const Sizes& v, bool short_ids, bool half_weights) {
    std::uint64_t gathered = cycles::biased_sum(v["neurons"], short_ids);
    const std::vector<unsigned> capacities = v.all("padded_capacity");
    for (unsigned capacity : capacities)
      gathered +=
          cycles::gather_rows(v["neurons"], short_ids, usual(capacity, v["batch"]), half_weights);
    return cycles::neuron_step(model, v["batch"], v["samples_per_row"], gathered,
                               unsigned(capacities.size()), v["neurons"],
                               Reset(v["reset"]) == Reset::Zero);
  };
  add_by_id_and_weight(graph, of.step_vertices(), step);
  for (const Surrogate kind : kSurrogates)
    add(graph, of.grad_vertex(kind), [=](const Sizes& v) {
      const unsigned learnable = v["learnt"] > 0 ? model.learnable : 0;
      const bool zeroes =  // an adjoint's text has its reset
          !of.adjoint && Reset(v["reset"]) == Reset::Zero && v["detach_reset"] == 1;
      return of.grad_cycles(v["batch"], v["neurons"], kind, learnable, zeroes);
    });
}

void add_delays(Graph& graph, const UsualEntries& usual) {
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
  add_by_id_and_weight(graph, "popsnn::DelayCurrents<", currents);
  add_by_id_and_weight(graph, "popsnn::SynapticGrad<", [](const Sizes& v, bool, bool) {
    return cycles::synaptic_grad(v["batch"], v["padded_capacity"], v["neurons"], v["learns"] > 0,
                                 v["sends"] > 0);
  });
  add(graph, "popsnn::DelayGrad", [](const Sizes& v) {
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

void add_arrivals(Graph& graph, const UsualEntries& usual) {
  add_by_id(graph, "popsnn::PutSpikes<", [](const Sizes& v, bool short_ids) {
    return cycles::put_spikes(v["samples"], v["padded_capacity"], short_ids,
                              v["sections"] == kLearntKinds);
  });
  add_by_id(graph, "popsnn::TakeSpikes<", [=](const Sizes& v, bool) {
    return cycles::take_spikes(v["samples"], usual.longest(v["padded_capacity"]), v["words"],
                               v["taken"], v["sections"]);
  });
  add_by_id(graph, "popsnn::AppendSpikes<", [=](const Sizes& v, bool) {
    return cycles::append_spikes(v["samples"], v["fired_capacity"],
                                 usual.at_once(v["padded_capacity"], v["fired_capacity"]));
  });
  add_by_id(graph, "popsnn::StoreArrivals<", [=](const Sizes& v, bool) {
    return cycles::store_arrivals(v["samples"], usual.longest(v["padded_capacity"]),
                                  v.rows("sums"));
  });
  add_by_id(graph, "popsnn::GatherArrivals<", [](const Sizes& v, bool) {
    return cycles::gather_arrivals(v["samples"], v["padded_capacity"]);
  });
  add_by_id(graph, "popsnn::StepsGrad<", [](const Sizes& v, bool) {
    return cycles::steps_grad(v["samples"], v["padded_capacity"]);
  });
  add_by_id(graph, "popsnn::ScatterArrivals<", [=](const Sizes& v, bool) {
    const unsigned sum_capacity = v["sum_capacity"];
    return cycles::scatter_arrivals(v["samples"], v["padded_capacity"], usual.longest(sum_capacity),
                                    usual.at_once(sum_capacity, v["padded_capacity"]),
                                    v.rows("sums"));
  });
}

// `activity`: the fraction of neurons that are active.
void add_forward(Graph& graph, double activity, const UsualEntries& usual) {
  const auto readout = [=](const Sizes& v, bool short_ids, bool half_weights) {
    return cycles::li_step(v["batch"], usual(v["padded_capacity"], v["batch"]), v["neurons"],
                           short_ids, half_weights);
  };
  add_by_id_and_weight(graph, "popsnn::LiStep<", readout);
  add(graph, "popsnn::ScanMasks", [=](const Sizes& v) {
    const auto active = std::uint64_t(std::ceil(activity * v["block_capacity"]));
    return cycles::scan_masks(v["tiles"], v["words"], v["bits"], active);
  });
  add_by_id(graph, "popsnn::MergeLists<", [](const Sizes& v, bool short_ids) {
    return cycles::merge_lists(v["blocks"], v["capacity"], short_ids, v["readers"]);
  });
  add_by_id(graph, "popsnn::FetchStep<", [](const Sizes& v, bool short_entries) {
    return cycles::fetch_step(v["samples"], v["row"], short_entries);
  });
  add_by_id(graph, "popsnn::FetchList<", [](const Sizes& v, bool short_ids) {
    return cycles::fetch_list(v["samples"], v["padded_capacity"], short_ids, v["keeps"] > 0);
  });
  for (const char* type : {"popsnn::SaveRow", "popsnn::LoadRow"})
    add(graph, type, [](const Sizes& v) { return cycles::copy_rows(v["size"]); });
  add(graph, "popsnn::CountStep", [](const Sizes&) { return cycles::count_step(); });
  add(graph, "popsnn::ListSizes", [](const Sizes& v) {
    return cycles::list_sizes(v.rows("lengths"), v["samples"], v["smaller"]);
  });
  add(graph, "popsnn::LargestSize", [](const Sizes&) { return cycles::largest_size(); });
}

void add_backward(Graph& graph, const UsualEntries& usual) {
  add(graph, "popsnn::LiStepGrad", [](const Sizes& v) {
    return cycles::li_step_grad(v["batch"], v["neurons"], v["learnt"] > 0);
  });
  add(graph, "popsnn::AddFinalGrad",
      [](const Sizes& v) { return cycles::add_final_grad(v["batch"], v["states"], v["neurons"]); });
  add_by_id(graph, "popsnn::WeightGrad<", [=](const Sizes& v, bool short_ids) {
    return cycles::weight_grad(v["batch"], usual.mean(v["padded_capacity"]), v["neurons"],
                               short_ids, v["biased"] > 0);
  });
  add_by_id(graph, "popsnn::ListBits<", [](const Sizes& v, bool) {
    return cycles::list_bits(v["padded_capacity"], v["words"]);
  });
  add(graph, "popsnn::SamplePatterns",
      [](const Sizes& v) { return cycles::sample_patterns(v.rows("bits"), v["words"]); });
  add(graph, "popsnn::PatternSums",
      [](const Sizes& v) { return cycles::pattern_sums(v["batch"], v["neurons"]); });
  add(graph, "popsnn::PatternGrad", [](const Sizes& v) {
    return cycles::pattern_grad(v["batch"], v["inputs"], v["neurons"], v["biased"] > 0);
  });
  const auto dots = [=](const Sizes& v, bool short_ids, bool half_weights) {
    const unsigned listed = usual(v["padded_capacity"], v["batch"]);
    const unsigned left = listed > v["first"] ? listed - v["first"] : 0;
    return cycles::input_spike_grad(v["batch"], std::min(left, v["entries"]), v["neurons"],
                                    short_ids, half_weights);
  };
  add_by_id_and_weight(graph, "popsnn::InputSpikeGrad<", dots);
  add(graph, "popsnn::ReducePartials",
      [](const Sizes& v) { return cycles::reduce_partials(v["tiles"], v["entries"]); });
  add_by_id(graph, "popsnn::ScatterSpikeGrad<", [](const Sizes& v, bool) {
    return cycles::scatter_spike_grad(v["samples"], v["sum_capacity"], v["sources"], v["observed"]);
  });
  add_by_id(graph, "popsnn::SetSpikeGrad<", [](const Sizes& v, bool short_ids) {
    return cycles::set_spike_grad(v["sum_capacity"], v["parts"], v.rows("sums"), short_ids);
  });
  add(graph, "popsnn::SaveInputGrad", [](const Sizes& v) {
    return cycles::save_input_grad(v["samples"], v["padded_capacity"], v.rows("sums"));
  });
  add_by_id(graph, "popsnn::ClearSpikeGrad<", [](const Sizes& v, bool) {
    return cycles::clear_spike_grad(v["samples"], v["padded_capacity"]);
  });
  add_by_id(graph, "popsnn::ListRanges<", [](const Sizes& v, bool short_ids) {
    return cycles::list_ranges(v["samples"], v["padded_capacity"], short_ids);
  });
  add(graph, "popsnn::SumSamples",
      [](const Sizes& v) { return cycles::sum_samples(v["batch"], v["size"]); });
}

void add_update(Graph& graph) {
  add(graph, "popsnn::AddGradients",
      [](const Sizes& v) { return cycles::add_gradients(v.rows("others"), v["size"]); });
  add(graph, "popsnn::ClampParameters",
      [](const Sizes& v) { return cycles::clamp_parameters(v["size"]); });
  add(graph, "popsnn::ClampGradients",
      [](const Sizes& v) { return cycles::clamp_gradients(v["size"]); });
  for (const bool half_weights : {true, false}) {
    const std::string weight = half_weights ? "<half>" : "<float>";
    add(graph, "popsnn::AdamUpdate" + weight,
        [=](const Sizes& v) { return cycles::adam_update(v["size"], half_weights); });
    add(graph, "popsnn::SgdUpdate" + weight,
        [=](const Sizes& v) { return cycles::sgd_update(v["size"], half_weights); });
  }
}

// Estimators of standalone operators, and of imported and exported spikes.
void add_operators(Graph& graph) {
  add_by_id(graph, "popsnn::ImportSpikes<", [](const Sizes& v, bool short_ids) {
    return cycles::import_spikes(v["samples"], v["steps"], v["capacity"], short_ids);
  });
  add_by_id(graph, "popsnn::ExportSpikes<", [](const Sizes& v, bool) {
    return cycles::export_spikes(v["samples"], v["steps"], v["capacity"]);
  });
  add(graph, "popsnn::CompactSpikes", [](const Sizes& v) {
    return cycles::compact_spikes(v["rows"], v["size"], v["capacity"], v["silent"] != 0);
  });
  add(graph, "popsnn::ExpandSpikes",
      [](const Sizes& v) { return cycles::expand_spikes(v["rows"], v["size"], v["capacity"]); });
  add(graph, "popsnn::GatherSpikes",
      [](const Sizes& v) { return cycles::gather_spikes(v["rows"], v["capacity"]); });
  add(graph, "popsnn::LifScan",
      [](const Sizes& v) { return cycles::lif_scan(v["steps"], v["batch"], v["neurons"]); });
  add(graph, "popsnn::LifScanGrad", [](const Sizes& v) {
    return cycles::lif_scan_grad(v["steps"], v["batch"], v["neurons"], Surrogate(v["surrogate"]));
  });
}

}  // namespace

void add_estimators(Graph& graph, const NetworkSpec& network) {
  std::map<std::string, NeuronModel> models;
  double capacity = 0.0, neurons = 0.0;
  for (const LayerSpec& layer : network.layers) {
    if (layer.kind != LayerKind::SparseLif) continue;
    models.emplace(layer.model.type, layer.model);
    capacity += double(layer.capacity);
    neurons += double(layer.neurons);
  }
  const UsualEntries usual(network);
  for (const auto& model : models) add_model(graph, model.second, usual);
  add_forward(graph, neurons > 0.0 ? capacity / neurons : 0.0, usual);
  add_backward(graph, usual);
  add_delays(graph, usual);
  add_arrivals(graph, usual);
  add_update(graph);
  add_operators(graph);
}

}  // namespace popsnn
