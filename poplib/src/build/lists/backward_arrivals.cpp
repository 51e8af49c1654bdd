#include "backward_arrivals.hpp"

#include <poputil/VertexTemplates.hpp>

#include "build/code/code_counter.hpp"
#include "build/vertex.hpp"

namespace popsnn {

using poplar::ComputeSet;
using poplar::Tensor;

void BackwardArrivals::collect_gradients(std::vector<Tensor>& zero) const {
  for (const Late& late : late_sources()) {
    const Arrivals& t = tensors_.layers[late.layer].arrivals[late.source];
    for (const std::vector<Tensor>& parts : t.part_grads)
      for (const Tensor& part : parts) zero.push_back(part.flatten());
    if (t.grads.valid()) zero.push_back(t.grads.flatten());
    if (t.waiting.valid()) zero.push_back(t.waiting.flatten());
    if (learns(late)) zero.push_back(t.steps_grad.flatten());
  }
}

void BackwardArrivals::collect_counts(std::vector<Tensor>& zero) const {
  for (const Late& late : late_sources())
    zero.push_back(tensors_.layers[late.layer].arrivals[late.source].at_once_counts.flatten());
}

void BackwardArrivals::add_takes(ComputeSet compute_set, unsigned stage) {
  for (const Late& late : late_sources())
    if (stage_of(late.layer) == stage)
      add_take(compute_set, late, {-1 - delay_of(late), sections_of(late), false});
}

void BackwardArrivals::add_next(ComputeSet compute_set, unsigned stage) {
  for (const Late& late : late_sources()) {
    if (stage_of(late.layer) != stage) continue;
    const Arrivals& t = tensors_.layers[late.layer].arrivals[late.source];
    const ListPlan& list = where_.list_of(late.layer, late.source);
    for (const SampleRange& range : list.ranges)
      add_vertex(graph_, compute_set, poputil::templateVertex("popsnn::NextArrivals", id_type_),
                 range.tile,
                 {{"next_ids", of(range.samples, t.next_ids)},
                  {"next_records", of(range.samples, t.next_records)},
                  {"ids", of(range.samples, t.lists.ids)},
                  {"records_now", of(range.samples, t.records)}},
                 {{"samples", range.samples.size()},
                  {"padded_capacity", list.padded_capacity},
                  {"records", t.records.dim(1)}});
  }
}

void BackwardArrivals::add_slots(ComputeSet compute_set) {
  for (const Late& late : late_sources()) {
    if (!in_parts(late)) continue;
    const Tensor& slots = tensors_.layers[late.layer].arrivals[late.source].part_slots;
    add_vertex(graph_, compute_set, "popsnn::RingSlots",
               where_.list_of(late.layer, late.source).ranges.front().tile,
               {{"first_step", shared_.first_step}, {"row", shared_.row}, {"slots", slots}},
               {{"length", network_.layers[late.layer].axonal_slots(late.source)}});
  }
}

void BackwardArrivals::add_replay_takes(ComputeSet compute_set, unsigned stage, int offset) {
  for (const Late& late : late_sources()) {
    if (stage_of(late.layer) != stage) continue;
    add_take(compute_set, late, {offset - delay_of(late), 1, true});
  }
}

bool BackwardArrivals::add_scatters(ComputeSet lists, ComputeSet own, unsigned stage,
                                    std::size_t source, unsigned bucket, const EntrySums& sums) {
  bool any = false;
  for (const Late& late : late_sources()) {
    if (stage_of(late.layer) != stage || late.source != source) continue;
    if (in_parts(late)) {
      add_parts(lists, late, bucket, sums.at({late.layer, source}));
      continue;
    }
    const bool alone = writers(NetworkSpec::firing(late.layer, source), stage) == 1;
    add_store(lists, late, bucket, sums.at({late.layer, source}));
    add_scatter(alone ? lists : own, late, bucket, sums.at({late.layer, source}));
    any = any || !alone;
  }
  return any;
}

unsigned BackwardArrivals::writers(std::size_t l, unsigned stage) const {
  const LayerSpec& layer = network_.layers[l];
  const bool here = stage_of(l) == stage;
  const bool above = l + 1 < network_.layers.size() && stage_of(l + 1) == stage;
  const bool loops = here && layer.recurrent;
  // Readers that are not late share a vertex, with the loss.
  const bool shared = (here && layer.observed) || (loops && !layer.late(1)) ||
                      (above && !network_.layers[l + 1].late(0));
  return unsigned(shared) + unsigned(loops && layer.late(1)) +
         unsigned(above && network_.layers[l + 1].late(0));
}

void BackwardArrivals::add_store(ComputeSet compute_set, const Late& late, unsigned bucket,
                                 const Tensor& sums) {
  const Arrivals& t = tensors_.layers[late.layer].arrivals[late.source];
  for (const SampleRange& range : where_.list_of(late.layer, late.source).ranges) {
    const Range& samples = range.samples;
    add_vertex(graph_, compute_set, poputil::templateVertex("popsnn::StoreArrivals", id_type_),
               range.tile,
               {{"ids", of(samples, ids_of(late.layer, late.source, bucket))},
                {"counts", of(samples, t.lists.counts)},
                {"step", shared_.list_step},
                {"arrived", of(samples, t.grads)}},
               {{"samples", samples.size()},
                {"padded_capacity", sums.dim(2)},
                {"slots", network_.layers[late.layer].axonal_slots(late.source)},
                {"neurons", network_.source_size(late.layer, late.source)},
                {"offset", -delay_of(late)}},
               {sums_of(samples, sums)});
  }
}

void BackwardArrivals::add_steps_grads(ComputeSet compute_set, unsigned stage) {
  for (const Late& late : late_sources())
    if (stage_of(late.layer) == stage && learns(late))
      add_steps_grad(compute_set, late, 1 - delay_of(late));
}

void BackwardArrivals::add_last_steps_grads(ComputeSet compute_set) {
  for (const Late& late : late_sources())
    if (learns(late) && delay_of(late) == 0) add_steps_grad(compute_set, late, 0);
}

void BackwardArrivals::add_steps_grad(ComputeSet compute_set, const Late& late, int offset) {
  const Arrivals& t = tensors_.layers[late.layer].arrivals[late.source];
  const std::vector<SampleRange>& ranges = where_.list_of(late.layer, late.source).ranges;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Range& samples = ranges[i].samples;
    add_vertex(graph_, compute_set, poputil::templateVertex("popsnn::StepsGrad", id_type_),
               ranges[i].tile,
               {{"fired_history", of(samples, t.fired_history)},
                {"lengths", of(samples, t.lengths)},
                {"delays", t.delays[i]},
                {"arrived", of(samples, t.grads)},
                {"step", shared_.list_step},
                {"steps_grad", of(samples, t.steps_grad)}},
               {{"samples", samples.size()},
                {"steps", network_.steps},
                {"padded_capacity", t.waiting.dim(1)},
                {"slots", network_.layers[late.layer].axonal_slots(late.source)},
                {"neurons", network_.source_size(late.layer, late.source)},
                {"offset", offset}});
  }
}

