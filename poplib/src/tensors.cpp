#include "tensors.hpp"

#include <string>

namespace popsnn {
namespace {

using poplar::FLOAT;
using poplar::Tensor;
using poplar::Type;
using poplar::UNSIGNED_INT;

class Allocator {
 public:
  Allocator(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan)
      : graph_(graph), network_(network), plan_(plan) {}

  TilePieces pieces(std::size_t l, std::size_t rows, const std::string& name) {
    const LayerSpec& layer = network_.layers[l];
    const LayerPlan& where = plan_.layers[l];
    TilePieces result;
    result.flat = graph_.addVariable(FLOAT, {rows * layer.neurons}, named(name, l));
    std::size_t begin = 0;
    for (std::size_t tile = 0; tile < where.tiles; ++tile) {
      const std::size_t neurons = where.neurons(tile, layer).size();
      const Tensor piece = result.flat.slice(begin, begin + rows * neurons);
      graph_.setTileMapping(piece, unsigned(where.first_tile + tile));
      result.on.push_back(piece.reshape({rows, neurons}));
      begin += rows * neurons;
    }
    return result;
  }

  // [batch, ...] with each sample on the tile of its lists.
  Tensor by_sample(const Type& type, std::vector<std::size_t> shape, const std::string& name) {
    const Tensor result = graph_.addVariable(type, shape, name);
    for (const SampleRange& range : plan_.samples)
      graph_.setTileMapping(result.slice(range.samples.begin, range.samples.end, 0),
                            unsigned(range.tile));
    return result;
  }

  SpikeLists lists(std::size_t slots, const std::string& name) {
    const std::size_t batch = network_.batch, steps = network_.steps;
    const Type id_type = plan_.short_ids ? poplar::UNSIGNED_SHORT : UNSIGNED_INT;
    SpikeLists result;
    result.slots = slots;
    result.shares = by_sample(UNSIGNED_INT, {batch, kShares + 1}, name + "/shares");
    result.ids = by_sample(id_type, {batch, slots}, name + "/ids");
    result.counts = by_sample(UNSIGNED_INT, {batch, kCountSize}, name + "/counts");
    result.ids_history = by_sample(id_type, {batch, steps, slots}, name + "/ids_history");
    result.counts_history =
        by_sample(UNSIGNED_INT, {batch, steps, kCountSize}, name + "/counts_history");
    return result;
  }

  // [tiles of layer l, row], a row on each of the layer's tiles.
  Tensor by_tile(const Type& type, std::size_t l, std::vector<std::size_t> row,
                 const std::string& name) {
    row.insert(row.begin(), plan_.layers[l].tiles);
    const Tensor result = graph_.addVariable(type, row, named(name, l));
    for (std::size_t tile = 0; tile < plan_.layers[l].tiles; ++tile)
      graph_.setTileMapping(result[tile], unsigned(plan_.layers[l].first_tile + tile));
    return result;
  }

  Tensor on_first_tile(const Type& type, std::vector<std::size_t> shape, const std::string& name) {
    const Tensor result = graph_.addVariable(type, shape, name);
    graph_.setTileMapping(result, 0);
    return result;
  }

  static std::string named(const std::string& name, std::size_t l) {
    return "layer" + std::to_string(l) + "/" + name;
  }

 private:
  poplar::Graph& graph_;
  const NetworkSpec& network_;
  const Plan& plan_;
};

LayerTensors add_layer(Allocator& add, const NetworkSpec& network, const Plan& plan,
                       std::size_t l) {
  const LayerSpec& layer = network.layers[l];
  const LayerPlan& where = plan.layers[l];
  const std::size_t batch = network.batch, steps = network.steps;
  LayerTensors t;
  t.weights = add.pieces(l, layer.inputs, "weights");
  t.weight_grad = add.pieces(l, layer.inputs, "weight_grad");
  t.bias = add.pieces(l, 1, "bias");
  t.bias_grad = add.pieces(l, 1, "bias_grad");
  t.beta = add.pieces(l, 1, "beta");
  t.membrane = add.pieces(l, steps * batch, "membrane");
  t.membrane_grad = add.pieces(l, batch, "membrane_grad");
  t.current_grad = add.pieces(l, batch, "current_grad");
  for (std::size_t copy = 0; copy < optimizer_copies(network.optimizer); ++copy) {
    t.weight_state.push_back(add.pieces(l, layer.inputs, "weight_state" + std::to_string(copy)));
    if (layer.bias) t.bias_state.push_back(add.pieces(l, 1, "bias_state" + std::to_string(copy)));
  }
  if (network.sends_gradient(l))
    t.partials = add.by_tile(FLOAT, l, {batch, where.input_slots}, "partials");
  if (layer.kind == LayerKind::LeakyReadout) {
    t.output_grad = add.pieces(l, steps * batch, "output_grad");
    return t;
  }
  t.threshold = add.pieces(l, 1, "threshold");
  t.grad_threshold = add.pieces(l, 1, "grad_threshold");
  t.lists = add.lists(where.slots, Allocator::named("lists", l));
  t.masks = add.by_tile(UNSIGNED_INT, l,
                        {batch, kMaskSize, mask_words(unsigned(where.neurons_per_tile))}, "masks");
  t.window = add.by_sample(UNSIGNED_INT, {batch, kWindowSize}, Allocator::named("window", l));
  t.window_history = add.by_sample(UNSIGNED_INT, {batch, steps, kWindowSize},
                                   Allocator::named("window_history", l));
  t.drop_history =
      add.by_sample(UNSIGNED_INT, {batch, steps, kDropSize}, Allocator::named("drop_history", l));
  t.spike_grad = add.by_sample(FLOAT, {batch, layer.neurons}, Allocator::named("spike_grad", l));
  if (l + 1 == network.layers.size())
    t.slot_grad =
        add.by_sample(FLOAT, {batch, steps, where.slots}, Allocator::named("slot_grad", l));
  return t;
}

}  // namespace

NetworkTensors add_tensors(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan) {
  Allocator add(graph, network, plan);
  NetworkTensors t;
  t.input = add.lists(plan.input_slots, "input");
  if (network.input_gradient)
    t.input_grad =
        add.by_sample(FLOAT, {network.batch, network.steps, plan.input_slots}, "input_grad");
  for (std::size_t l = 0; l < network.layers.size(); ++l)
    t.layers.push_back(add_layer(add, network, plan, l));
  t.step = add.on_first_tile(poplar::INT, {}, "step");
  t.list_step = add.on_first_tile(poplar::INT, {}, "list_step");
  t.seed = add.on_first_tile(UNSIGNED_INT, {}, "seed");
  if (network.optimizer != Optimizer::None)
    t.settings = add.on_first_tile(FLOAT, {kOptimizerSettings}, "settings");
  return t;
}

}  // namespace popsnn
