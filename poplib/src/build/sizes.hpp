// Exchanges sized to what is there: which of a few compiled sizes a stage's lists take in a step.
//
// An exchange is scheduled when a graph is compiled, so a list travels as its places, however few
// of them are taken. Compute sets that read lists are built for several sizes instead; the longest
// of a step's lists decides, over all samples and layers, and a Switch takes the compute sets of
// its size. The input's lists are not among them: their places are what the caller's data need.
#pragma once
#include <string>
#include <vector>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "plan/buckets.hpp"
#include "tensors.hpp"

namespace popsnn {

// "/step" -> "/step 1/2"
std::string sized_name(const std::string& name, unsigned halvings);

// The sizes of one direction, stage by stage.
class StepSizes {
 public:
  // `steps`: of how many steps they are kept.
  StepSizes(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan, unsigned sizes,
            std::size_t steps, const std::string& name);

  // Of a stage that reads no list but the input's: 1.
  unsigned sizes(unsigned stage) const { return lists_[stage].empty() ? 1 : sizes_; }

  const std::vector<ReadList>& lists(unsigned stage) const { return lists_[stage]; }

  // In `compute_set`, on `tile`: the size of step `t` from the lengths [batch] of each list read.
  void add_step(poplar::ComputeSet compute_set, unsigned stage, std::size_t t, std::size_t tile,
                const std::vector<poplar::Tensor>& lengths);

  // In `compute_set`: the size of step `step` + `offset` is what `by_size` asks.
  void add_fetch(poplar::ComputeSet compute_set, unsigned stage, const poplar::Tensor& step,
                 int offset);

  // Runs the program of the size; they are ordered by halvings, the first carries whole lists.
  poplar::program::Program by_size(unsigned stage,
                                   const std::vector<poplar::program::Sequence>& programs) const;

 private:
  poplar::Graph& graph_;
  const Plan& plan_;
  const unsigned sizes_;
  std::vector<std::vector<ReadList>> lists_;  // by stage
  std::vector<poplar::Tensor> table_;         // by stage: [steps, kShares]
  std::vector<poplar::Tensor> size_;          // by stage: {}
};

// Forward, a stage's size is known just before it: two compute sets beside the Switch.
class ForwardSizes {
 public:
  ForwardSizes(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan,
               const NetworkTensors& tensors);
  unsigned of(unsigned stage) const { return sizes_.sizes(stage); }

  // The program of the size that the lists made last ask for.
  poplar::program::Sequence by_size(unsigned stage,
                                    const std::vector<poplar::program::Sequence>& programs);

 private:
  poplar::Graph& graph_;
  const NetworkTensors& tensors_;
  StepSizes sizes_;
};

// Back, all lists lie ready: the sizes of all steps are found before the first.
class BackwardSizes {
 public:
  BackwardSizes(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan,
                const NetworkTensors& tensors);
  unsigned of(unsigned stage) const { return sizes_.sizes(stage); }

  // Those of all steps.
  poplar::program::Sequence find();

  // In `compute_set`: those of the step before list_step come to the Switches.
  void add_fetches(poplar::ComputeSet compute_set);

  poplar::program::Program by_size(unsigned stage,
                                   const std::vector<poplar::program::Sequence>& programs) const {
    return sizes_.by_size(stage, programs);
  }

 private:
  poplar::Graph& graph_;
  const NetworkSpec& network_;
  const Plan& plan_;
  const NetworkTensors& tensors_;
  StepSizes sizes_;
};

}  // namespace popsnn
