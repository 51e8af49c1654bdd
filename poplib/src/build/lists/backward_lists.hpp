// Backward time step at the lists: fetches for their readers, and the rows dL/ds [batch, neurons]
// that gradients of active neurons' spikes are scattered to and cleared from.
#pragma once
#include <vector>

#include <poplar/Graph.hpp>

#include "build/backward_neurons.hpp"
#include "build/replica_builder.hpp"
#include "build/vertex.hpp"

namespace popsnn {

// Adds one replica's vertices to the compute sets of a backward time step. Lists are numbered: the
// input's, then one a layer.
class BackwardLists : public ReplicaBuilder {
 public:
  using ReplicaBuilder::ReplicaBuilder;

  // Fetches the lists and windows for the last time step of a checkpoint interval.
  void add_fetches(poplar::ComputeSet compute_set);

  // Adds the loss's gradients of the last time step.
  void add_last_value_grads(poplar::ComputeSet compute_set);

  // Fetches the lists and windows for the stage's neurons to recompute time step list_step +
  // offset.
  void add_replay_fetches(poplar::ComputeSet compute_set, unsigned stage, int offset);

  // The fired neurons of the lists that the stage's dense weight gradients read, as bits; then as
  // patterns of samples; returns whether there are any.
  void add_bits(poplar::ComputeSet compute_set, unsigned stage);
  bool add_patterns(poplar::ComputeSet compute_set, unsigned stage);

  // Zeroes the rows dL/ds that the stage's neurons have read.
  void add_clears(poplar::ComputeSet compute_set, unsigned stage);

  // Fetches the lists and windows of the time step before, of those that the stage is the last to
  // read; keeps what sums are for.
  void add_next_lists(poplar::ComputeSet compute_set, unsigned stage);

  // Scatters the sums to the rows dL/ds of the layers below, and finds the workers' ranges of the
  // lists of the time step before.
  void add_lists(poplar::ComputeSet compute_set, unsigned stage, const EntrySums& sums);

 private:
  // A layer that reads a list, as its source number `source`.
  struct Reader {
    std::size_t layer, source;
  };
  struct Fields;

  std::size_t lists() const {
    return network_.layers.size() + (network_.layers.back().kind == LayerKind::SparseLif ? 1 : 0);
  }
  const LayerSpec& layer_of(std::size_t list) const { return network_.layers[list - 1]; }
  const ListPlan& plan_of(std::size_t list) const {
    return list == 0 ? where_.input : where_.lists[list - 1];
  }
  const SpikeHistory& lists_of(std::size_t list) const {
    return list == 0 ? tensors_.input : tensors_.layers[list - 1].lists;
  }
  std::size_t list_size(std::size_t list) const {
    return list == 0 ? network_.layers[0].inputs : layer_of(list).neurons;
  }

  // The readers of a list, in the order of a forward time step, but those that read it late.
  std::vector<Reader> readers_of(std::size_t list) const;

  // The lists that the stage's dense weight gradients read.
  std::vector<std::size_t> dense_lists(unsigned stage) const;

  // Time steps between a list and its reader.
  int delay_of(const Reader& reader) const {
    return reader.source > 0 ? 1 : int(network_.layers[reader.layer].delay);
  }

  // Whether the stage is the last to read a list in a backward time step.
  bool last_reads(std::size_t list, unsigned stage) const {
    const std::vector<Reader> readers = readers_of(list);
    // In the backward pass the first reader of a list is the last of its readers in a time step.
    return !readers.empty() && stage_of(readers.back().layer) == stage;
  }
  bool in_parts(std::size_t list) const { return !plan_of(list).row_tiles.empty(); }
  // Whether the loss alone adds to the rows dL/ds of a list's layer.
  bool only_observed(std::size_t list) const { return network_.observed_alone(list - 1); }

  // Fetches a list for its readers' next backward time step, and the window of its layer, if any.
  void add_list_fetch(poplar::ComputeSet compute_set, std::size_t list, bool with_window);
  void add_window_fetch(poplar::ComputeSet compute_set, std::size_t l);
  // Finds the workers' ranges of the list that is fetched in the same time step.
  void add_ranges(poplar::ComputeSet compute_set, std::size_t list);

  // All of `readers` read the list of the same time step.
  void add_scatter(poplar::ComputeSet compute_set, std::size_t list,
                   const std::vector<Reader>& readers, const EntrySums& sums, bool observed);
  void add_parts(poplar::ComputeSet compute_set, std::size_t list,
                 const std::vector<Reader>& readers, const EntrySums& sums);
  void add_input_grad(poplar::ComputeSet compute_set, const EntrySums& sums);

  static const poplar::Tensor& sums_of(const Reader& reader, const EntrySums& sums) {
    return sums.at({reader.layer, reader.source});
  }

  // The sums of several readers of a list, for a range of samples.
  static Rows sums_field(const std::vector<Reader>& readers, const EntrySums& sums,
                         const Range& samples);

  // A vertex on each tile of a list, over the history of the samples there.
  template <typename FieldsOf>
  void add_on_list(poplar::ComputeSet compute_set, const char* name, std::size_t list,
                   const FieldsOf& fields_of);
};

}  // namespace popsnn
