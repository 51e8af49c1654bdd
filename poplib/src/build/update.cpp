#include "update.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <poputil/VertexTemplates.hpp>

#include "build/code/code_counter.hpp"
#include "vertex.hpp"

namespace popsnn {
namespace {

using poplar::ComputeSet;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Execute;
using poplar::program::Sequence;

Tensor slice_of(const Tensor& shard, const Range& range) {
  return shard.flatten().slice(range.begin, range.end);
}

class UpdateBuilder {
 public:
  UpdateBuilder(Graph& graph, const NetworkSpec& network, const Plan& plan,
                const NetworkTensors& tensors)
      : graph_(graph), network_(network), plan_(plan), tensors_(tensors) {}

  // Each replica sums and updates its range of every shard; then the replicas exchange ranges.
  Sequence update() {
    Sequence program;
    if (network_.optimizer == Optimizer::None) return program;
    // The gradients of one other replica at a time, which limits the memory for received data.
    for (std::size_t turn = 1; turn < replicas(); ++turn) {
      ComputeSet sum = graph_.addComputeSet("update/sum_gradients" + std::to_string(turn));
      for (std::size_t r = 0; r < replicas(); ++r)
        each_shard([&](std::size_t l, std::size_t which, std::size_t tile) {
          if (!at(r, l, which).state.empty()) add_range_sum(sum, r, l, which, tile, turn);
        });
      program.add(Execute(sum));
    }
    ComputeSet step = graph_.addComputeSet("update/step");
    Copies sent;
    if (has_learnt()) {
      ComputeSet hold = graph_.addComputeSet("update/clamp_gradients");
      each_learnt([&](std::size_t l, std::size_t i, std::size_t tile) {
        add_learnt(hold, step, l, learnt(0, l, i), tile);
        for (std::size_t other = 1; other < replicas(); ++other) {
          sent.from.push_back(learnt(0, l, i).value.on[tile].flatten());
          sent.to.push_back(learnt(other, l, i).value.on[tile].flatten());
        }
      });
      program.add(Execute(hold));
    }
    for (std::size_t r = 0; r < replicas(); ++r)
      each_shard([&](std::size_t l, std::size_t which, std::size_t tile) {
        const Parameter& parameter = at(r, l, which);
        if (parameter.state.empty()) return;
        const Range range = update_range(parameter.value.on[tile], r, replicas());
        std::vector<Tensor> state;
        for (const std::vector<Tensor>& copy : parameter.state) state.push_back(copy[tile]);
        Rows rest = {"rest", {}, poplar::HALF};
        if (!parameter.rest.empty()) rest.tensors.push_back(parameter.rest[tile]);
        add_step(step, tile_of(r, l, tile), slice_of(parameter.grad.on[tile], range),
                 slice_of(parameter.value.on[tile], range), state, rest);
        for (std::size_t other = 0; other < replicas(); ++other) {
          if (other == r) continue;
          sent.from.push_back(slice_of(parameter.value.on[tile], range));
          sent.to.push_back(slice_of(at(other, l, which).value.on[tile], range));
        }
      });
    program.add(Execute(step));
    add_copies(program, sent);
    return program;
  }

