#include "backward.hpp"

#include <algorithm>
#include <string>

#include <popops/Zero.hpp>

#include "backward_neurons.hpp"
#include "build/lists/backward_arrivals.hpp"
#include "build/lists/backward_lists.hpp"
#include "sizes.hpp"
#include "steps.hpp"

namespace popsnn {
namespace {

using poplar::ComputeSet;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Execute;
using poplar::program::Repeat;
using poplar::program::Sequence;

// The builders of one replica.
struct Replica {
  BackwardNeurons neurons;
  BackwardLists lists;
  BackwardArrivals arrivals;
};

// The compute sets of one stage of a backward time step.
struct Stage {
  unsigned number = 0;
  ComputeSet neurons, final_grad;
  Sequence delays;              // dendritic ones
  Sequence patterns;            // of samples, for dense weight gradients
  std::vector<Sequence> after;  // products, their reduction, and lists, by bucket
};

Stage add_stage(Graph& graph, const NetworkSpec& network, const NetworkTensors& tensors,
                std::vector<Replica>& replicas, BackwardSizes& sizes, unsigned stage) {
  const std::string name = "backward/stage" + std::to_string(stage);
  Stage sets;
  sets.number = stage;
  sets.neurons = graph.addComputeSet(name + "/step");
  if (network.carries_state) sets.final_grad = graph.addComputeSet(name + "/final_grad");
  for (Replica& replica : replicas) {
    replica.neurons.add_neurons(sets.neurons, stage);
    replica.lists.add_bits(sets.neurons, stage);  // meanwhile
    replica.arrivals.add_next(sets.neurons, stage);
    if (network.carries_state) replica.neurons.add_final_grad(sets.final_grad, stage);
  }
  ComputeSet delays = graph.addComputeSet(name + "/delays");
  bool delayed = false;
  for (Replica& replica : replicas) delayed = replica.neurons.add_delays(delays, stage);
  if (delayed) sets.delays.add(Execute(delays));
  ComputeSet patterns = graph.addComputeSet(name + "/patterns");
  bool dense = false;
  for (Replica& replica : replicas) {
    replica.neurons.add_pattern_sums(patterns, stage);
    dense = replica.lists.add_patterns(patterns, stage);
  }
  if (dense) sets.patterns.add(Execute(patterns));
  for (unsigned bucket = 0; bucket < sizes.of(stage); ++bucket) {
    ComputeSet products = graph.addComputeSet(sized_name(name + "/products", bucket));
    ComputeSet reduction = graph.addComputeSet(sized_name(name + "/reduce", bucket));
    ComputeSet lists = graph.addComputeSet(sized_name(name + "/lists", bucket));
    const ComputeSet arrivals[] = {
        graph.addComputeSet(sized_name(name + "/arrivals", bucket)),
        graph.addComputeSet(sized_name(name + "/recurrent_arrivals", bucket))};
    bool reduces = false, late[] = {false, false};
    for (Replica& replica : replicas) {
      replica.neurons.add_products(products, stage, bucket);
      replica.lists.add_clears(products, stage);  // meanwhile
      replica.arrivals.add_takes(products, stage);
      replica.arrivals.add_gathers(products, stage);
      replica.arrivals.add_steps_grads(products, stage);
      const EntrySums sums = replica.neurons.add_reduction(reduction, stage, bucket);
      // The next lists are fetched during the reduction, which reads none of the current lists.
      replica.lists.add_next_lists(sums.empty() ? lists : reduction, stage);
      replica.lists.add_lists(lists, stage, sums);
      for (std::size_t source = 0; source < 2; ++source)
        late[source] =
            replica.arrivals.add_scatters(lists, arrivals[source], stage, source, bucket, sums);
      reduces = !sums.empty();
    }
    if (stage == 0) {
      add_count(graph, lists, tensors.row, -1);
      sizes.add_fetches(lists);
    }
    Sequence after;
    after.add(Execute(products));
    if (reduces) after.add(Execute(reduction));
    after.add(Execute(lists));
    for (std::size_t source = 0; source < 2; ++source)
      if (late[source]) after.add(Execute(arrivals[source]));
    sets.after.push_back(after);
  }
  return sets;
}

// Recomputes the states of the previous checkpoint interval from its checkpoint and the lists of
// its time steps; then fetches the inputs of its last time step.
Sequence replay(Graph& graph, const NetworkSpec& network, const Plan& plan,
                const NetworkTensors& tensors, std::vector<Replica>& replicas, BackwardSizes& sizes,
                const std::vector<Sequence>& forward_neurons) {
  const int steps = int(plan.checkpoint_interval);
  ComputeSet begin = graph.addComputeSet("backward/previous_interval");
  add_count(graph, begin, tensors.interval, -1);
  add_count(graph, begin, tensors.first_step, -steps);
  add_count(graph, begin, tensors.list_step, -steps - 1);  // the time step before the interval
  ComputeSet restore = graph.addComputeSet("backward/restore");
  ComputeSet end = graph.addComputeSet("backward/replayed");
  add_count(graph, end, tensors.list_step, 1);  // the time step after the interval
  ComputeSet fetch = graph.addComputeSet("backward/fetch");
  for (Replica& replica : replicas) {
    if (!plan.streamed) replica.neurons.add_restore(restore);
    replica.lists.add_fetches(fetch);
    for (unsigned stage = 0; stage < plan.stages; ++stage) replica.arrivals.add_takes(fetch, stage);
  }
  sizes.add_fetches(fetch);

  Sequence step;
  for (unsigned stage = 0; stage < plan.stages; ++stage) {
    ComputeSet lists = graph.addComputeSet("backward/replay/lists" + std::to_string(stage));
    // The first stage's neurons count list_step on.
    const int offset = stage == 0 ? 1 : 0;
    for (Replica& replica : replicas) {
      replica.lists.add_replay_fetches(lists, stage, offset);
      replica.arrivals.add_replay_takes(lists, stage, offset);
    }
    if (stage == 0) add_count(graph, lists, tensors.row, 1);
    step.add(Execute(lists));
    step.add(forward_neurons[stage]);
  }

  Sequence program;
  program.add(Execute(begin));
  if (plan.streamed)
    program.add(Copy(tensors.streamed, states_before(network, plan, tensors),
                     tensors.interval.reinterpret(poplar::UNSIGNED_INT)));
  else
    program.add(Execute(restore));
  program.add(Repeat(unsigned(steps), step));
  program.add(Execute(end));
  program.add(Execute(fetch));
  return program;
}

}  // namespace

Sequence build_backward(Graph& graph, const NetworkSpec& network, const Plan& plan,
                        const NetworkTensors& tensors, const std::vector<Sequence>& forward_neurons,
                        const Sequence& first_step_end) {
  std::vector<Replica> replicas;
  for (std::size_t r = 0; r < plan.replicas.size(); ++r)
    replicas.push_back({{graph, network, plan, tensors, r},
                        {graph, network, plan, tensors, r},
                        {graph, network, plan, tensors, r}});

  ComputeSet fetch = graph.addComputeSet("backward/first_fetch");
  for (Replica& replica : replicas) {
    replica.lists.add_fetches(fetch);
    for (unsigned stage = 0; stage < plan.stages; ++stage) replica.arrivals.add_takes(fetch, stage);
    replica.lists.add_last_value_grads(fetch);
  }
  BackwardSizes sizes(graph, network, plan, tensors);
  sizes.add_fetches(fetch);

  std::vector<Stage> stages;  // the last stage first
  for (unsigned stage = plan.stages; stage-- > 0;)
    stages.push_back(add_stage(graph, network, tensors, replicas, sizes, stage));
  add_count(graph, stages.front().neurons, tensors.list_step, -1);
  for (Replica& replica : replicas) replica.arrivals.add_slots(stages.front().neurons);

  const auto step_back = [&](bool last_step) {
    Sequence step;
    for (const Stage& stage : stages) {
      step.add(Execute(stage.neurons));
      if (last_step) step.add(Execute(stage.final_grad));
      step.add(stage.delays);
      step.add(stage.patterns);
      step.add(sizes.by_size(stage.number, stage.after));
    }
    return step;
  };

  std::vector<Tensor> zero, zero_counts;
  Copies copies;
  for (Replica& replica : replicas) {
    replica.neurons.collect_gradients(zero);
    replica.arrivals.collect_gradients(zero);
    replica.arrivals.collect_counts(zero_counts);
    replica.neurons.collect_copies(copies);
  }
  const std::size_t checkpoints = plan.checkpoints(network.steps);
  const std::size_t last_steps = network.steps - checkpoints * plan.checkpoint_interval;
  Sequence backward;
  popops::zero(graph, poplar::concat(zero), backward, "backward/zero");
  if (checkpoints > 0 && !zero_counts.empty())
    popops::zero(graph, poplar::concat(zero_counts), backward, "backward/zero_counts");
  add_copies(backward, copies);
  backward.add(set_counter(graph, tensors.list_step, int(network.steps)));
  backward.add(set_counter(graph, tensors.row, int(last_steps) - 1));
  backward.add(sizes.find());
  backward.add(Execute(fetch));
  if (network.carries_state) backward.add(step_back(true));
  backward.add(Repeat(unsigned(last_steps) - (network.carries_state ? 1 : 0), step_back(false)));
  if (checkpoints > 0) {
    Sequence interval = replay(graph, network, plan, tensors, replicas, sizes, forward_neurons);
    interval.add(Repeat(unsigned(plan.checkpoint_interval), step_back(false)));
    backward.add(Repeat(unsigned(checkpoints), interval));
  }
  ComputeSet steps_grads = graph.addComputeSet("backward/steps_grads");
  for (Replica& replica : replicas) replica.arrivals.add_last_steps_grads(steps_grads);
  const auto learns_axons = [](const LayerSpec& layer) {
    return layer.learns_axons(0) || layer.learns_axons(1);
  };
  if (std::any_of(network.layers.begin(), network.layers.end(), learns_axons))
    backward.add(Execute(steps_grads));
  backward.add(first_step_end);
  // Time step -1: gradients of the initial states, and of parameters that act on a neuron at rest,
  // such as its resting potential.
  if (network.carries_state || network.learns())
    for (const Stage& stage : stages) backward.add(Execute(stage.neurons));
  ComputeSet sums = graph.addComputeSet("backward/parameter_sums");
  for (Replica& replica : replicas) replica.neurons.add_parameter_sums(sums);
  if (network.learns()) backward.add(Execute(sums));
  return backward;
}

}  // namespace popsnn
