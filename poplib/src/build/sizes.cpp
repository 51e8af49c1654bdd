#include "sizes.hpp"

#include <algorithm>

#include "build/code/code_counter.hpp"
#include "steps.hpp"
#include "vertex.hpp"

namespace popsnn {

using poplar::ComputeSet;
using poplar::Tensor;
using poplar::program::Execute;
using poplar::program::Program;
using poplar::program::Sequence;
using poplar::program::Switch;

std::string sized_name(const std::string& name, unsigned bucket) {
  return bucket == 0 ? name : name + " 1/" + std::to_string(1u << bucket);
}

StepSizes::StepSizes(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan,
                     unsigned sizes, std::size_t steps, std::size_t tile, const std::string& name)
    : graph_(graph),
      plan_(plan),
      sizes_(sizes),
      tile_(tile),
      table_(plan.stages),
      size_(plan.stages) {
  for (unsigned stage = 0; stage < plan.stages; ++stage) {
    lists_.push_back(lists_read(network, plan.replicas[0], stage));
    if (sizes_ == 1 || lists_[stage].empty()) continue;
    const std::string of_stage = name + "/stage" + std::to_string(stage);
    table_[stage] =
        graph.addVariable(poplar::UNSIGNED_INT, {steps, kWorkerRanges}, of_stage + "/list_sizes");
    size_[stage] = graph.addVariable(poplar::INT, {}, of_stage + "/size");
    graph.setTileMapping(table_[stage], unsigned(tile_));
    graph.setTileMapping(size_[stage], unsigned(tile_));
  }
}

void StepSizes::add_step(ComputeSet compute_set, unsigned stage, std::size_t t, std::size_t tile,
                         const std::vector<Tensor>& lengths, bool forward) {
  std::vector<unsigned> all;
  for (const ReadList& list : lists_[stage])
    for (unsigned limit : limits(list, forward)) all.push_back(limit);
  add_vertex(graph_, compute_set, "popsnn::ListSizes", tile, {{"sizes", table_[stage][t]}},
             {{"limits", all}, {"samples", lengths.front().numElements()}, {"smaller", sizes_ - 1}},
             {{"lengths", lengths}});
}

std::vector<unsigned> StepSizes::limits(const ReadList& list, bool forward) const {
  const ReplicaPlan& replica = plan_.replicas[0];
  const bool earlier = forward && replica.late(list.reader, list.source);
  std::vector<unsigned> result;
  for (unsigned bucket = sizes_ - 1; bucket > 0; --bucket)
    result.push_back(unsigned(earlier ? replica.earlier_room(list.reader, list.source, bucket)
                                      : replica.capacity_of(list.reader, list.source, bucket)));
  return result;
}

void StepSizes::add_fetch(ComputeSet compute_set, unsigned stage, const Tensor& step, int offset) {
  add_vertex(graph_, compute_set, "popsnn::LargestSize", tile_,
             {{"sizes", table_[stage]}, {"step", step}, {"size", size_[stage]}},
             {{"offset", offset}});
}

Program StepSizes::reset(unsigned stage) const { return set_counter(graph_, size_[stage], 0); }

Program StepSizes::by_size(unsigned stage, const std::vector<Sequence>& programs) const {
  if (programs.size() == 1) return programs.front();
  Switch cases(size_[stage], programs.front());  // ListSizes counts from the smallest bucket
  for (unsigned bucket = 1; bucket < programs.size(); ++bucket)
    cases.add(int(sizes_ - 1 - bucket), programs[bucket]);
  return cases;
}

namespace {

// Entry `entry` of the counts [batch, 2] that `counts_of` returns for the lists of each replica.
template <class CountsOf>
std::vector<Tensor> lengths(const NetworkTensors& tensors, const std::vector<ReadList>& lists,
                            CountEntry entry, CountsOf counts_of) {
  std::vector<Tensor> result;
  for (const ReadList& list : lists) {
    std::vector<Tensor> replicas;
    for (const ReplicaTensors& replica : tensors.replicas)
      replicas.push_back(counts_of(replica.list_of(list.reader, list.source), list)
                             .slice(entry, entry + 1, 1)
                             .flatten());
    result.push_back(poplar::concat(replicas));
  }
  return result;
}

// The stage that fires the first of the lists.
unsigned stage_that_fires(const ReplicaPlan& replica, const std::vector<ReadList>& lists) {
  return replica.layers[NetworkSpec::firing(lists.front().reader, lists.front().source)].stage;
}

// Whether the buckets of the lists that a stage reads are known while lists are made: where all are
// of arrivals that one stage fires.
bool known_early(const Plan& plan, const std::vector<ReadList>& lists) {
  constexpr std::size_t kMost = 1024;  // lists that one worker reads while lists are made
  if (plan.forward_sizes == 1 || lists.empty()) return false;
  const ReplicaPlan& replica = plan.replicas[0];
  return lists.size() * plan.replicas.back().samples.end <= kMost &&
         std::all_of(lists.begin(), lists.end(), [&](const ReadList& list) {
           const std::size_t firing = NetworkSpec::firing(list.reader, list.source);
           return replica.late(list.reader, list.source) &&
                  replica.layers[firing].stage == stage_that_fires(replica, lists);
         });
}

}  // namespace

ForwardSizes::ForwardSizes(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan,
                           const NetworkTensors& tensors)
    : graph_(graph),
      plan_(plan),
      tensors_(tensors),
      sizes_(graph, network, plan, plan.forward_sizes, 1,
             forward_sizes_tile(network, plan.replicas[0]), "forward") {}

bool ForwardSizes::early(unsigned stage) const { return known_early(plan_, sizes_.lists(stage)); }

Tensor ForwardSizes::only_row(unsigned stage) const {
  const Tensor only = graph_.addConstant(
      poplar::INT, {}, 0, {"forward/stage" + std::to_string(stage) + "/current_row"});
  graph_.setTileMapping(only, unsigned(sizes_.tile()));
  return only;
}

Sequence ForwardSizes::first() const {
  Sequence program;
  for (unsigned stage = 0; stage < plan_.stages; ++stage)
    if (early(stage)) program.add(sizes_.reset(stage));
  return program;
}

void ForwardSizes::add_early(ComputeSet scan, ComputeSet lists, unsigned fired_stage) {
  for (unsigned stage = 0; stage < plan_.stages; ++stage) {
    if (!early(stage)) continue;
    if (stage_that_fires(plan_.replicas[0], sizes_.lists(stage)) != fired_stage) continue;
    std::vector<Tensor> buckets;
    for (const ReadList& list : sizes_.lists(stage))
      for (std::size_t r = 0; r < plan_.replicas.size(); ++r) {
        add_counts(scan, list, r);
        const LayerTensors& reader = tensors_.replicas[r].layers[list.reader];
        buckets.push_back(reader.arrivals[list.source].buckets.flatten());
      }
    const Tensor all = poplar::concat(buckets);
    add_vertex(graph_, lists, "popsnn::LargestBucket", sizes_.tile(),
               {{"buckets", all}, {"largest", sizes_.size(stage)}}, {{"lists", all.numElements()}});
  }
}

void ForwardSizes::add_counts(ComputeSet scan, const ReadList& list, std::size_t r) {
  const ReplicaPlan& replica = plan_.replicas[r];
  const Arrivals& t = tensors_.replicas[r].layers[list.reader].arrivals[list.source];
  for (const SampleRange& range : replica.list_of(list.reader, list.source).ranges) {
    const Range& samples = range.samples;
    add_vertex(graph_, scan, "popsnn::CountArrivals", range.tile,
               {{"sizes", t.sizes.slice(samples.begin, samples.end)},
                {"step", tensors_.list_step},
                {"buckets", t.buckets.slice(samples.begin, samples.end)}},
               {{"samples", samples.size()},
                {"steps", t.sizes.dim(1)},
                {"sections", t.sizes.dim(2)},
                {"limits", sizes_.limits(list, true)}});
  }
}

Sequence ForwardSizes::by_size(unsigned stage, const std::vector<Sequence>& programs) {
  Sequence program;
  if (programs.size() > 1 && !early(stage)) {
    const std::string name = "forward/stage" + std::to_string(stage);
    ComputeSet find = graph_.addComputeSet(name + "/list_sizes");
    ComputeSet take = graph_.addComputeSet(name + "/size");
    // On the tile whose variable the Switch reads.
    sizes_.add_step(
        find, stage, 0, sizes_.tile(),
        lengths(tensors_, sizes_.lists(stage), kFired,
                [](const SpikeHistory& lists, const ReadList&) { return lists.counts; }),
        true);
    sizes_.add_fetch(take, stage, only_row(stage), 0);
    program.add(Execute(find));
    program.add(Execute(take));
  }
  program.add(sizes_.by_size(stage, programs));
  return program;
}

BackwardSizes::BackwardSizes(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan,
                             const NetworkTensors& tensors)
    : graph_(graph),
      network_(network),
      plan_(plan),
      tensors_(tensors),
      sizes_(graph, network, plan, plan.backward_sizes, network.steps,
             backward_sizes_tile(network, graph.getTarget().getNumTiles()), "backward") {}

Sequence BackwardSizes::find() {
  Sequence program;
  if (plan_.backward_sizes == 1) return program;
  ComputeSet compute_set = graph_.addComputeSet("backward/list_sizes");
  const std::size_t steps = network_.steps, tiles = plan_.replicas.back().tiles.end;
  for (unsigned stage = 0; stage < plan_.stages; ++stage)
    for (std::size_t t = 0; t < steps && of(stage) > 1; ++t)
      sizes_.add_step(compute_set, stage, t, (stage * steps + t) * tiles / (plan_.stages * steps),
                      lengths(tensors_, sizes_.lists(stage), kActive,
                              [=](const SpikeHistory& lists, const ReadList& list) {
                                const unsigned row = history_row(int(t) - int(list.delay));
                                return lists.counts_history.slice(row, row + 1, 1).squeeze({1});
                              }));
  program.add(Execute(compute_set));
  return program;
}

void BackwardSizes::add_fetches(ComputeSet compute_set) {
  for (unsigned stage = 0; stage < plan_.stages; ++stage)
    if (of(stage) > 1) sizes_.add_fetch(compute_set, stage, tensors_.list_step, -1);
}

void count_size_code(CodeCounter& code) {
  const Plan& plan = code.plan();
  for (unsigned stage = 0; stage < plan.stages; ++stage) {
    const std::vector<ReadList> lists = lists_read(code.network(), plan.replicas[0], stage);
    if (lists.empty()) continue;
    const std::size_t tile = forward_sizes_tile(code.network(), plan.replicas[0]);
    if (known_early(plan, lists)) {
      code.add(tile, {"popsnn::LargestBucket"});
      for (const ReadList& list : lists)
        for (const ReplicaPlan& replica : plan.replicas)
          code.add(replica.list_of(list.reader, list.source), {"popsnn::CountArrivals"});
    } else if (plan.forward_sizes > 1) {
      code.add(tile, {"popsnn::LargestSize", "popsnn::ListSizes"});
    }
    if (plan.backward_sizes == 1) continue;
    code.add(backward_sizes_tile(code.network(), code.tiles()), {"popsnn::LargestSize"});
    const std::size_t steps = code.network().steps, tiles = plan.replicas.back().tiles.end;
    for (std::size_t t = 0; t < steps; ++t)
      code.add((stage * steps + t) * tiles / (plan.stages * steps), {"popsnn::ListSizes"});
  }
}

}  // namespace popsnn
