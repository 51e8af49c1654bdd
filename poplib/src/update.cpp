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
    ComputeSet sums = graph_.addComputeSet("update/sum_gradients");
    ComputeSet step = graph_.addComputeSet("update/step");
    std::vector<Tensor> from, to;
    for (std::size_t r = 0; r < replicas(); ++r)
      each_piece([&](std::size_t l, std::size_t which, std::size_t tile) {
        const Parameter& parameter = at(r, l, which);
        if (parameter.state.empty()) return;
        const Range stretch = stretch_of(parameter.value.on[tile], r, replicas());
        if (replicas() > 1) add_sum(sums, r, l, which, tile, stretch);
        add_step(step, r, l, parameter, tile, stretch);
        for (std::size_t other = 0; other < replicas(); ++other) {
          if (other == r) continue;
          from.push_back(slice_of(parameter.value.on[tile], stretch));
          to.push_back(slice_of(at(other, l, which).value.on[tile], stretch));
        }
      });
    if (replicas() > 1) program.add(Execute(sums));
    program.add(Execute(step));
    if (!from.empty()) program.add(Copy(poplar::concat(from), poplar::concat(to)));
    return program;
  }

  // The first replica's gradients become those of the whole batch.
  Sequence sum_gradients() {
    Sequence program;
    if (replicas() == 1) return program;
    ComputeSet sums = graph_.addComputeSet("backward/sum_gradients");
    if (network_.optimizer == Optimizer::None)
      each_piece([&](std::size_t l, std::size_t which, std::size_t tile) {
        const std::size_t size = at(0, l, which).grad.on[tile].numElements();
        add_sum(sums, 0, l, which, tile, {0, size});
      });
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      if (!network_.layers[l].learns) continue;
      const auto grad = [&](std::size_t r, std::size_t tile) {
        return tensors_.replicas[r].layers[l].parameter_grad.on[tile].flatten();
      };
      for (std::size_t tile = 0; tile < plan_.replicas[0].layers[l].tiles; ++tile)
        add_sum(sums, tile_of(0, l, tile), 0, [&](std::size_t r) { return grad(r, tile); });
    }
    program.add(Execute(sums));
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

  void add_sum(ComputeSet compute_set, std::size_t r, std::size_t l, std::size_t which,
               std::size_t tile, const Range& stretch) {
    add_sum(compute_set, tile_of(r, l, tile), r, [&](std::size_t replica) {
      return slice_of(at(replica, l, which).grad.on[tile], stretch);
    });
  }

  // gradient(r) += the other replicas' gradient(...)
  template <class Gradient>
  void add_sum(ComputeSet compute_set, std::size_t tile, std::size_t r, Gradient gradient) {
    Rows others = {"others", {}};
    for (std::size_t other = 0; other < replicas(); ++other)
      if (other != r) others.tensors.push_back(gradient(other));
    const Tensor sum = gradient(r);
    if (sum.numElements() == 0) return;
    add_vertex(graph_, compute_set, "popsnn::AddGradients", tile, {{"gradient", sum}},
               {{"size", sum.numElements()}}, {others});
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
