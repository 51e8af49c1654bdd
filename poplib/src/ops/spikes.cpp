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

// Calls visit(tile, its rows) for rows that are dealt over all tiles.
template <class Visit>
void each_share(const Graph& graph, std::size_t rows, Visit visit) {
  const std::size_t tiles = graph.getTarget().getNumTiles();
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    const Range share = part_of({0, rows}, tile, tiles);
    if (share.size() > 0) visit(tile, share);
  }
}

Tensor rows_of(const Tensor& whole, const Range& share) {
  return whole.flatten(0, 2).slice(share.begin, share.end);
}

}  // namespace

Tensor add_dealt_rows(Graph& graph, const poplar::Type& type, std::size_t steps, std::size_t batch,
                      std::size_t row, const std::string& name) {
  const Tensor variable = graph.addVariable(type, {steps, batch, row}, name);
  each_share(graph, steps * batch, [&](std::size_t tile, const Range& share) {
    graph.setTileMapping(rows_of(variable, share), unsigned(tile));
  });
  return variable;
}

CompactedSpikes compact_spikes(Graph& graph, const Tensor& dense, const CompactOptions& options,
                               Sequence& program) {
  const std::size_t steps = dense.dim(0), batch = dense.dim(1);
  const auto add = [&](const poplar::Type& type, std::size_t row, const char* name) {
    return add_dealt_rows(graph, type, steps, batch, row, name);
  };
  CompactedSpikes result;
  result.lists.ids = add(INT, options.places, "compact/ids");
  result.lists.counts = add(INT, 2, "compact/counts");
  result.values = add(FLOAT, options.places, "compact/values");
  result.drops = add(INT, 2, "compact/drops");
  const ComputeSet compute_set = graph.addComputeSet("compact_spikes");
  each_share(graph, steps * batch, [&](std::size_t tile, const Range& share) {
    add_vertex(graph, compute_set, "popsnn::CompactSpikes", tile,
               {{"dense", rows_of(dense, share)},
                {"ids", rows_of(result.lists.ids, share)},
                {"counts", rows_of(result.lists.counts, share)},
                {"values", rows_of(result.values, share)},
                {"drops", rows_of(result.drops, share)}},
               {{"rows", share.size()},
                {"size", dense.dim(2)},
                {"places", options.places},
                {"batch", batch},
                {"step", share.begin / batch},
                {"sample", share.begin % batch},
                {"silent", unsigned(options.silent)},
                {"seed", options.seed},
                {"layer", options.layer}});
  });
  program.add(Execute(compute_set));
  return result;
}

Tensor expand_spikes(Graph& graph, const GivenLists& lists, const Tensor& values,
                     std::size_t neurons, Sequence& program) {
  const std::size_t steps = values.dim(0), batch = values.dim(1);
  const Tensor dense = add_dealt_rows(graph, FLOAT, steps, batch, neurons, "expand/dense");
  const ComputeSet compute_set = graph.addComputeSet("expand_spikes");
  each_share(graph, steps * batch, [&](std::size_t tile, const Range& share) {
    add_vertex(graph, compute_set, "popsnn::ExpandSpikes", tile,
               {{"ids", rows_of(lists.ids, share)},
                {"counts", rows_of(lists.counts, share)},
                {"values", rows_of(values, share)},
                {"dense", rows_of(dense, share)}},
               {{"rows", share.size()}, {"places", values.dim(2)}, {"size", neurons}});
  });
  program.add(Execute(compute_set));
  return dense;
}

Tensor pick_spikes(Graph& graph, const GivenLists& lists, const Tensor& dense, Sequence& program) {
  const std::size_t steps = dense.dim(0), batch = dense.dim(1), places = lists.ids.dim(2);
  const Tensor values = add_dealt_rows(graph, FLOAT, steps, batch, places, "pick/values");
  const ComputeSet compute_set = graph.addComputeSet("pick_spikes");
  each_share(graph, steps * batch, [&](std::size_t tile, const Range& share) {
    add_vertex(graph, compute_set, "popsnn::PickSpikes", tile,
               {{"ids", rows_of(lists.ids, share)},
                {"counts", rows_of(lists.counts, share)},
                {"dense", rows_of(dense, share)},
                {"values", rows_of(values, share)}},
               {{"rows", share.size()}, {"places", places}, {"size", dense.dim(2)}});
  });
  program.add(Execute(compute_set));
  return values;
}

}  // namespace popsnn
