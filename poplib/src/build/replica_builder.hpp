// Common base of the builders of forward and backward time steps: one replica of the network.
#pragma once
#include <vector>

#include <poplar/Graph.hpp>
#include <poputil/VertexTemplates.hpp>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"
#include "tensors.hpp"
#include "vertex.hpp"

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

  Rows taps_of(std::size_t l, std::size_t tile) const {
    Rows taps = {"taps", {}};
    if (network_.layers[l].tap_rows() > 0)
      taps.tensors.push_back(tensors_.layers[l].delays.taps.on[tile]);
    return taps;
  }

  // A layer's source whose spikes it reads late.
  struct Late {
    std::size_t layer, source;
  };
  std::vector<Late> late_sources() const {
    std::vector<Late> sources;
    for (std::size_t l = 0; l < network_.layers.size(); ++l)
      for (std::size_t source = 0; source < network_.layers[l].sources(); ++source)
        if (network_.layers[l].late(source)) sources.push_back({l, source});
    return sources;
  }

  // Fetches what arrives at time step list_step + offset, and finds the workers' ranges of it.
  void add_fetch_arrivals(poplar::ComputeSet compute_set, std::size_t l, std::size_t source,
                          int offset, bool ranges) {
    const Arrivals& t = tensors_.layers[l].arrivals[source];
    const ListPlan& list = where_.list_of(l, source);
    for (const SampleRange& range : list.ranges) {
      const auto of = [&](const poplar::Tensor& tensor) {
        return tensor.slice(range.samples.begin, range.samples.end);
      };
      Rows bounds = {"bounds", {}};
      if (ranges) bounds.tensors.push_back(of(t.lists.bounds));
      add_vertex(graph_, compute_set, poputil::templateVertex("popsnn::FetchArrivals", id_type_),
                 range.tile,
                 {{"ids_history", of(t.lists.ids_history)},
                  {"counts_history", of(t.lists.counts_history)},
                  {"begins", of(t.begins)},
                  {"step", shared_.list_step},
                  {"ids", of(t.lists.ids)},
                  {"counts", of(t.lists.counts)}},
                 {{"samples", range.samples.size()},
                  {"steps", network_.steps},
                  {"padded_capacity", list.padded_capacity},
                  {"entries", t.lists.ids_history.dim(1)},
                  {"inputs", network_.source_size(l, source)},
                  {"offset", offset}},
                 {bounds});
    }
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
