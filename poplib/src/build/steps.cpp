#include "steps.hpp"

#include <poputil/VertexTemplates.hpp>

#include "build/code/code_counter.hpp"
#include "vertex.hpp"

namespace popsnn {

void add_count(poplar::Graph& graph, poplar::ComputeSet compute_set, const poplar::Tensor& counter,
               int by) {
  add_vertex(graph, compute_set, "popsnn::CountStep", counter_tile(graph), {{"counter", counter}},
             {{"by", by}});
}

poplar::program::Copy set_counter(poplar::Graph& graph, const poplar::Tensor& counter, int value) {
  const poplar::Tensor constant = graph.addConstant(poplar::INT, {}, value, {"constant"});
  graph.setTileMapping(constant, counter_tile(graph));
  return poplar::program::Copy(constant, counter);
}

void add_fetch(poplar::Graph& graph, poplar::ComputeSet compute_set, const ListPlan& where,
               const poplar::Tensor& history, const poplar::Tensor& list_step,
               const poplar::Tensor& current, int offset) {
  const std::string type = poputil::templateVertex("popsnn::FetchStep", history.elementType());
  for (const SampleRange& range : where.ranges) {
    const Range& b = range.samples;
    add_vertex(graph, compute_set, type, range.tile,
               {{"history", history.slice(b.begin, b.end)},
                {"step", list_step},
                {"current", current.slice(b.begin, b.end)}},
               {{"samples", b.size()},
                {"steps", history.dim(1) - 1},
                {"row", history.dim(2)},
                {"offset", offset}});
  }
}

void add_fetch_lists(poplar::Graph& graph, poplar::ComputeSet compute_set, const ListPlan& where,
                     const SpikeHistory& lists, const poplar::Tensor& list_step, int offset) {
  add_fetch(graph, compute_set, where, lists.ids_history, list_step, lists.ids, offset);
  add_fetch(graph, compute_set, where, lists.counts_history, list_step, lists.counts, offset);
}

void count_step_code(CodeCounter& code, const ReplicaPlan& replica) {
  const std::initializer_list<std::string> types = {code.by_id("FetchStep"),
                                                    "popsnn::FetchStep<unsigned int>"};
  code.add(replica.input, types);
  for (std::size_t l = 0; l < code.network().layers.size(); ++l)
    if (code.spikes(l)) code.add(replica.lists[l], types);
  code.add(code.tiles() - 1, {"popsnn::CountStep"});  // counter_tile
}

}  // namespace popsnn
