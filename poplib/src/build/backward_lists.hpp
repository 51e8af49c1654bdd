// A step back at the lists: what their readers need of them, and the rows dL/ds [batch, neurons]
// that gradients of listed spikes are scattered to and cleared from.
#pragma once
#include <vector>

#include <poplar/Graph.hpp>

#include "backward_neurons.hpp"
#include "replica_builder.hpp"
#include "vertex.hpp"

namespace popsnn {

// Adds one replica's vertices to the compute sets of a step back. Lists have numbers: the input's,
// then one a layer.
class BackwardLists : public ReplicaBuilder {
 public:
  using ReplicaBuilder::ReplicaBuilder;

  // What the last step of a segment needs of the past.
  void add_fetches(poplar::ComputeSet compute_set);

  // What the last step needs of the loss.
  void add_last_slot_grads(poplar::ComputeSet compute_set);

  // What the stage's neurons need to step forward again, whose step is list_step + offset.
  void add_replay_fetches(poplar::ComputeSet compute_set, unsigned stage, int offset);

  // Of the lists that the stage's dense weight gradients read who fired, as bits; then as patterns
  // of samples; returns whether there are any.
  void add_bits(poplar::ComputeSet compute_set, unsigned stage);
  bool add_patterns(poplar::ComputeSet compute_set, unsigned stage);

  // The rows dL/ds that the stage's neurons have read become zero.
  void add_clears(poplar::ComputeSet compute_set, unsigned stage);

  // The sums reach the rows dL/ds of the layers below, and the step before this one finds its
  // lists.
  void add_lists(poplar::ComputeSet compute_set, unsigned stage, const SlotSums& sums);

 private:
  // A layer that reads a list, and as which of its sources.
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
  const SpikeLists& lists_of(std::size_t list) const {
    return list == 0 ? tensors_.input : tensors_.layers[list - 1].lists;
  }
  std::size_t list_size(std::size_t list) const {
    return list == 0 ? network_.layers[0].inputs : layer_of(list).neurons;
  }

  // Who reads a list, the last of them in a step last.
  std::vector<Reader> readers_of(std::size_t list) const;

  // The lists that the stage's dense weight gradients read.
  std::vector<std::size_t> dense_lists(unsigned stage) const;

  // Steps between a list and its reader.
  int delay_of(const Reader& reader) const {
    return reader.source > 0 ? 1 : int(network_.layers[reader.layer].delay);
  }

  // The list that its readers need when they next step back, and the workers' shares of it.
  void add_list_fetch(poplar::ComputeSet compute_set, std::size_t list);
  void add_window_fetch(poplar::ComputeSet compute_set, std::size_t l);

  // Readers that meet here all read the list of one step.
  void add_scatter(poplar::ComputeSet compute_set, std::size_t list,
                   const std::vector<Reader>& readers, const SlotSums& sums, bool observed);
  void add_input_grad(poplar::ComputeSet compute_set, const SlotSums& sums);

  static const poplar::Tensor& sums_of(const Reader& reader, const SlotSums& sums) {
    return sums.at({reader.layer, reader.source});
  }

  // Those of several readers of a list for one range of samples.
  static Rows sums_field(const std::vector<Reader>& readers, const SlotSums& sums,
                         const Range& samples);

  // A vertex on each tile of a list, over the history of the samples there.
  template <typename FieldsOf>
  void add_on_list(poplar::ComputeSet compute_set, const char* name, std::size_t list,
                   const FieldsOf& fields_of);
};

}  // namespace popsnn
