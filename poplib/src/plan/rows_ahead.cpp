#include <algorithm>
#include <cstddef>

#include "cost.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {
namespace {

// Whether the products of a layer's input may go to rows of later time steps. The delays are a part
// of its tiles' values, so that they do not learn; the vertices have weights of 32 bits.
bool may_go_ahead(const NetworkSpec& network, std::size_t l) {
  const LayerSpec& layer = network.layers[l];
  const bool neurons = layer.kind == LayerKind::LeakyReadout || layer.model.takes_ahead();
  return layer.late(0) && !layer.learns_axons(0) && !layer.recurrent && !layer.has_ring() &&
         !layer.half_weights && neurons;
}

// The network with rows ahead in every layer that may have them.
NetworkSpec ahead(const NetworkSpec& network) {
  NetworkSpec result = network;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    if (!may_go_ahead(network, l)) continue;
    LayerSpec& layer = result.layers[l];
    layer.rows_ahead = layer.axonal;
    layer.axonal = layer.arrivals = layer.undelayed = 0;
  }
  return result;
}

}  // namespace

NetworkSpec with_rows_ahead(const NetworkSpec& network, const poplar::Target& target,
                            const PlanOptions& options) {
  network.check();
  const NetworkSpec other = ahead(network);
  const bool any = std::any_of(other.layers.begin(), other.layers.end(),
                               [](const LayerSpec& layer) { return layer.rows_ahead > 0; });
  if (!any || network.carries_state || options.rows_ahead == RowsAhead::Never) return network;
  const std::size_t steps = options.steps > 0 ? options.steps : network.steps;
  if (options.checkpoint_interval > 0 && options.checkpoint_interval < steps) return network;
  try {
    const Plan plan = plan_network(other, target, options);
    if (options.rows_ahead == RowsAhead::Always) return other;
    const Plan lists = plan_network(network, target, options);
    return usual_step_cost(other, plan, target) < usual_step_cost(network, lists, target) ? other
                                                                                          : network;
  } catch (const std::runtime_error&) {  // it does not fit
    return network;
  }
}

}  // namespace popsnn