void BackwardArrivals::add_gathers(ComputeSet compute_set, unsigned stage) {
  for (const Late& late : late_sources()) {
    if (stage_of(NetworkSpec::firing(late.layer, late.source)) != stage) continue;
    if (in_parts(late)) {
      add_next_rows(compute_set, late);
      continue;
    }
    const Arrivals& t = tensors_.layers[late.layer].arrivals[late.source];
    const std::vector<SampleRange>& ranges = where_.list_of(late.layer, late.source).ranges;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const Range& samples = ranges[i].samples;
      add_vertex(graph_, compute_set, poputil::templateVertex("popsnn::GatherArrivals", id_type_),
                 ranges[i].tile,
                 {{"fired_history", of(samples, t.fired_history)},
                  {"lengths", of(samples, t.lengths)},
                  {"delays", t.delays[i]},
                  {"arrived", of(samples, t.grads)},
                  {"step", shared_.list_step},
                  {"waiting", of(samples, t.waiting)}},
                 {{"samples", samples.size()},
                  {"steps", network_.steps},
                  {"padded_capacity", t.waiting.dim(1)},
                  {"slots", network_.layers[late.layer].axonal_slots(late.source)},
                  {"neurons", network_.source_size(late.layer, late.source)},
                  {"offset", -1}});
    }
  }
}

template <typename Visit>
void BackwardArrivals::each_part(const Late& late, const Visit& visit) {
  const std::size_t firing = NetworkSpec::firing(late.layer, late.source);
  for (std::size_t b = 0; b < where_.batch(); ++b) {
    const std::vector<std::size_t>& tiles = where_.lists[firing].row_tiles[b];
    for (std::size_t part = 0; part < tiles.size(); ++part)
      visit(b, part, tiles, where_.row_part(network_.layers[firing], firing, part));
  }
}

