#include "backward_arrivals.hpp"

namespace popsnn {

using poplar::ComputeSet;
using poplar::Tensor;

void BackwardArrivals::collect_gradients(std::vector<Tensor>& zero) const {
  for (const Late& late : late_sources())
    zero.push_back(tensors_.layers[late.layer].arrivals[late.source].grads.flatten());
}

void BackwardArrivals::add_fetches(ComputeSet compute_set) {
  for (const Late& late : late_sources())
    add_fetch_arrivals(compute_set, late.layer, late.source, -1 - delay_of(late), true);
}

void BackwardArrivals::add_replay_fetches(ComputeSet compute_set, unsigned stage, int offset) {
  for (const Late& late : late_sources())
    if (stage_of(late.layer) == stage)
      add_fetch_arrivals(compute_set, late.layer, late.source, offset - delay_of(late), false);
}

void BackwardArrivals::add_next_fetches(ComputeSet compute_set, unsigned stage) {
  for (const Late& late : late_sources())
    if (stage_of(late.layer) == stage)
      add_fetch_arrivals(compute_set, late.layer, late.source, -1 - delay_of(late), true);
}

bool BackwardArrivals::add_scatters(ComputeSet compute_set, unsigned stage, std::size_t source,
                                    const EntrySums& sums) {
  bool any = false;
  for (const Late& late : late_sources()) {
    if (stage_of(late.layer) != stage || late.source != source) continue;
    add_scatter(compute_set, late, sums.at({late.layer, late.source}));
    any = true;
  }
  return any;
}

void BackwardArrivals::add_scatter(ComputeSet compute_set, const Late& late, const Tensor& sums) {
  const Arrivals& t = tensors_.layers[late.layer].arrivals[late.source];
  const SpikeHistory& fired = tensors_.fired_list(late.layer, late.source);
  const Tensor& spike_grad =
      tensors_.layers[NetworkSpec::firing(late.layer, late.source)].spike_grad;
  const ListPlan& list = where_.list_of(late.layer, late.source);
  for (std::size_t i = 0; i < list.ranges.size(); ++i) {
    const SampleRange& range = list.ranges[i];
    const auto of = [&](const Tensor& tensor) {
      return tensor.slice(range.samples.begin, range.samples.end);
    };
    Rows of_sources = {"sums", {}};
    for (std::size_t r = 0; r < sums.dim(0); ++r) of_sources.tensors.push_back(of(sums[r]));
    add_vertex(graph_, compute_set, poputil::templateVertex("popsnn::ScatterArrivals", id_type_),
               range.tile,
               {{"ids_history", of(t.lists.ids_history)},
                {"counts_history", of(t.lists.counts_history)},
                {"begins", of(t.begins)},
                {"fired_ids", of(fired.ids_history)},
                {"fired_counts", of(fired.counts_history)},
                {"delays", t.delays[i]},
                {"step", shared_.list_step},
                {"arrived", of(t.grads)},
                {"spike_grad", of(spike_grad)}},
               {{"samples", range.samples.size()},
                {"steps", network_.steps},
                {"padded_capacity", fired.ids_history.dim(2)},
                {"entries", t.lists.ids_history.dim(1)},
                {"sum_capacity", sums.dim(2)},
                {"slots", network_.layers[late.layer].axonal_slots(late.source)},
                {"neurons", network_.source_size(late.layer, late.source)},
                {"offset", -delay_of(late)}},
               {of_sources});
  }
}

}  // namespace popsnn
