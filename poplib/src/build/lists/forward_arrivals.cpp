#include "forward_arrivals.hpp"

#include <poputil/VertexTemplates.hpp>

#include "build/code/code_counter.hpp"
#include "build/vertex.hpp"

namespace popsnn {

using poplar::ComputeSet;

void ForwardArrivals::add_puts(ComputeSet compute_set, unsigned stage, int offset) {
  for (const Late& late : late_of(stage)) add_put(compute_set, late, offset);
}

void ForwardArrivals::add_takes(ComputeSet compute_set, unsigned stage) {
  for (const Late& late : late_of(stage)) add_take(compute_set, late, {0, 1, true});
}

std::vector<ReplicaBuilder::Late> ForwardArrivals::late_of(unsigned stage) const {
  std::vector<Late> sources;
  for (const Late& late : late_sources())
    if (stage_of(NetworkSpec::firing(late.layer, late.source)) == stage) sources.push_back(late);
  return sources;
}

void ForwardArrivals::add_put(ComputeSet compute_set, const Late& late, int offset) {
  const Arrivals& t = tensors_.layers[late.layer].arrivals[late.source];
  const SpikeHistory& fired = tensors_.fired_list(late.layer, late.source);
  const std::vector<SampleRange>& ranges = where_.list_of(late.layer, late.source).ranges;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Range samples = ranges[i].samples;
    add_vertex(graph_, compute_set, poputil::templateVertex("popsnn::PutSpikes", id_type_),
               ranges[i].tile,
               {{"ids", of(samples, fired.ids)},
                {"counts", of(samples, fired.counts)},
                {"delays", t.delays[i]},
                {"first_step", shared_.first_step},
                {"row", shared_.row},
                {"bits", of(samples, t.bits)},
                {"sizes", of(samples, t.sizes)},
                {"fired_history", of(samples, t.fired_history)},
                {"lengths", of(samples, t.lengths)},
                {"counts_history", of(samples, t.lists.counts_history)}},
               {{"samples", samples.size()},
                {"padded_capacity", fired.ids.dim(1)},
                {"steps", network_.steps},
                {"words", bit_words_of(late)},
                {"sections", sections_of(late)},
                {"longest", network_.layers[late.layer].axonal_slots(late.source) - 1},
                {"offset", offset}});
  }
}

void count_forward_arrival_code(CodeCounter& code, const ReplicaPlan& replica, std::size_t l,
                                std::size_t source) {
  code.add(replica.list_of(l, source), {code.by_id("PutSpikes"), code.by_id("TakeSpikes")});
}

}  // namespace popsnn