  // Sums the gradients of the whole batch: of a parameter each replica sums its range, as it does
  // in an update; what neurons learn is summed on the first replica.
  Sequence sum_gradients() {
    Sequence program;
    if (network_.optimizer != Optimizer::None && !network_.learns())
      return program;  // the update sums
    const auto add_sums = [&](ComputeSet sum, std::size_t l, std::size_t other, auto grad_of) {
      const auto grad = [&](std::size_t r, std::size_t tile) {
        const TileShards& shards = grad_of(tensors_.replicas[r].layers[l]);
        return shards.on[tile];
      };
      for (std::size_t tile = 0; tile < plan_.replicas[0].layers[l].tiles; ++tile)
        add_sum(sum, tile_of(0, l, tile), grad(0, tile), grad(other, tile));
    };
    for (std::size_t other = 1; other < replicas(); ++other) {
      ComputeSet sum = graph_.addComputeSet("backward/sum_gradients" + std::to_string(other));
      if (network_.optimizer == Optimizer::None)
        for (std::size_t r = 0; r < replicas(); ++r)
          each_shard([&](std::size_t l, std::size_t which, std::size_t tile) {
            add_range_sum(sum, r, l, which, tile, other);
          });
      for (std::size_t l = 0; l < network_.layers.size(); ++l) {
        if (network_.layers[l].learns)
          add_sums(sum, l, other,
                   [](const LayerTensors& t) -> const TileShards& { return t.parameter_grad; });
        if (network_.layers[l].learnt_delays != 0)
          add_sums(sum, l, other,
                   [](const LayerTensors& t) -> const TileShards& { return t.delays.tap_grad; });
        for (std::size_t source = 0; source < network_.layers[l].sources(); ++source)
          if (network_.layers[l].learns_synapses(source))
            add_sums(sum, l, other, [=](const LayerTensors& t) -> const TileShards& {
              return t.delays.synapse_grad[source];
            });
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

  const Parameter& at(std::size_t r, std::size_t l, std::size_t which) const {
    return parameter_at(tensors_.replicas[r].layers[l], which);
  }

  // Calls visit(layer, parameter, tile) for every shard of a replica.
  template <class Visit>
  void each_shard(Visit visit) const {
    for (std::size_t l = 0; l < network_.layers.size(); ++l)
      for (std::size_t which = 0; which <= network_.layers[l].sources(); ++which)
        for (std::size_t tile = 0; tile < plan_.replicas[0].layers[l].tiles; ++tile)
          visit(l, which, tile);
  }

  const Learnt& learnt(std::size_t r, std::size_t l, std::size_t i) const {
    return tensors_.replicas[r].layers[l].learnt[i];
  }

  bool has_learnt() const {
    return std::any_of(tensors_.replicas[0].layers.begin(), tensors_.replicas[0].layers.end(),
                       [](const LayerTensors& t) { return !t.learnt.empty(); });
  }

  // Calls visit(layer, number, tile) for every shard of the neurons' learnt parameters.
  template <class Visit>
  void each_learnt(Visit visit) const {
    for (std::size_t l = 0; l < network_.layers.size(); ++l)
      for (std::size_t i = 0; i < tensors_.replicas[0].layers[l].learnt.size(); ++i)
        for (std::size_t tile = 0; tile < plan_.replicas[0].layers[l].tiles; ++tile)
          visit(l, i, tile);
  }

  // The first replica has the gradient of the whole batch.
  void add_learnt(ComputeSet hold, ComputeSet step, std::size_t l, const Learnt& learnt,
                  std::size_t tile) {
    const Tensor value = learnt.value.on[tile].flatten(), grad = learnt.grad.on[tile].flatten();
    add_vertex(
        graph_, hold, "popsnn::ClampGradients", tile_of(0, l, tile),
        {{"learnt", value},
         {"gradient", tensors_.replicas[0].layers[l].parameter_grad.on[tile][learnt.row]},
         {"clamped", grad}},
        {{"size", value.numElements()},
         {"bounded", unsigned(std::isfinite(learnt.lowest) || std::isfinite(learnt.highest))},
         {"lowest", learnt.lowest},
         {"highest", learnt.highest}});
    std::vector<Tensor> state;
    for (const TileShards& copy : learnt.state) state.push_back(copy.on[tile].flatten());
    add_step(step, tile_of(0, l, tile), grad, value, state, {"rest", {}, poplar::HALF});
  }

  // gradient += that of the replica `turn` further on, in the range of replica r
  void add_range_sum(ComputeSet compute_set, std::size_t r, std::size_t l, std::size_t which,
                     std::size_t tile, std::size_t turn) {
    const Range range = update_range(at(r, l, which).grad.on[tile], r, replicas());
    const auto grad = [&](std::size_t replica) {
      return slice_of(at(replica, l, which).grad.on[tile], range);
    };
    add_sum(compute_set, tile_of(r, l, tile), grad(r), grad((r + turn) % replicas()));
  }

  // gradient += other
  void add_sum(ComputeSet compute_set, std::size_t tile, const Tensor& gradient,
               const Tensor& other) {
    const std::size_t size = gradient.numElements();
    if (size == 0) return;
    add_vertex(graph_, compute_set, "popsnn::AddGradients", tile, {{"gradient", gradient}},
               {{"size", size}}, {{"others", {other}}});
  }

  // `state`: the momentum, or two moments; `rest`: of halves, the rounding errors.
  void add_step(ComputeSet compute_set, std::size_t tile, const Tensor& gradient,
                const Tensor& parameter, const std::vector<Tensor>& state, const Rows& rest) {
    const std::size_t size = parameter.numElements();
    if (size == 0) return;  // fewer elements than replicas
    const bool adam = state.size() == 2;
    std::vector<Edge> edges = {
        {"settings", tensors_.settings}, {"gradient", gradient}, {"parameter", parameter}};
    if (adam) {
      edges.push_back({"first_moment", state[0]});
      edges.push_back({"second_moment", state[1]});
    } else {
      edges.push_back({"momentum", state[0]});
    }
    add_vertex(graph_, compute_set,
               poputil::templateVertex(adam ? "popsnn::AdamUpdate" : "popsnn::SgdUpdate",
                                       parameter.elementType()),
               tile, edges, {{"size", size}}, {rest});
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

Tensor summed_gradient(const NetworkTensors& tensors, std::size_t l, std::size_t which) {
  const std::size_t replicas = tensors.replicas.size();
  const std::size_t tiles = parameter_at(tensors.replicas[0].layers[l], which).grad.on.size();
  std::vector<Tensor> shards;
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    std::vector<Tensor> ranges;
    for (std::size_t r = 0; r < replicas; ++r) {
      const Tensor& grad = parameter_at(tensors.replicas[r].layers[l], which).grad.on[tile];
      ranges.push_back(slice_of(grad, update_range(grad, r, replicas)));
    }
    const Tensor& shard = parameter_at(tensors.replicas[0].layers[l], which).grad.on[tile];
    shards.push_back(poplar::concat(ranges).reshape(shard.shape()));
  }
  return poplar::concat(shards, 1);
}

void count_update_code(CodeCounter& code, const ReplicaPlan& replica, std::size_t l) {
  const LayerSpec& layer = code.network().layers[l];
  const LayerPlan& where = replica.layers[l];
  const bool first = &replica == &code.plan().replicas.front();
  const bool learnt = code.optimizes() && layer.learnt != 0 && first;
  const std::string name = std::string("popsnn::") +
                           (code.network().optimizer == Optimizer::Adam ? "Adam" : "Sgd") +
                           "Update<";
  for (std::size_t tile = where.first_tile; tile < where.first_tile + where.tiles; ++tile) {
    if (code.optimizes()) code.add(tile, {name + layer.weight_type() + ">"});
    if ((code.optimizes() && layer.bias) || learnt) code.add(tile, {name + "float>"});
    if (code.plan().replicas.size() > 1) code.add(tile, {"popsnn::AddGradients"});
    if (learnt) code.add(tile, {"popsnn::ClampGradients"});
  }
}

}  // namespace popsnn
