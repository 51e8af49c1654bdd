#include "popsnn/plan.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace popsnn {
namespace {

constexpr std::size_t kColumnPair = 2;     // neurons whose fp32 weights one 64-bit load brings
constexpr std::size_t kVertexBytes = 512;  // state of a layer's vertices on one tile, rounded up

std::size_t ceil_div(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// Bytes that one neuron of a layer brings to its tile: weights, gradient and optimizer state by
// input, the membrane's history and its gradients by sample.
std::size_t bytes_per_neuron(const NetworkSpec& network, const LayerSpec& layer) {
  const std::size_t by_input = (layer.inputs + 1) * (2 + optimizer_copies(network.optimizer));
  const std::size_t histories = layer.kind == LayerKind::LeakyReadout ? 2 : 1;
  const std::size_t by_sample = network.batch * (network.steps * histories + 3);
  return 4 * (by_input + by_sample + 3);
}

// Bytes that a layer brings to each of its tiles however few neurons lie there: the lists that
// arrive each step, its masks, and its share of the input's gradient.
std::size_t bytes_per_tile(const NetworkSpec& network, const LayerPlan& plan, bool short_ids,
                           bool sends_gradient) {
  const std::size_t list =
      plan.input_slots * (short_ids ? 2 : 4) + 4 * (kCountSize + kWindowSize + kShares + 1);
  return kVertexBytes +
         network.batch * (list + (sends_gradient ? plan.input_slots * 4 : 0) +
                          4 * kMaskSize * mask_words(unsigned(plan.neurons_per_tile)));
}

// Work of a neuron in one step: the rows that its inputs may bring, and its own update.
double work_per_neuron(const LayerPlan& plan) { return double(plan.input_slots) + 8.0; }

// Neurons per tile such that the layers of a stage share `tiles` tiles and the busiest tile has
// the least work.
void spread_stage(const NetworkSpec& network, std::vector<LayerPlan>& plans, Range stage,
                  std::size_t tiles) {
  // Raising the allowed work per tile by the smallest step that frees a tile ends at the optimum:
  // the number of tiles only falls as neurons per tile rise.
  auto tiles_needed = [&] {
    std::size_t needed = 0;
    for (std::size_t l = stage.begin; l < stage.end; ++l)
      needed += ceil_div(network.layers[l].neurons, plans[l].neurons_per_tile);
    return needed;
  };
  if (tiles < stage.size()) {  // too few to keep layers apart: each lies on all of them
    for (std::size_t l = stage.begin; l < stage.end; ++l) {
      const std::size_t share = ceil_div(network.layers[l].neurons, tiles);
      plans[l].neurons_per_tile = ceil_div(share, kColumnPair) * kColumnPair;
      plans[l].tiles = ceil_div(network.layers[l].neurons, plans[l].neurons_per_tile);
      plans[l].first_tile = 0;
    }
    return;
  }
  for (std::size_t l = stage.begin; l < stage.end; ++l) plans[l].neurons_per_tile = kColumnPair;
  while (tiles_needed() > tiles) {
    std::size_t next = stage.end;
    double least = 0.0;
    for (std::size_t l = stage.begin; l < stage.end; ++l) {
      if (plans[l].neurons_per_tile >= network.layers[l].neurons) continue;
      const double work =
          work_per_neuron(plans[l]) * double(plans[l].neurons_per_tile + kColumnPair);
      if (next == stage.end || work < least) {
        next = l;
        least = work;
      }
    }
    plans[next].neurons_per_tile += kColumnPair;
  }
  std::size_t first_tile = 0;
  for (std::size_t l = stage.begin; l < stage.end; ++l) {
    plans[l].tiles = ceil_div(network.layers[l].neurons, plans[l].neurons_per_tile);
    plans[l].first_tile = first_tile;
    first_tile += plans[l].tiles;
  }
}

// Bytes that a sample brings to the tile of its lists: lists, windows and drops of every step.
std::size_t history_bytes_per_sample(const NetworkSpec& network, const Plan& plan) {
  const std::size_t id_bytes = plan.short_ids ? 2 : 4;
  const std::size_t rows = network.steps + 1;  // and the current one
  const auto list = [&](std::size_t slots) {
    return rows * (slots * id_bytes + 4 * kCountSize) + 4 * (kShares + 1);
  };
  std::size_t bytes = list(plan.input_slots);
  if (network.input_gradient) bytes += network.steps * plan.input_slots * 4;
  for (std::size_t l = 0; l < plan.layers.size(); ++l) {
    const LayerSpec& layer = network.layers[l];
    if (layer.kind != LayerKind::SparseLif) continue;
    bytes += list(plan.layers[l].slots) + rows * 4 * (kWindowSize + kDropSize) + layer.neurons * 4;
    if (l + 1 == plan.layers.size()) bytes += network.steps * plan.layers[l].slots * 4;
  }
  return bytes;
}

// Bytes that arrive for a sample in the fullest exchange: the masks of a stage's tiles, or their
// shares of the inputs' gradient.
std::size_t exchange_bytes_per_sample(const NetworkSpec& network, const Plan& plan) {
  std::size_t fullest = 0;
  for (unsigned stage = 0; stage < plan.stages; ++stage) {
    std::size_t masks = 0, partials = 0;
    for (std::size_t l = 0; l < plan.layers.size(); ++l) {
      const LayerPlan& layer = plan.layers[l];
      if (layer.stage != stage) continue;
      if (network.layers[l].kind == LayerKind::SparseLif)
        masks += layer.tiles * 4 * kMaskSize * mask_words(unsigned(layer.neurons_per_tile));
      if (network.sends_gradient(l)) partials += layer.tiles * layer.input_slots * 4;
    }
    fullest = std::max({fullest, masks, partials});
  }
  return fullest;
}

void check_memory(const NetworkSpec& network, const Plan& plan, const poplar::Target& target) {
  std::vector<std::size_t> used(target.getNumTiles(), 0);
  for (std::size_t l = 0; l < plan.layers.size(); ++l) {
    const LayerPlan& layer = plan.layers[l];
    const std::size_t fixed =
        bytes_per_tile(network, layer, plan.short_ids, network.sends_gradient(l));
    const std::size_t each = bytes_per_neuron(network, network.layers[l]);
    for (std::size_t tile = 0; tile < layer.tiles; ++tile)
      used[layer.first_tile + tile] += fixed + each * layer.neurons(tile, network.layers[l]).size();
  }
  const std::size_t per_sample =
      history_bytes_per_sample(network, plan) + exchange_bytes_per_sample(network, plan);
  for (const SampleRange& range : plan.samples)
    used[range.tile] += kVertexBytes * plan.layers.size() + per_sample * range.samples.size();
  const auto fullest = std::max_element(used.begin(), used.end());
  if (*fullest > target.getBytesPerTile()) {
    std::size_t neurons = 0;
    for (const LayerSpec& layer : network.layers) neurons += layer.neurons;
    throw std::runtime_error("plan: a network of " + std::to_string(neurons) + " neurons, " +
                             std::to_string(network.steps) + " steps and batch " +
                             std::to_string(network.batch) + " needs " + std::to_string(*fullest) +
                             " bytes on tile " + std::to_string(fullest - used.begin()) +
                             ", each of the device's " + std::to_string(target.getNumTiles()) +
                             " tiles holds " + std::to_string(target.getBytesPerTile()));
  }
}

}  // namespace

Range LayerPlan::neurons(std::size_t tile, const LayerSpec& layer) const {
  return {tile * neurons_per_tile, std::min(layer.neurons, (tile + 1) * neurons_per_tile)};
}

std::size_t row_slots(std::size_t capacity) { return ceil_div(capacity, 2) * 2; }

Plan plan_network(const NetworkSpec& network, const poplar::Target& target) {
  network.check();
  Plan plan;
  plan.input_slots = row_slots(network.input_capacity);
  plan.short_ids = true;
  std::size_t slots = plan.input_slots;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const LayerSpec& layer = network.layers[l];
    LayerPlan layer_plan;
    layer_plan.input_slots = slots;
    if (layer.kind == LayerKind::SparseLif) layer_plan.slots = slots = row_slots(layer.capacity);
    // A layer without delay waits for the lists of the one before: a new stage begins.
    if (l > 0 && layer.delay == 0) ++plan.stages;
    layer_plan.stage = plan.stages;
    plan.short_ids = plan.short_ids && layer.inputs <= 65536 && layer.neurons <= 65536;
    plan.layers.push_back(layer_plan);
  }
  ++plan.stages;

  const std::size_t tiles = target.getNumTiles();
  for (std::size_t begin = 0, end = 0; begin < plan.layers.size(); begin = end) {
    while (end < plan.layers.size() && plan.layers[end].stage == plan.layers[begin].stage) ++end;
    spread_stage(network, plan.layers, {begin, end}, tiles);
  }
  const std::size_t ranges = std::min(network.batch, tiles);
  for (std::size_t r = 0; r < ranges; ++r)
    plan.samples.push_back(
        {r * tiles / ranges, {r * network.batch / ranges, (r + 1) * network.batch / ranges}});
  check_memory(network, plan, target);
  return plan;
}

}  // namespace popsnn
