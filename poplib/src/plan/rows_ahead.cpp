#include <algorithm>
#include <cstddef>
#include <optional>

#include "cost.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {
namespace {

// Whether the products of a layer's input may go to rows of later time steps. A gradient of delays
// needs lists of arrivals, and the vertices have weights of 32 bits.
bool may_go_ahead(const NetworkSpec& network, std::size_t l) {
  const LayerSpec& layer = network.layers[l];
  const bool neurons = layer.kind == LayerKind::LeakyReadout || layer.model.takes_ahead();
  return layer.late(0) && !layer.learns_axons(0) && !layer.recurrent && !layer.has_ring() &&
         !layer.half_weights && neurons;
}

// The network with rows ahead in every layer that may have them; none where no layer may.
std::optional<NetworkSpec> with_rows_ahead(const NetworkSpec& network) {
  NetworkSpec result = network;
  bool any = false;
  for (std::size_t l = 0; l < network.layers.size() && !network.carries_state; ++l) {
    if (!may_go_ahead(network, l)) continue;
    LayerSpec& layer = result.layers[l];
    layer.rows_ahead = layer.axonal;
    layer.axonal = layer.arrivals = layer.undelayed = 0;
    any = true;
  }
  return any ? std::optional<NetworkSpec>(result) : std::nullopt;
}

}  // namespace

PlannedNetwork plan_delays(const NetworkSpec& network, const poplar::Target& target,
                           const PlanOptions& options) {
  network.check();
  const std::size_t steps = options.steps > 0 ? options.steps : network.steps;
  const bool whole = options.checkpoint_interval == 0 || options.checkpoint_interval >= steps;
  const auto fitting = [&](const NetworkSpec& spec) -> std::optional<Plan> {
    try {
      return plan_network(spec, target, options);
    } catch (const TooLarge&) {
      return std::nullopt;
    }
  };
  const auto cost = [&](NetworkSpec spec, const Plan& plan) {
    spec.steps = steps;
    return usual_step_cost(spec, plan, target);
  };
  if (options.rows_ahead != Choice::Never && whole)
    if (const std::optional<NetworkSpec> other = with_rows_ahead(network))
      if (const std::optional<Plan> ahead = fitting(*other)) {
        if (options.rows_ahead == Choice::Always) return {*other, *ahead};
        const std::optional<Plan> lists = fitting(network);
        if (!lists || cost(*other, *ahead) < cost(network, *lists)) return {*other, *ahead};
        return {network, *lists};
      }
  return {network, plan_network(network, target, options)};
}

}  // namespace popsnn
