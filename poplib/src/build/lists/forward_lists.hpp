// Forward time step at the lists of spikes: from the neurons' masks to lists.
#pragma once
#include <vector>

#include <poplar/Graph.hpp>

#include "forward_arrivals.hpp"

namespace popsnn {

// Adds one replica's vertices to the compute sets of a forward time step.
class ForwardLists : public ForwardArrivals {
 public:
  using ForwardArrivals::ForwardArrivals;

  // Compacts the stage's masks to lists; returns whether there are any.
  bool add_lists(poplar::ComputeSet scan, poplar::ComputeSet merge, unsigned stage);

 private:
  // A layer's mask blocks: the ids of its masks between scan and merge.
  struct MaskBlocks {
    std::size_t count = 0, capacity = 0;
    poplar::Tensor ids, counts;  // [batch, count, capacity], [batch, count, 2]
    // Of a list that is read late: by reader [batch, count, undelayed_capacity], and their numbers
    // [batch, count, kMostReaders].
    std::size_t undelayed_capacity = 0;
    unsigned usual_at_once = 0;
    std::vector<Late> readers;
    std::vector<poplar::Tensor> undelayed_ids;
    poplar::Tensor undelayed;
  };

  MaskBlocks add_mask_blocks(std::size_t l);
  void add_scan(poplar::ComputeSet compute_set, std::size_t l, const MaskBlocks& blocks);
  void add_merge(poplar::ComputeSet compute_set, std::size_t l, const MaskBlocks& blocks);
};

}  // namespace popsnn
