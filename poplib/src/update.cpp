#include "update.hpp"

#include <string>

#include "vertex.hpp"

namespace popsnn {
namespace {

using poplar::ComputeSet;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Execute;
using poplar::program::Sequence;

Tensor slice_of(const Tensor& piece, const Range& range) {
  return piece.flatten().slice(range.begin, range.end);
}

class UpdateBuilder {
 public:
  UpdateBuilder(Graph& graph, const NetworkSpec& network, const Plan& plan,
                const NetworkTensors& tensors)
      : graph_(graph), network_(network), plan_(plan), tensors_(tensors) {}

  // Each replica sums, and updates, its stretch of every piece; then they exchange stretches.
  Sequence update() {
    Sequence program;
    if (network_.optimizer == Optimizer::None) return program;
    // One other replica's gradients at a time: so much arrives at once.
    for (std::size_t turn = 1; turn < replicas(); ++turn) {
      ComputeSet sum = graph_.addComputeSet("update/sum_gradients" + std::to_string(turn));
      for (std::size_t r = 0; r < replicas(); ++r)
        each_piece([&](std::size_t l, std::size_t which, std::size_t tile) {
          if (at(r, l, which).state.empty()) return;
          const Range stretch = stretch_of(at(r, l, which).value.on[tile], r, replicas());
          const auto grad = [&](std::size_t replica) {
            return slice_of(at(replica, l, which).grad.on[tile], stretch);
          };
          add_sum(sum, tile_of(r, l, tile), grad(r), grad((r + turn) % replicas()));
        });
      program.add(Execute(sum));
    }
    ComputeSet step = graph_.addComputeSet("update/step");
    std::vector<Tensor> from, to;
    for (std::size_t r = 0; r < replicas(); ++r)
      each_piece([&](std::size_t l, std::size_t which, std::size_t tile) {
        const Parameter& parameter = at(r, l, which);
        if (parameter.state.empty()) return;
        const Range stretch = stretch_of(parameter.value.on[tile], r, replicas());
        add_step(step, r, l, parameter, tile, stretch);
        for (std::size_t other = 0; other < replicas(); ++other) {
          if (other == r) continue;
          from.push_back(slice_of(parameter.value.on[tile], stretch));
          to.push_back(slice_of(at(other, l, which).value.on[tile], stretch));
        }
      });
    program.add(Execute(step));
    if (!from.empty()) program.add(Copy(poplar::concat(from), poplar::concat(to)));
    return program;
  }

  // The first replica's gradients become those of the whole batch.
  Sequence sum_gradients() {
    Sequence program;
    for (std::size_t other = 1; other < replicas(); ++other) {
      ComputeSet sum = graph_.addComputeSet("backward/sum_gradients" + std::to_string(other));
      if (network_.optimizer == Optimizer::None)
        each_piece([&](std::size_t l, std::size_t which, std::size_t tile) {
          add_sum(sum, tile_of(0, l, tile), at(0, l, which).grad.on[tile],
                  at(other, l, which).grad.on[tile]);
        });
      for (std::size_t l = 0; l < network_.layers.size(); ++l) {
        if (!network_.layers[l].learns) continue;
        const auto grad = [&](std::size_t r, std::size_t tile) {
          return tensors_.replicas[r].layers[l].parameter_grad.on[tile];
        };
        for (std::size_t tile = 0; tile < plan_.replicas[0].layers[l].tiles; ++tile)
          add_sum(sum, tile_of(0, l, tile), grad(0, tile), grad(other, tile));
      }
      program.add(Execute(sum));
    }
    return program;
  }

 private:
  std::size_t replicas() const { return plan_.replicas.size(); }
  std::size_t tile_of(std::size_t r, std::size_t l, std::size_t tile) const {
    return plan_.replicas[r].layers[l].first_tile + tile;
  }

  // A layer's parameters by number: its sources' weights, then its bias.
  const Parameter& at(std::size_t r, std::size_t l, std::size_t which) const {
    const LayerTensors& t = tensors_.replicas[r].layers[l];
    return which < t.weights.size() ? t.weights[which] : t.bias;
  }

  // Calls visit(layer, parameter, tile) for every piece of a replica.
  template <class Visit>
  void each_piece(Visit visit) const {
    for (std::size_t l = 0; l < network_.layers.size(); ++l)
      for (std::size_t which = 0; which <= network_.layers[l].sources(); ++which)
        for (std::size_t tile = 0; tile < plan_.replicas[0].layers[l].tiles; ++tile)
          visit(l, which, tile);
  }

  // gradient += other
  void add_sum(ComputeSet compute_set, std::size_t tile, const Tensor& gradient,
               const Tensor& other) {
    const std::size_t size = gradient.numElements();
    if (size == 0) return;
    add_vertex(graph_, compute_set, "popsnn::AddGradients", tile, {{"gradient", gradient}},
               {{"size", size}}, {{"others", {other}}});
  }

  void add_step(ComputeSet compute_set, std::size_t r, std::size_t l, const Parameter& parameter,
                std::size_t tile, const Range& stretch) {
    if (stretch.size() == 0) return;  // fewer elements than replicas
    const bool adam = parameter.state.size() == 2;
    std::vector<Edge> edges = {{"settings", tensors_.settings},
                               {"gradient", slice_of(parameter.grad.on[tile], stretch)},
                               {"parameter", slice_of(parameter.value.on[tile], stretch)}};
    if (adam) {
      edges.push_back({"first_moment", parameter.state[0][tile]});
      edges.push_back({"second_moment", parameter.state[1][tile]});
    } else {
      edges.push_back({"momentum", parameter.state[0][tile]});
    }
    add_vertex(graph_, compute_set, adam ? "popsnn::AdamUpdate" : "popsnn::SgdUpdate",
               tile_of(r, l, tile), edges, {{"size", stretch.size()}});
  }

  Graph& graph_;
  const NetworkSpec& network_;
  const Plan& plan_;
  const NetworkTensors& tensors_;
};

}  // namespace

Sequence build_update(Graph& graph, const NetworkSpec& network, const Plan& plan,
                      const NetworkTensors& tensors) {
  return UpdateBuilder(graph, network, plan, tensors).update();
}

Sequence build_gradient_sums(Graph& graph, const NetworkSpec& network, const Plan& plan,
                             const NetworkTensors& tensors) {
  return UpdateBuilder(graph, network, plan, tensors).sum_gradients();
}

}  // namespace popsnn
