#include "popsnn/lif_scan.hpp"

#include "build/vertex.hpp"
#include "relayout.hpp"

namespace popsnn {
namespace {

using poplar::ComputeSet;
using poplar::FLOAT;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Execute;
using poplar::program::Sequence;

// The neurons as a layer that lies on all tiles, an even number on each: loads bring two.
struct Scanned {
  LayerSpec layer;
  LayerPlan where;

  Scanned(const Graph& graph, std::size_t neurons) {
    layer.neurons = neurons;
    const std::size_t even = ceil_div(neurons, graph.getTarget().getNumTiles());
    where.neurons_per_tile = even > 1 ? ceil_div(even, 2) * 2 : 1;
    where.tiles = ceil_div(neurons, where.neurons_per_tile);
  }

  std::size_t size(std::size_t tile) const { return where.neurons(tile, layer).size(); }
};

Tensor by_step(const TileShards& shards, std::size_t steps) {
  const Tensor rows = shards.rows_by_neurons();
  return rows.reshape({steps, rows.dim(0) / steps, rows.dim(1)});
}

}  // namespace

Tensor add_scanned(Graph& graph, std::size_t steps, std::size_t batch, std::size_t neurons,
                   const std::string& name) {
  const Scanned on(graph, neurons);
  return by_step(add_shards(graph, on.layer, on.where, steps * batch, FLOAT, name), steps);
}

LifScan lif_scan(Graph& graph, const Tensor& current, const Tensor& parameters,
                 const LifOptions& options, Sequence& program) {
  const std::size_t steps = current.dim(0), batch = current.dim(1);
  const Scanned on(graph, current.dim(2));
  Relayout relayout(graph, program);
  const TileShards currents =
      relayout.shards(on.layer, on.where, current.flatten(0, 2), FLOAT, "lif/current");
  const TileShards rows = relayout.shards(on.layer, on.where, parameters, FLOAT, "lif/parameters");
  const auto add = [&](const char* name) {
    return add_shards(graph, on.layer, on.where, steps * batch, FLOAT, name);
  };
  const TileShards membrane = add("lif/membrane"), spikes = add("lif/spikes");
  const ComputeSet compute_set = graph.addComputeSet("lif_scan");
  for (std::size_t tile = 0; tile < on.where.tiles; ++tile)
    add_vertex(graph, compute_set, "popsnn::LifScan", tile,
               {{"current", currents.on[tile]},
                {"parameters", rows.on[tile]},
                {"membrane", membrane.on[tile]},
                {"spikes", spikes.on[tile]}},
               {{"steps", steps},
                {"batch", batch},
                {"neurons", on.size(tile)},
                {"reset", unsigned(options.reset)}});
  program.add(Execute(compute_set));
  return {by_step(spikes, steps), by_step(membrane, steps)};
}

LifScanGrad lif_scan_grad(Graph& graph, const Tensor& spike_grad, const Tensor& membrane,
                          const Tensor& parameters, const LifOptions& options, Sequence& program) {
  const std::size_t steps = membrane.dim(0), batch = membrane.dim(1);
  const Scanned on(graph, membrane.dim(2));
  Relayout relayout(graph, program);
  const auto lay_out = [&](const Tensor& source, const char* name) {
    return relayout.shards(on.layer, on.where, source, FLOAT, name);
  };
  const TileShards of_spikes = lay_out(spike_grad.flatten(0, 2), "lif/spike_grad"),
                   membranes = lay_out(membrane.flatten(0, 2), "lif/membrane"),
                   rows = lay_out(parameters, "lif/parameters");
  const auto add = [&](std::size_t rows_of_neurons, const char* name) {
    return add_shards(graph, on.layer, on.where, rows_of_neurons, FLOAT, name);
  };
  const TileShards current_grad = add(steps * batch, "lif/current_grad"),
                   samples = add(batch * 2, "lif/parameter_grad_samples"),
                   sums = add(2, "lif/parameter_grad");
  const ComputeSet scan = graph.addComputeSet("lif_scan_grad"),
                   sum = graph.addComputeSet("lif_scan_grad/sum");
  for (std::size_t tile = 0; tile < on.where.tiles; ++tile) {
    add_vertex(graph, scan, "popsnn::LifScanGrad", tile,
               {{"spike_grad", of_spikes.on[tile]},
                {"membrane", membranes.on[tile]},
                {"parameters", rows.on[tile]},
                {"current_grad", current_grad.on[tile]},
                {"parameter_grad", samples.on[tile]}},
               {{"steps", steps},
                {"batch", batch},
                {"neurons", on.size(tile)},
                {"reset", unsigned(options.reset)},
                {"detach_reset", unsigned(options.detach_reset)},
                {"surrogate", unsigned(options.surrogate)},
                {"surrogate_parameter", options.surrogate_parameter}});
    add_vertex(graph, sum, "popsnn::SumSamples", tile,
               {{"rows", samples.on[tile]}, {"sum", sums.on[tile]}},
               {{"batch", batch}, {"size", 2 * on.size(tile)}});
  }
  program.add(Execute(scan));
  program.add(Execute(sum));
  return {by_step(current_grad, steps), sums.rows_by_neurons()};
}

}  // namespace popsnn
