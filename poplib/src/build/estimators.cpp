#include "estimators.hpp"

#include <cmath>
#include <map>

#include <poplar/VertexIntrospector.hpp>
#include <poputil/VertexTemplates.hpp>

#include "lists/cycles.hpp"
#include "neurons/cycles.hpp"
#include "optimizers/cycles.hpp"
#include "products/cycles.hpp"

namespace popsnn {
namespace {

using poplar::Graph;
using poplar::Target;
using poplar::VertexIntrospector;

// A vertex's sizes: its state, and how many rows its fields have.
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

template <class Cycles>
void add(Graph& graph, const std::string& type, Cycles cycles) {
  graph.registerPerfEstimator(type, [=](const VertexIntrospector& vertex, const Target& target) {
    return poplar::VertexPerfEstimate(cycles(Sizes(vertex, target)));
  });
}

// For both types of ids; `cycles` learns whether they are of 16 bits. `type` lacks its last
// argument.
template <class Cycles>
void add_by_id(Graph& graph, const std::string& type, Cycles cycles) {
  for (const bool short_ids : {true, false}) {
    const poplar::Type id = short_ids ? poplar::UNSIGNED_SHORT : poplar::UNSIGNED_INT;
    add(graph, type + id.toString() + ">", [=](const Sizes& v) { return cycles(v, short_ids); });
  }
}

// And for both types of weights; `type` lacks its last two arguments.
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

void add_model(Graph& graph, const NeuronModel& of) {
  const cycles::NeuronCycles model = of.numbers;
  const std::string step = "popsnn::NeuronStep<" + of.type + ",";
  add_by_id_and_weight(graph, step, [=](const Sizes& v, bool short_ids, bool half_weights) {
    std::uint64_t gathered = 0;
    const std::vector<unsigned> slots = v.all("slots");
    for (unsigned each : slots)
      gathered += cycles::gather_rows(v["neurons"], short_ids, each, half_weights);
    return cycles::neuron_step(model, v["batch"], v["samples_per_row"], gathered,
                               unsigned(slots.size()), v["neurons"]);
  });
  add(graph, of.grad_vertex(), [=](const Sizes& v) {
    const unsigned learnable = v.rows("parameter_grad") > 0 ? model.learnable : 0;
    return cycles::neuron_step_grad(model, v["batch"], v["neurons"], Surrogate(v["surrogate"]),
                                    learnable);
  });
}

// `activity`: the share of neurons that are listed.
void add_forward(Graph& graph, double activity) {
  const auto readout = [](const Sizes& v, bool short_ids, bool half_weights) {
    return cycles::li_step(v["batch"], v["slots"], v["neurons"], short_ids, half_weights);
  };
  add_by_id_and_weight(graph, "popsnn::LiStep<", readout);
  add(graph, "popsnn::ScanMasks", [=](const Sizes& v) {
    const auto listed = std::uint64_t(std::ceil(activity * v["slots"]));
    return cycles::scan_masks(v["tiles"], v["words"], v["bits"], listed);
  });
  add_by_id(graph, "popsnn::MergeLists<", [](const Sizes& v, bool short_ids) {
    return cycles::merge_lists(v["parts"], v["capacity"], short_ids);
  });
  add_by_id(graph, "popsnn::FetchStep<", [](const Sizes& v, bool short_entries) {
    return cycles::fetch_step(v["samples"], v["row"], short_entries);
  });
  for (const char* type : {"popsnn::PutRow", "popsnn::TakeRow"})
    add(graph, type, [](const Sizes& v) { return cycles::copy_rows(v["size"]); });
  add(graph, "popsnn::CountStep", [](const Sizes&) { return cycles::count_step(); });
  add(graph, "popsnn::ListSizes", [](const Sizes& v) {
    return cycles::list_sizes(v.rows("lengths"), v["samples"], v["smaller"]);
  });
  add(graph, "popsnn::LargestSize", [](const Sizes&) { return cycles::largest_size(); });
}

void add_backward(Graph& graph) {
  add(graph, "popsnn::LiStepGrad", [](const Sizes& v) {
    return cycles::li_step_grad(v["batch"], v["neurons"], v.rows("parameter_grad") > 0);
  });
  add(graph, "popsnn::AddFinalGrad",
      [](const Sizes& v) { return cycles::add_final_grad(v["batch"], v["states"], v["neurons"]); });
  add_by_id(graph, "popsnn::WeightGrad<", [](const Sizes& v, bool short_ids) {
    return cycles::weight_grad(v["batch"], v["slots"], v["neurons"], short_ids,
                               v.rows("bias_grad") > 0);
  });
  add_by_id(graph, "popsnn::ListBits<",
            [](const Sizes& v, bool) { return cycles::list_bits(v["slots"], v["words"]); });
  add(graph, "popsnn::SamplePatterns",
      [](const Sizes& v) { return cycles::sample_patterns(v.rows("bits"), v["words"]); });
  add(graph, "popsnn::PatternSums",
      [](const Sizes& v) { return cycles::pattern_sums(v["batch"], v["neurons"]); });
  add(graph, "popsnn::PatternGrad", [](const Sizes& v) {
    return cycles::pattern_grad(v["batch"], v["inputs"], v["neurons"], v.rows("bias_grad") > 0);
  });
  const auto dots = [](const Sizes& v, bool short_ids, bool half_weights) {
    return cycles::input_spike_grad(v["batch"], v["slots"], v["neurons"], short_ids, half_weights);
  };
  add_by_id_and_weight(graph, "popsnn::InputSpikeGrad<", dots);
  add(graph, "popsnn::ReducePartials",
      [](const Sizes& v) { return cycles::reduce_partials(v["tiles"], v["slots"]); });
  add_by_id(graph, "popsnn::ScatterSpikeGrad<", [](const Sizes& v, bool) {
    return cycles::scatter_spike_grad(v["samples"], v["sum_slots"], v.rows("sums"),
                                      v.rows("slot_grad"));
  });
  add(graph, "popsnn::KeepInputGrad", [](const Sizes& v) {
    return cycles::keep_input_grad(v["samples"], v["slots"], v.rows("sums"));
  });
  add_by_id(graph, "popsnn::ClearSpikeGrad<", [](const Sizes& v, bool) {
    return cycles::clear_spike_grad(v["samples"], v["slots"]);
  });
  add_by_id(graph, "popsnn::ListShares<",
            [](const Sizes& v, bool) { return cycles::list_shares(v["samples"], v["slots"]); });
  add(graph, "popsnn::SumSamples",
      [](const Sizes& v) { return cycles::sum_samples(v["batch"], v["size"]); });
}

void add_update(Graph& graph) {
  add(graph, "popsnn::AddGradients",
      [](const Sizes& v) { return cycles::add_gradients(v.rows("others"), v["size"]); });
  add(graph, "popsnn::HoldLearnt", [](const Sizes& v) { return cycles::hold_learnt(v["size"]); });
  add(graph, "popsnn::HoldGradient",
      [](const Sizes& v) { return cycles::hold_gradient(v["size"]); });
  for (const bool half_weights : {true, false}) {
    const std::string weight = half_weights ? "<half>" : "<float>";
    add(graph, "popsnn::AdamUpdate" + weight,
        [=](const Sizes& v) { return cycles::adam_update(v["size"], half_weights); });
    add(graph, "popsnn::SgdUpdate" + weight,
        [=](const Sizes& v) { return cycles::sgd_update(v["size"], half_weights); });
  }
}

// Of operators that stand alone, and of lists that other programs bring and take.
void add_operators(Graph& graph) {
  add_by_id(graph, "popsnn::TakeLists<", [](const Sizes& v, bool short_ids) {
    return cycles::take_lists(v["samples"], v["steps"], v["places"], short_ids);
  });
  add_by_id(graph, "popsnn::GiveLists<", [](const Sizes& v, bool) {
    return cycles::give_lists(v["samples"], v["steps"], v["places"]);
  });
  add(graph, "popsnn::CompactSpikes", [](const Sizes& v) {
    return cycles::compact_spikes(v["rows"], v["size"], v["places"], v["silent"] != 0);
  });
  add(graph, "popsnn::ExpandSpikes",
      [](const Sizes& v) { return cycles::expand_spikes(v["rows"], v["size"], v["places"]); });
  add(graph, "popsnn::PickSpikes",
      [](const Sizes& v) { return cycles::pick_spikes(v["rows"], v["places"]); });
  add(graph, "popsnn::LifScan",
      [](const Sizes& v) { return cycles::lif_scan(v["steps"], v["batch"], v["neurons"]); });
  add(graph, "popsnn::LifScanGrad", [](const Sizes& v) {
    return cycles::lif_scan_grad(v["steps"], v["batch"], v["neurons"], Surrogate(v["surrogate"]));
  });
}

}  // namespace

void add_estimators(Graph& graph, const NetworkSpec& network) {
  std::map<std::string, NeuronModel> models;
  double places = 0.0, neurons = 0.0;
  for (const LayerSpec& layer : network.layers) {
    if (layer.kind != LayerKind::SparseLif) continue;
    models.emplace(layer.model.type, layer.model);
    places += double(layer.capacity);
    neurons += double(layer.neurons);
  }
  for (const auto& model : models) add_model(graph, model.second);
  add_forward(graph, neurons > 0.0 ? places / neurons : 0.0);
  add_backward(graph);
  add_update(graph);
  add_operators(graph);
}

}  // namespace popsnn
