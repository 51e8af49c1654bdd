#include "estimators.hpp"

#include <poplar/VertexIntrospector.hpp>
#include <poputil/VertexTemplates.hpp>

#include "adam_update.cycles.hpp"
#include "count_step.cycles.hpp"
#include "fetch_step.cycles.hpp"
#include "input_spike_grad.cycles.hpp"
#include "li_step.cycles.hpp"
#include "li_step_grad.cycles.hpp"
#include "lif_step.cycles.hpp"
#include "lif_step_grad.cycles.hpp"
#include "list_shares.cycles.hpp"
#include "sgd_update.cycles.hpp"
#include "weight_grad.cycles.hpp"

namespace popsnn {
namespace {

using poplar::Graph;
using poplar::Target;
using poplar::VertexIntrospector;

// A vertex's sizes, which are its scalars of state.
class Sizes {
 public:
  Sizes(const VertexIntrospector& vertex, const Target& target)
      : vertex_(vertex), target_(target) {}

  unsigned operator[](const char* field) const {
    return vertex_.getFieldInfo(field).getInitialValue<unsigned>(target_);
  }

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

// For both types of ids; `cycles` learns whether they are of 16 bits.
template <class Cycles>
void add_by_id(Graph& graph, const char* name, Cycles cycles) {
  for (const bool short_ids : {true, false}) {
    const poplar::Type id = short_ids ? poplar::UNSIGNED_SHORT : poplar::UNSIGNED_INT;
    add(graph, poputil::templateVertex(name, id),
        [=](const Sizes& v) { return cycles(v, short_ids); });
  }
}

void add_forward(Graph& graph) {
  add_by_id(graph, "popsnn::LiStep", [](const Sizes& v, bool short_ids) {
    return cycles::li_step(v["batch"], v["slots"], v["neurons"], short_ids);
  });
  add_by_id(graph, "popsnn::FetchStep", [](const Sizes& v, bool short_entries) {
    return cycles::fetch_step(v["samples"], v["row"], short_entries);
  });
  add(graph, "popsnn::CountStep", [](const Sizes&) { return cycles::count_step(); });
}

void add_backward(Graph& graph) {
  add(graph, "popsnn::NeuronStepGrad<popsnn::Lif>", [](const Sizes& v) {
    return cycles::lif_step_grad(v["batch"], v["neurons"], Surrogate(v["surrogate"]));
  });
  add(graph, "popsnn::LiStepGrad",
      [](const Sizes& v) { return cycles::li_step_grad(v["batch"], v["neurons"]); });
  add_by_id(graph, "popsnn::WeightGrad", [](const Sizes& v, bool short_ids) {
    return cycles::weight_grad(v["batch"], v["slots"], v["neurons"], short_ids);
  });
  add_by_id(graph, "popsnn::InputSpikeGrad", [](const Sizes& v, bool short_ids) {
    return cycles::input_spike_grad(v["batch"], v["slots"], v["neurons"], short_ids);
  });
  add_by_id(graph, "popsnn::ListShares",
            [](const Sizes& v, bool) { return cycles::list_shares(v["samples"], v["slots"]); });
}

void add_update(Graph& graph) {
  add(graph, "popsnn::AdamUpdate", [](const Sizes& v) { return cycles::adam_update(v["size"]); });
  add(graph, "popsnn::SgdUpdate", [](const Sizes& v) { return cycles::sgd_update(v["size"]); });
}

}  // namespace

void add_estimators(Graph& graph) {
  add_forward(graph);
  add_backward(graph);
  add_update(graph);
}

}  // namespace popsnn
