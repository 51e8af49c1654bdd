#include "backward_lists.hpp"

#include <algorithm>
#include <string>

#include <poputil/VertexTemplates.hpp>

#include "build/code/code_counter.hpp"
#include "build/steps.hpp"
#include "build/vertex.hpp"
#include "plan/pattern_ranges.hpp"

namespace popsnn {

using poplar::ComputeSet;
using poplar::Tensor;

// Fields of a vertex in addition to the history of its list.
struct BackwardLists::Fields {
  Edge edge;
  std::vector<State> state;
  std::vector<Rows> rows;
};

template <typename FieldsOf>
void BackwardLists::add_on_list(ComputeSet compute_set, const char* name, std::size_t list,
                                const FieldsOf& fields_of) {
  const SpikeHistory& lists = lists_of(list);
  const std::string type = poputil::templateVertex(name, id_type_);
  for (const SampleRange& range : plan_of(list).ranges) {
    const std::size_t begin = range.samples.begin, end = range.samples.end;
    const Fields fields = fields_of(range.samples);
    std::vector<State> state = {{"samples", range.samples.size()},
                                {"steps", network_.steps},
                                {"padded_capacity", plan_of(list).padded_capacity}};
    state.insert(state.end(), fields.state.begin(), fields.state.end());
    add_vertex(graph_, compute_set, type, range.tile,
               {{"ids_history", lists.ids_history.slice(begin, end)},
                {"counts_history", lists.counts_history.slice(begin, end)},
                {"step", shared_.list_step},
                fields.edge},
               state, fields.rows);
  }
}

void BackwardLists::add_fetches(ComputeSet compute_set) {
  for (std::size_t list = 0; list < lists(); ++list) {
    add_list_fetch(compute_set, list, list > 0);
    if (list > 0 && readers_of(list).empty()) add_window_fetch(compute_set, list - 1);
    add_ranges(compute_set, list);
  }
}

void BackwardLists::add_last_value_grads(ComputeSet compute_set) {
  for (std::size_t list = 1; list < lists(); ++list)
    if (layer_of(list).observed) add_scatter(compute_set, list, {}, {}, true);
}

void BackwardLists::add_replay_fetches(ComputeSet compute_set, unsigned stage, int offset) {
  for (std::size_t list = 0; list < lists(); ++list)
    for (const Reader& reader : readers_of(list)) {
      if (stage_of(reader.layer) != stage) continue;
      add_fetch_lists(graph_, compute_set, plan_of(list), lists_of(list), shared_.list_step,
                      offset - delay_of(reader));
      break;  // readers of a stage read the list of the same time step
    }
  for (std::size_t l : layers_of(stage))
    if (spikes(l))
      add_fetch(graph_, compute_set, where_.lists[l], tensors_.layers[l].window_history,
                shared_.list_step, tensors_.layers[l].window, offset - 1);
}

void BackwardLists::add_next_lists(ComputeSet compute_set, unsigned stage) {
  for (std::size_t list = 0; list < lists(); ++list) {
    const bool at_home = list > 0 && stage_of(list - 1) == stage, read = last_reads(list, stage);
    if (read) add_list_fetch(compute_set, list, at_home);
    if (at_home && !read) add_window_fetch(compute_set, list - 1);
  }
}

void BackwardLists::add_lists(ComputeSet compute_set, unsigned stage, const EntrySums& sums) {
  for (std::size_t list = 0; list < lists(); ++list) {
    const std::vector<Reader> readers = readers_of(list);
    std::vector<Reader> here;
    for (const Reader& reader : readers)
      if (stage_of(reader.layer) == stage) here.push_back(reader);
    const bool at_home = list > 0 && stage_of(list - 1) == stage;
    if (list == 0) {
      if (network_.input_gradient && !here.empty()) add_input_grad(compute_set, sums);
    } else {
      const bool observed = at_home && layer_of(list).observed;
      if (in_parts(list) && !here.empty())
        add_parts(compute_set, list, here, sums);
      else if (observed || !here.empty())
        add_scatter(compute_set, list, here, sums, observed);
    }
    if (last_reads(list, stage)) add_ranges(compute_set, list);
  }
}

std::vector<std::size_t> BackwardLists::dense_lists(unsigned stage) const {
  std::vector<std::size_t> result;
  for (std::size_t list = 0; list < lists(); ++list) {
    const std::vector<Reader> readers = readers_of(list);
    if (std::any_of(readers.begin(), readers.end(), [&](const Reader& reader) {
          return stage_of(reader.layer) == stage && dense(reader.layer, reader.source);
        }))
      result.push_back(list);
  }
  return result;
}

void BackwardLists::add_bits(ComputeSet compute_set, unsigned stage) {
  for (std::size_t list : dense_lists(stage))
    for (std::size_t b = 0; b < where_.batch(); ++b)
      for (const WordRange& range : bit_ranges(plan_of(list), b, list_size(list)))
        add_vertex(graph_, compute_set, poputil::templateVertex("popsnn::ListBits", id_type_),
                   range.tile,
                   {{"ids", lists_of(list).ids[b]},
                    {"counts", lists_of(list).counts[b]},
                    {"bits", lists_of(list).bits[b].slice(range.words.begin, range.words.end)}},
                   {{"padded_capacity", plan_of(list).padded_capacity},
                    {"first_word", range.words.begin},
                    {"words", range.words.size()}});
}

bool BackwardLists::add_patterns(ComputeSet compute_set, unsigned stage) {
  constexpr std::size_t kFields = kMaskBits / kPatternsOfWord;  // words of patterns in one of bits
  const std::vector<std::size_t> read = dense_lists(stage);
  for (std::size_t list : read) {
    const SpikeHistory& lists = lists_of(list);
    for (const WordRange& range : pattern_ranges(plan_of(list), list_size(list))) {
      const Range of_bits = {range.words.begin / kFields, ceil_div(range.words.end, kFields)};
      Rows bits = {"bits", {}};
      for (std::size_t b = 0; b < where_.batch(); ++b)
        bits.tensors.push_back(lists.bits[b].slice(of_bits.begin, of_bits.end));
      add_vertex(
          graph_, compute_set, "popsnn::SamplePatterns", range.tile,
          {{"patterns", lists.patterns.slice(range.words.begin, range.words.end, 1)}},
          {{"first", range.words.begin - kFields * of_bits.begin}, {"words", range.words.size()}},
          {bits});
    }
  }
  return !read.empty();
}

void BackwardLists::add_clears(ComputeSet compute_set, unsigned stage) {
  for (std::size_t l : layers_of(stage)) {
    if (!spikes(l) || in_parts(l + 1) || only_observed(l + 1)) continue;
    const Tensor& spike_grad = tensors_.layers[l].spike_grad;
    add_on_list(compute_set, "popsnn::ClearSpikeGrad", l + 1, [&](const Range& samples) {
      return Fields{{"spike_grad", spike_grad.slice(samples.begin, samples.end)},
                    {{"size", network_.layers[l].neurons}},
                    {}};
    });
  }
}

void BackwardLists::add_scatter(ComputeSet compute_set, std::size_t list,
                                const std::vector<Reader>& readers, const EntrySums& sums,
                                bool observed) {
  const LayerTensors& t = tensors_.layers[list - 1];
  const int offset = readers.empty() ? -1 : -delay_of(readers.front());
  const std::size_t sum_capacity =
      readers.empty() ? plan_of(list).padded_capacity : sums_of(readers.front(), sums).dim(2);
  add_on_list(compute_set, "popsnn::ScatterSpikeGrad", list, [&](const Range& samples) {
    Rows value_grad = {"value_grad", {}};
    if (observed) value_grad.tensors.push_back(t.value_grad.slice(samples.begin, samples.end));
    const Rows summed = sums_field(readers, sums, samples);
    return Fields{{"spike_grad", t.spike_grad.slice(samples.begin, samples.end)},
                  {{"size", list_size(list)},
                   {"offset", offset},
                   {"sum_capacity", sum_capacity},
                   {"sources", summed.tensors.size()},
                   {"observed", unsigned(observed)},
                   {"sets", unsigned(only_observed(list))}},
                  {summed, value_grad}};
  });
}

void BackwardLists::add_parts(ComputeSet compute_set, std::size_t list,
                              const std::vector<Reader>& readers, const EntrySums& sums) {
  const LayerTensors& t = tensors_.layers[list - 1];
  const std::size_t sum_capacity = sums_of(readers.front(), sums).dim(2);
  const std::string type = poputil::templateVertex("popsnn::SetSpikeGrad", id_type_);
  for (std::size_t b = 0; b < where_.batch(); ++b) {
    const std::vector<std::size_t>& tiles = plan_of(list).row_tiles[b];
    const std::vector<Tensor> summed = sums_field(readers, sums, {b, b + 1}).tensors;
    for (std::size_t part = 0; part < tiles.size(); ++part) {
      const Range neurons = where_.row_part(layer_of(list), list - 1, part);
      add_vertex(graph_, compute_set, type, tiles[part],
                 {{"ids", t.summed_ids[b].slice(0, sum_capacity)},
                  {"counts", t.summed_counts[b]},
                  {"sums", poplar::concat(summed)},
                  {"spike_grad", t.spike_grad[b].slice(neurons.begin, neurons.end)}},
                 {{"sources", summed.size()},
                  {"sum_capacity", sum_capacity},
                  {"first", neurons.begin},
                  {"size", neurons.size()},
                  {"parts", tiles.size()}});
    }
  }
}

Rows BackwardLists::sums_field(const std::vector<Reader>& readers, const EntrySums& sums,
                               const Range& samples) {
  Rows rows = {"sums", {}};
  for (const Reader& reader : readers) {
    const Tensor& of_reader = sums_of(reader, sums);
    for (std::size_t r = 0; r < of_reader.dim(0); ++r)
      rows.tensors.push_back(of_reader[r].slice(samples.begin, samples.end));
  }
  return rows;
}

void BackwardLists::add_input_grad(ComputeSet compute_set, const EntrySums& sums) {
  for (const SampleRange& range : where_.input.ranges) {
    const std::size_t begin = range.samples.begin, end = range.samples.end;
    add_vertex(graph_, compute_set, "popsnn::SaveInputGrad", range.tile,
               {{"counts_history", tensors_.input.counts_history.slice(begin, end)},
                {"step", shared_.list_step},
                {"input_grad", tensors_.input_grad.slice(begin, end)}},
               {{"samples", end - begin},
                {"steps", network_.steps},
                {"padded_capacity", where_.input.padded_capacity},
                {"offset", -int(network_.layers[0].delay)}},
               {sums_field({{0, 0}}, sums, range.samples)});
  }
}

std::vector<BackwardLists::Reader> BackwardLists::readers_of(std::size_t list) const {
  std::vector<Reader> readers;
  if (list > 0 && layer_of(list).recurrent && !layer_of(list).late(1))
    readers.push_back({list - 1, 1});
  if (list < network_.layers.size() && !network_.layers[list].late(0)) readers.push_back({list, 0});
  return readers;
}

void BackwardLists::add_window_fetch(ComputeSet compute_set, std::size_t l) {
  const LayerTensors& t = tensors_.layers[l];
  add_fetch(graph_, compute_set, where_.lists[l], t.window_history, shared_.list_step, t.window,
            -1);
  if (network_.layers[l].has_adjoint())
    add_fetch(graph_, compute_set, where_.lists[l], t.window_history, shared_.list_step,
              t.window_before, -2);
}

void BackwardLists::add_list_fetch(ComputeSet compute_set, std::size_t list, bool with_window) {
  const std::vector<Reader> readers = readers_of(list);
  if (readers.empty()) return;
  const int offset = -1 - delay_of(readers.back());
  const SpikeHistory& lists = lists_of(list);
  const bool window = with_window && !layer_of(list).has_adjoint();
  if (with_window && !window) add_window_fetch(compute_set, list - 1);
  const std::string type = poputil::templateVertex("popsnn::FetchList", id_type_);
  for (const SampleRange& range : plan_of(list).ranges) {
    const auto of = [&](const Tensor& all) { return this->of(range.samples, all); };
    Rows ids_before = {"ids_before", {}, id_type_},
         counts_before = {"counts_before", {}, poplar::UNSIGNED_INT},
         window_history = {"window_history", {}, poplar::UNSIGNED_INT},
         windows = {"window", {}, poplar::UNSIGNED_INT};
    if (in_parts(list)) {
      ids_before.tensors.push_back(of(tensors_.layers[list - 1].summed_ids));
      counts_before.tensors.push_back(of(tensors_.layers[list - 1].summed_counts));
    }
    if (window) {
      window_history.tensors.push_back(of(tensors_.layers[list - 1].window_history));
      windows.tensors.push_back(of(tensors_.layers[list - 1].window));
    }
    add_vertex(graph_, compute_set, type, range.tile,
               {{"ids_history", of(lists.ids_history)},
                {"counts_history", of(lists.counts_history)},
                {"step", shared_.list_step},
                {"ids", of(lists.ids)},
                {"counts", of(lists.counts)}},
               {{"samples", range.samples.size()},
                {"steps", network_.steps},
                {"padded_capacity", plan_of(list).padded_capacity},
                {"offset", offset},
                {"keeps", unsigned(in_parts(list))},
                {"windowed", unsigned(window)}},
               {ids_before, counts_before, window_history, windows});
  }
}

void BackwardLists::add_ranges(ComputeSet compute_set, std::size_t list) {
  const std::vector<Reader> readers = readers_of(list);
  if (std::all_of(readers.begin(), readers.end(),
                  [&](const Reader& reader) { return dense(reader.layer, reader.source); }))
    return;
  const int offset = -1 - delay_of(readers.back());
  const SpikeHistory& lists = lists_of(list);
  add_on_list(compute_set, "popsnn::ListRanges", list, [&](const Range& samples) {
    return Fields{{"bounds", lists.bounds.slice(samples.begin, samples.end)},
                  {{"inputs", list_size(list)}, {"offset", offset}},
                  {}};
  });
}

namespace {

// Whether a layer reads the spikes of layer `l` at once, and not from lists of arrivals; `sparse`:
// for a sparse weight gradient.
bool reads_at_once(const CodeCounter& code, const ReplicaPlan& replica, std::size_t l,
                   bool sparse) {
  const std::vector<LayerSpec>& layers = code.network().layers;
  const auto reads = [&](std::size_t reader, std::size_t source) {
    return !layers[reader].late(source) && !(sparse && replica.layers[reader].dense[source]);
  };
  return (layers[l].recurrent && reads(l, 1)) || (l + 1 < layers.size() && reads(l + 1, 0));
}

}  // namespace

void count_backward_list_code(CodeCounter& code, const ReplicaPlan& replica, std::size_t l) {
  for (std::size_t source = 0; source < code.network().layers[l].sources(); ++source) {
    if (!replica.layers[l].dense[source]) continue;
    const ListPlan& list = replica.list_of(l, source);
    const std::size_t inputs = code.network().source_size(l, source);
    for (std::size_t b = 0; b < replica.batch(); ++b)
      for (const WordRange& range : bit_ranges(list, b, inputs))
        code.add(range.tile, {code.by_id("ListBits")});
    for (const WordRange& range : pattern_ranges(list, inputs))
      code.add(range.tile, {"popsnn::SamplePatterns"});
  }
  if (!code.spikes(l)) return;
  const ListPlan& list = replica.lists[l];
  const bool read = reads_at_once(code, replica, l, false), in_parts = !list.row_tiles.empty();
  if (read) code.add(list, {code.by_id("FetchList")});
  if (reads_at_once(code, replica, l, true)) code.add(list, {code.by_id("ListRanges")});
  if (!in_parts && !code.network().observed_alone(l))
    code.add(list, {code.by_id("ClearSpikeGrad")});
  if ((read && !in_parts) || code.network().layers[l].observed)
    code.add(list, {code.by_id("ScatterSpikeGrad")});
  for (const std::vector<std::size_t>& tiles : list.row_tiles)
    for (const std::size_t tile : tiles)
      if (replica.read_late(code.network(), l))
        code.add(tile, {code.by_id("SetArrivals"), "popsnn::NextSpikeGrad"});
      else
        code.add(tile, {code.by_id("SetSpikeGrad")});
}

void count_input_code(CodeCounter& code, const ReplicaPlan& replica) {
  if (!code.network().layers[0].late(0)) code.add(replica.input, {code.by_id("FetchList")});
  if (!replica.layers[0].dense[0]) code.add(replica.input, {code.by_id("ListRanges")});
  if (code.network().input_gradient) code.add(replica.input, {"popsnn::SaveInputGrad"});
}

}  // namespace popsnn
