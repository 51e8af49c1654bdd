#include "popsnn/spikes.hpp"

#include "build/vertex.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {
namespace {

using poplar::ComputeSet;
using poplar::FLOAT;
using poplar::Graph;
using poplar::INT;
using poplar::Tensor;
using poplar::program::Execute;
using poplar::program::Sequence;

// Calls visit(tile, its rows) for rows that are distributed over all tiles.
template <class Visit>
void for_each_tile(const Graph& graph, std::size_t rows, Visit visit) {
  const std::size_t tiles = graph.getTarget().getNumTiles();
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    const Range range = subrange({0, rows}, tile, tiles);
    if (range.size() > 0) visit(tile, range);
  }
}

Tensor rows_of(const Tensor& whole, const Range& range) {
  return whole.flatten(0, 2).slice(range.begin, range.end);
}

}  // namespace

Tensor add_distributed_rows(Graph& graph, const poplar::Type& type, std::size_t steps,
                            std::size_t batch, std::size_t row, const std::string& name) {
  const Tensor variable = graph.addVariable(type, {steps, batch, row}, name);
  for_each_tile(graph, steps * batch, [&](std::size_t tile, const Range& range) {
    graph.setTileMapping(rows_of(variable, range), unsigned(tile));
  });
  return variable;
}

CompactedSpikes compact_spikes(Graph& graph, const Tensor& dense, const CompactOptions& options,
                               Sequence& program) {
  const std::size_t steps = dense.dim(0), batch = dense.dim(1);
  const auto add = [&](const poplar::Type& type, std::size_t row, const char* name) {
    return add_distributed_rows(graph, type, steps, batch, row, name);
  };
  CompactedSpikes result;
  result.lists.ids = add(INT, options.capacity, "compact/ids");
  result.lists.counts = add(INT, 2, "compact/counts");
  result.values = add(FLOAT, options.capacity, "compact/values");
  result.drops = add(INT, 2, "compact/drops");
  const ComputeSet compute_set = graph.addComputeSet("compact_spikes");
  for_each_tile(graph, steps * batch, [&](std::size_t tile, const Range& range) {
    add_vertex(graph, compute_set, "popsnn::CompactSpikes", tile,
               {{"dense", rows_of(dense, range)},
                {"ids", rows_of(result.lists.ids, range)},
                {"counts", rows_of(result.lists.counts, range)},
                {"values", rows_of(result.values, range)},
                {"drops", rows_of(result.drops, range)}},
               {{"rows", range.size()},
                {"size", dense.dim(2)},
                {"capacity", options.capacity},
                {"batch", batch},
                {"step", range.begin / batch},
                {"sample", range.begin % batch},
                {"silent", unsigned(options.silent)},
                {"seed", options.seed},
                {"layer", options.layer}});
  });
  program.add(Execute(compute_set));
  return result;
}

Tensor expand_spikes(Graph& graph, const SpikeIndices& lists, const Tensor& values,
                     std::size_t neurons, Sequence& program) {
  const std::size_t steps = values.dim(0), batch = values.dim(1);
  const Tensor dense = add_distributed_rows(graph, FLOAT, steps, batch, neurons, "expand/dense");
  const ComputeSet compute_set = graph.addComputeSet("expand_spikes");
  for_each_tile(graph, steps * batch, [&](std::size_t tile, const Range& range) {
    add_vertex(graph, compute_set, "popsnn::ExpandSpikes", tile,
               {{"ids", rows_of(lists.ids, range)},
                {"counts", rows_of(lists.counts, range)},
                {"values", rows_of(values, range)},
                {"dense", rows_of(dense, range)}},
               {{"rows", range.size()}, {"capacity", values.dim(2)}, {"size", neurons}});
  });
  program.add(Execute(compute_set));
  return dense;
}

Tensor gather_spikes(Graph& graph, const SpikeIndices& lists, const Tensor& dense,
                     Sequence& program) {
  const std::size_t steps = dense.dim(0), batch = dense.dim(1), capacity = lists.ids.dim(2);
  const Tensor values = add_distributed_rows(graph, FLOAT, steps, batch, capacity, "gather/values");
  const ComputeSet compute_set = graph.addComputeSet("gather_spikes");
  for_each_tile(graph, steps * batch, [&](std::size_t tile, const Range& range) {
    add_vertex(graph, compute_set, "popsnn::GatherSpikes", tile,
               {{"ids", rows_of(lists.ids, range)},
                {"counts", rows_of(lists.counts, range)},
                {"dense", rows_of(dense, range)},
                {"values", rows_of(values, range)}},
               {{"rows", range.size()}, {"capacity", capacity}, {"size", dense.dim(2)}});
  });
  program.add(Execute(compute_set));
  return values;
}

}  // namespace popsnn
