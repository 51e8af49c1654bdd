// Exchanges of several bucket sizes, one of which a stage's lists take at each time step.
//
// An exchange is scheduled when a graph is compiled: a list is sent at its full capacity, however
// short it is. Therefore compute sets that read lists are built for several bucket sizes. The
// longest list of a time step, over all samples and layers, decides, and a Switch runs the compute
// sets of its bucket. The input's lists are always sent whole: their capacity is what the caller's
// data need.
#pragma once
#include <string>
#include <vector>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "plan/buckets.hpp"
#include "tensors.hpp"

namespace popsnn {

// "/step" -> "/step 1/2"
std::string sized_name(const std::string& name, unsigned bucket);

// The bucket sizes of one direction, by stage.
class StepSizes {
 public:
  // `steps`: time steps whose buckets are stored, on `tile`.
  StepSizes(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan, unsigned sizes,
            std::size_t steps, std::size_t tile, const std::string& name);

  // 1 for a stage that reads no list but the input's.
  unsigned sizes(unsigned stage) const { return lists_[stage].empty() ? 1 : sizes_; }

  const std::vector<ReadList>& lists(unsigned stage) const { return lists_[stage]; }
  std::size_t tile() const { return tile_; }

  // In `compute_set`, on `tile`: finds the bucket of time step `t` from the lengths [batch] of each
  // list. `forward`: lengths of lists of arrivals are of those from earlier steps.
  void add_step(poplar::ComputeSet compute_set, unsigned stage, std::size_t t, std::size_t tile,
                const std::vector<poplar::Tensor>& lengths, bool forward = false);

  // The largest lengths of a list in the buckets but the largest, from the smallest on.
  std::vector<unsigned> limits(const ReadList& list, bool forward) const;

  // What `by_size` reads of a stage.
  const poplar::Tensor& size(unsigned stage) const { return size_[stage]; }

  // Sets the bucket to the smallest.
  poplar::program::Program reset(unsigned stage) const;

  // In `compute_set`: brings the bucket of time step `step` + `offset` to where `by_size` reads it.
  void add_fetch(poplar::ComputeSet compute_set, unsigned stage, const poplar::Tensor& step,
                 int offset);

  // Runs the program of the bucket; `programs` are ordered by bucket, the first one for whole
  // lists.
  poplar::program::Program by_size(unsigned stage,
                                   const std::vector<poplar::program::Sequence>& programs) const;

 private:
  poplar::Graph& graph_;
  const Plan& plan_;
  const unsigned sizes_;
  const std::size_t tile_;
  std::vector<std::vector<ReadList>> lists_;  // by stage
  std::vector<poplar::Tensor> table_;         // by stage: [steps, kWorkerRanges]
  std::vector<poplar::Tensor> size_;          // by stage: {}
};

// Forward, a stage's bucket is known just before it: two compute sets and the Switch. Where a stage
// reads lists of arrivals alone it is known earlier, since all buckets have room for those that
// arrive at once: meanwhile masks are scanned and lists made.
class ForwardSizes {
 public:
  ForwardSizes(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan,
               const NetworkTensors& tensors);
  unsigned of(unsigned stage) const { return sizes_.sizes(stage); }

  // What precedes the first time step.
  poplar::program::Sequence first() const;

  // Finds the buckets of the stages that read what stage `fired` fires, where they are known while
  // that one's masks are scanned and its lists made, in the compute sets `scan` and `lists`.
  void add_early(poplar::ComputeSet scan, poplar::ComputeSet lists, unsigned fired);

  // The program of the bucket that the latest lists need.
  poplar::program::Sequence by_size(unsigned stage,
                                    const std::vector<poplar::program::Sequence>& programs);

 private:
  // Whether a stage's buckets are known early.
  bool early(unsigned stage) const;
  void add_counts(poplar::ComputeSet scan, const ReadList& list, std::size_t replica);
  // The row of the bucket.
  poplar::Tensor only_row(unsigned stage) const;

  poplar::Graph& graph_;
  const Plan& plan_;
  const NetworkTensors& tensors_;
  StepSizes sizes_;
};

// Backward, all lists are ready: the buckets of all time steps are computed before the first.
class BackwardSizes {
 public:
  BackwardSizes(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan,
                const NetworkTensors& tensors);
  unsigned of(unsigned stage) const { return sizes_.sizes(stage); }

  // Finds the buckets of all time steps.
  poplar::program::Sequence find();

  // In `compute_set`: brings the buckets of the time step before list_step to the Switches.
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
