// Common base of the builders of forward and backward time steps: one replica of the network.
#pragma once
#include <vector>

#include <poplar/Graph.hpp>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"
#include "tensors.hpp"

namespace popsnn {

class ReplicaBuilder {
 public:
  ReplicaBuilder(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan,
                 const NetworkTensors& tensors, std::size_t replica)
      : graph_(graph),
        network_(network),
        where_(plan.replicas[replica]),
        shared_(tensors),
        tensors_(tensors.replicas[replica]),
        id_type_(tensors_.input.ids.elementType()) {}

 protected:
  unsigned stage_of(std::size_t l) const { return where_.layers[l].stage; }
  std::vector<std::size_t> layers_of(unsigned stage) const {
    std::vector<std::size_t> layers;
    for (std::size_t l = 0; l < network_.layers.size(); ++l)
      if (stage_of(l) == stage) layers.push_back(l);
    return layers;
  }
  std::size_t tile_of(std::size_t l, std::size_t tile) const {
    return where_.layers[l].first_tile + tile;
  }
  std::size_t neurons_of(std::size_t l, std::size_t tile) const {
    return where_.layers[l].neurons(tile, network_.layers[l]).size();
  }
  bool spikes(std::size_t l) const { return network_.layers[l].kind == LayerKind::SparseLif; }

  // Elements of a tile's states before one time step, a neuron.
  std::size_t state_row(std::size_t l) const {
    return where_.batch() * network_.layers[l].states();
  }

  // The ids of a list that its readers receive: [batch, bucket capacity].
  poplar::Tensor ids_of(std::size_t l, std::size_t source, unsigned bucket) const {
    return tensors_.list_of(l, source).ids.slice(0, where_.capacity_of(l, source, bucket), 1);
  }

  bool dense(std::size_t l, std::size_t source) const { return where_.layers[l].dense[source]; }

  poplar::Graph& graph_;
  const NetworkSpec& network_;
  const ReplicaPlan& where_;
  const NetworkTensors& shared_;
  const ReplicaTensors& tensors_;
  const poplar::Type id_type_;
};

}  // namespace popsnn