void BackwardArrivals::add_parts(ComputeSet compute_set, const Late& late, unsigned bucket,
                                 const Tensor& sums) {
  const Arrivals& t = tensors_.layers[late.layer].arrivals[late.source];
  const Tensor& spike_grad =
      tensors_.layers[NetworkSpec::firing(late.layer, late.source)].spike_grad;
  const Tensor ids = ids_of(late.layer, late.source, bucket);
  const std::string type = poputil::templateVertex("popsnn::SetArrivals", id_type_);
  each_part(late, [&](std::size_t b, std::size_t part, const std::vector<std::size_t>& tiles,
                      const Range& neurons) {
    const Tensor& fired = t.part_grads[b][part];
    add_vertex(graph_, compute_set, type, tiles[part],
               {{"sums", sums.slice(b, b + 1, 1)},
                {"ids", ids[b]},
                {"counts", t.lists.counts[b]},
                {"delays", t.part_delays[b].slice(neurons.begin, neurons.end)},
                {"slot", t.part_slots[1 - std::size_t(delay_of(late))]},
                {"fired", fired},
                {"spike_grad", spike_grad[b].slice(neurons.begin, neurons.end)}},
               {{"sources", sums.dim(0)},
                {"sum_capacity", sums.dim(2)},
                {"first", neurons.begin},
                {"size", neurons.size()},
                {"row", fired.dim(1)},
                {"slots", fired.dim(0)},
                {"parts", tiles.size()}});
  });
}

void BackwardArrivals::add_next_rows(ComputeSet compute_set, const Late& late) {
  const Arrivals& t = tensors_.layers[late.layer].arrivals[late.source];
  const Tensor& spike_grad =
      tensors_.layers[NetworkSpec::firing(late.layer, late.source)].spike_grad;
  each_part(late, [&](std::size_t b, std::size_t part, const std::vector<std::size_t>& tiles,
                      const Range& neurons) {
    const Tensor& fired = t.part_grads[b][part];
    for (unsigned range = 0; range < kWorkerRanges; ++range) {
      // Ranges begin on 8 bytes; the last one has the last of an odd number.
      const std::size_t begin = 2 * range_begin(unsigned(neurons.size() / 2), range);
      const std::size_t end = range + 1 < kWorkerRanges
                                  ? 2 * range_begin(unsigned(neurons.size() / 2), range + 1)
                                  : neurons.size();
      if (begin == end) continue;
      add_vertex(graph_, compute_set, "popsnn::NextSpikeGrad", tiles[part],
                 {{"fired", fired},
                  {"spike_grad", spike_grad[b].slice(neurons.begin + begin, neurons.begin + end)},
                  {"slot", t.part_slots[0]}},
                 {{"first", begin}, {"size", end - begin}, {"row", fired.dim(1)}});
    }
  });
}

void BackwardArrivals::add_scatter(ComputeSet compute_set, const Late& late, unsigned bucket,
                                   const Tensor& sums) {
  const Arrivals& t = tensors_.layers[late.layer].arrivals[late.source];
  const SpikeHistory& fired = tensors_.fired_list(late.layer, late.source);
  const Tensor& spike_grad =
      tensors_.layers[NetworkSpec::firing(late.layer, late.source)].spike_grad;
  const std::vector<SampleRange>& ranges = where_.fired_list(late.layer, late.source).ranges;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Range& samples = ranges[i].samples;
    add_vertex(graph_, compute_set, poputil::templateVertex("popsnn::ScatterArrivals", id_type_),
               ranges[i].tile,
               {{"ids_history", of(samples, fired.ids_history)},
                {"counts_history", of(samples, fired.counts_history)},
                {"waiting", of(samples, t.waiting)},
                {"ids", of(samples, ids_of(late.layer, late.source, bucket))},
                {"counts", of(samples, learns(late) ? t.real_counts : t.lists.counts)},
                {"delays", t.fired_delays[i]},
                {"step", shared_.list_step},
                {"spike_grad", of(samples, spike_grad)}},
               {{"samples", samples.size()},
                {"steps", network_.steps},
                {"padded_capacity", t.waiting.dim(1)},
                {"sum_capacity", sums.dim(2)},
                {"neurons", network_.source_size(late.layer, late.source)},
                {"offset", -delay_of(late)}},
               {sums_of(samples, sums)});
  }
}

Rows BackwardArrivals::sums_of(const Range& samples, const Tensor& sums) {
  Rows rows = {"sums", {}};
  for (std::size_t r = 0; r < sums.dim(0); ++r) rows.tensors.push_back(of(samples, sums[r]));
  return rows;
}

void count_backward_arrival_code(CodeCounter& code, const ReplicaPlan& replica, std::size_t l,
                                 std::size_t source) {
  const ListPlan &list = replica.list_of(l, source), &fired = replica.fired_list(l, source);
  code.add(list, {code.by_id("NextArrivals")});
  if (code.network().layers[l].learns_axons(source)) code.add(list, {code.by_id("StepsGrad")});
  if (!fired.row_tiles.empty()) {
    code.add(list.ranges.front().tile, {"popsnn::RingSlots"});
    return;
  }
  code.add(list, {code.by_id("StoreArrivals"), code.by_id("GatherArrivals")});
  code.add(fired, {code.by_id("ScatterArrivals")});
}

}  // namespace popsnn
