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

  // Those of a forward step: of a list of arrivals both parts.
  poplar::Tensor forward_ids(std::size_t l, std::size_t source, unsigned bucket) const {
    if (!where_.late(l, source)) return ids_of(l, source, bucket);
    const Arrivals& t = tensors_.layers[l].arrivals[source];
    const std::size_t room = t.lists.ids.dim(1);
    return poplar::concat(t.lists.ids.slice(room - where_.earlier_room(l, source, bucket), room, 1),
                          t.at_once, 1);
  }
  poplar::Tensor forward_counts(std::size_t l, std::size_t source) const {
    if (!where_.late(l, source)) return tensors_.list_of(l, source).counts;
    const Arrivals& t = tensors_.layers[l].arrivals[source];
    return poplar::concat(t.lists.counts.slice(kFired, kFired + 1, 1), t.at_once_counts, 1);
  }

  Rows taps_of(std::size_t l, std::size_t tile) const {
    Rows taps = {"taps", {}};
    if (network_.layers[l].tap_rows() > 0)
      taps.tensors.push_back(tensors_.layers[l].delays.taps.on[tile]);
    return taps;
  }

  // A tensor of each source that has one there.
  static Rows by_source(const char* field, const std::vector<TileShards>& sources, std::size_t tile,
                        const poplar::Type& element = poplar::FLOAT) {
    Rows rows = {field, {}, element};
    for (const TileShards& shards : sources)
      if (!shards.on.empty()) rows.tensors.push_back(shards.on[tile]);
    return rows;
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

  static poplar::Tensor of(const Range& samples, const poplar::Tensor& by_sample) {
    return by_sample.slice(samples.begin, samples.end);
  }

  unsigned bit_words_of(const Late& late) const {
    return unsigned(tensors_.layers[late.layer].arrivals[late.source].bits.dim(3));
  }
  unsigned sections_of(const Late& late) const {
    return network_.layers[late.layer].arrival_kinds(late.source);
  }
  bool learns(const Late& late) const {
    return network_.layers[late.layer].learns_axons(late.source);
  }
  // Time steps between a list of arrivals and its reader.
  int delay_of(const Late& late) const {
    return late.source > 0 ? 1 : int(network_.layers[late.layer].delay);
  }

  // How TakeSpikes makes a list: that of time step list_step + offset.
  struct Take {
    int offset;
    unsigned taken;  // of the sections of the list, the first
    bool forward;    // of a forward step; else of the next backward one, with the workers' ranges
  };

  void add_take(poplar::ComputeSet compute_set, const Late& late, const Take& take) {
    const Arrivals& t = tensors_.layers[late.layer].arrivals[late.source];
    const ListPlan& list = where_.list_of(late.layer, late.source);
    for (const SampleRange& range : list.ranges) {
      const auto of = [&](const poplar::Tensor& all) { return this->of(range.samples, all); };
      Rows bounds = {"bounds", {}, poplar::UNSIGNED_INT},
           real_counts = {"real_counts", {}, poplar::UNSIGNED_INT};
      const auto record = [&](std::size_t begin, std::size_t end) {
        return of(t.next_records.slice(begin, end, 1));
      };
      if (!take.forward) bounds.tensors.push_back(record(kRecordBounds, kRecordReal));
      if (take.taken == kLearntKinds)
        real_counts.tensors.push_back(record(kRecordReal, kRecordReal + kCountSize));
      add_vertex(graph_, compute_set, poputil::templateVertex("popsnn::TakeSpikes", id_type_),
                 range.tile,
                 {{"bits", of(t.bits)},
                  {"sizes", of(t.sizes)},
                  {"step", shared_.list_step},
                  {"ids", of(take.forward ? t.lists.ids : t.next_ids)},
                  {"counts", take.forward ? of(t.lists.counts) : record(0, kCountSize)}},
                 {{"samples", range.samples.size()},
                  {"steps", network_.steps},
                  {"padded_capacity", list.padded_capacity},
                  {"words", bit_words_of(late)},
                  {"taken", take.taken},
                  {"sections", sections_of(late)},
                  {"counted", unsigned(take.taken == kLearntKinds)},
                  {"forward", unsigned(take.forward)},
                  {"offset", take.offset}},
                 {bounds, real_counts});
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
