#include "cost.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "buckets.hpp"
#include "delays/cycles.hpp"
#include "lists/cycles.hpp"
#include "masks.hpp"
#include "neurons/cycles.hpp"
#include "optimizers/cycles.hpp"
#include "pattern_ranges.hpp"
#include "products/cycles.hpp"
#include "reductions.hpp"

namespace popsnn {
namespace {

unsigned u(std::size_t value) { return unsigned(value); }

class Cost {
 public:
  Cost(const NetworkSpec& network, const Plan& plan, const ReplicaPlan& replica,
       const poplar::Target& target)
      : network_(network),
        replica_(replica),
        replicas_(plan.replicas.size()),
        short_ids_(plan.short_ids),
        target_(target),
        sync_(target.getMaxIPUSyncDelay()),
        set_(sync_ + double(cycles::kComputeSet)),
        sync_of_all_(target.getNumIPUs() > 1 ? target.getGlobalSyncCycles() : sync_),
        bytes_per_cycle_(double(target.getExchangeBytesPerCycle())) {}

  LayerCost layer(std::size_t l, std::size_t neurons) const {
    const LayerSpec& layer = network_.layers[l];
    const unsigned batch = u(replica_.batch()), n = u(neurons);
    double lists = 0.0, back = 0.0;  // bytes of the lists that a tile receives, by direction
    std::uint64_t gathered = 0, products = 0, remote = 0, sums = 0;
    std::uint64_t delayed = 0, collected = 0;  // of a sample's dendritic delays, by direction
    unsigned learnt_taps = 0;
    for (std::size_t source = 0; source < layer.sources(); ++source) {
      const unsigned listed = entries_of(l, source);
      const bool dense = replica_.layers[l].dense[source], biased = source == 0 && layer.bias;
      const double ids =
          double(batch) * (double(pad_capacity(listed)) * id_bytes() + 4.0 * kCountSize);
      lists += ids;
      back += dense ? pattern_bytes(l, source) : ids + bounds_bytes();
      const std::uint64_t rows = summed_rows(layer, n, listed);
      gathered += rows + (layer.steps_late() ? cycles::kLateList : 0);
      if (layer.has_ring()) {
        const unsigned taps = layer.tap_rows(source);
        delayed += layer.delays_weights(source)
                       ? cycles::synaptic_source(n, listed)
                       : cycles::delay_source(taps, n, rows, layer.learns_delays(source));
        collected += cycles::collect(taps, n);
        if (layer.learns_delays(source)) learnt_taps += taps;
      }
      if (layer.delays_weights(source)) {
        products +=
            cycles::synaptic_grad(batch, mean_of(l, source), n, layer.learns_synapses(source),
                                  network_.sends_gradient(l, source));
        continue;
      }
      products +=
          dense ? dense_gradient(l, source, n, biased) : sparse_gradient(l, source, n, biased);
      if (dense) sums = cycles::pattern_sums(batch, n);
      if (!network_.sends_gradient(l, source)) continue;
      if (dense) back += ids;
      const auto dots = [&](unsigned entries) {
        return entries == 0 ? std::uint64_t{0} : spike_products(layer, batch, n, entries);
      };
      const unsigned own =
          std::min(listed, u(replica_.own_entries(l, source, replica_.first_remote(l, source))));
      products += dots(own);
      if (replica_.layers[l].remote_partials(source)) remote += dots(listed - own);
    }
    // Neurons sum delayed currents as one row.
    const unsigned entries = layer.has_ring() ? 1 : entries_of(l, 0);
    const unsigned sources = layer.has_ring() ? 1 : u(layer.sources());
    const bool half_rows = layer.half_weights && !layer.has_ring();
    if (layer.has_ring()) gathered = cycles::gather_rows(n, short_ids_, 1, false);
    if (layer.kind == LayerKind::SparseLif && layer.rows_ahead == 0)
      gathered += cycles::biased_sum(n, short_ids_);
    LayerCost cost;
    cost.remote = double(remote);
    cost.sums = double(sums);
    cost.products = double(products) + exchange(back);
    if (layer.kind == LayerKind::LeakyReadout) {
      cost.step = double(readout_step(l, n, entries, half_rows));
      cost.grad = double(cycles::li_step_grad(batch, n, layer.learns));
    } else {
      LayerPlan tile;
      tile.neurons_per_tile = neurons;
      const unsigned row = mask_layout(tile, batch).samples_per_row;
      cost.step = double(cycles::neuron_step(layer.model.numbers, batch, row, gathered, sources, n,
                                             layer.reset == Reset::Zero));
      const unsigned learnable = layer.learns ? u(layer.learnable()) : 0;
      const bool zeroes = layer.reset == Reset::Zero && layer.detach_reset;
      cost.grad = double(layer.model.grad_cycles(batch, n, layer.surrogate, learnable, zeroes)) +
                  exchange(4.0 * batch * n);
    }
    cost.step += exchange(lists);
    if (layer.has_ring()) {
      cost.step += double(cycles::delay_currents(batch, n, delayed));
      cost.grad += double(
          cycles::delay_grad(batch, n, collected, learnt_taps, layer.bias && layer.delays(0)));
    }
    cost.update =
        update(network_.weight_rows(l) * neurons, layer.half_weights) / double(network_.steps);
    return cost;
  }

  GradientCost gradient(std::size_t l, std::size_t source) const {
    const unsigned batch = u(replica_.batch()), n = u(replica_.layers[l].neurons_per_tile);
    const unsigned padded_capacity = u(replica_.list_of(l, source).padded_capacity);
    const bool biased = source == 0 && network_.layers[l].bias;
    const double ids = double(batch) * padded_capacity * id_bytes();
    // Ids are sent for the partial sums of the spikes' gradient anyway.
    const bool sends = network_.sends_gradient(l, source);
    return {double(sparse_gradient(l, source, n, biased)) +
                exchange(bounds_bytes() + (sends ? 0.0 : ids)),
            double(dense_gradient(l, source, n, biased) + cycles::pattern_sums(batch, n)) +
                exchange(pattern_bytes(l, source))};
  }

  // Compaction of lists, reduction and scatter of gradients: costs that depend on more than a
  // tile's neurons.
  double stage_overhead(unsigned stage) const {
    double scan = 0.0, merge = 0.0, scatter = 0.0, rows = 0.0, patterns = 0.0, delays = 0.0;
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      if (replica_.layers[l].stage != stage) continue;
      const LayerSpec& layer = network_.layers[l];
      if (layer.has_ring()) delays = 2.0 * set_;
      for (std::size_t source = 0; source < layer.sources(); ++source) {
        if (replica_.layers[l].dense[source])
          patterns = std::max(patterns, set_ + pattern_cycles(l, source));
        if (network_.sends_gradient(l, source)) {
          const ListPlan &list = replica_.list_of(l, source),
                         &fired = replica_.fired_list(l, source);
          const unsigned entries = entries_of(l, source);
          const bool late_parts = layer.late(source) && !fired.row_tiles.empty();
          const std::uint64_t time =
              late_parts
                  ? cycles::set_arrivals(entries, u(fired.row_tiles.front().size()), 2, short_ids_)
                  : scatter_cycles(list, entries);
          scatter = std::max(scatter, double(time));
        }
      }
      if (layer.kind != LayerKind::SparseLif) continue;
      const ListPlan& list = replica_.lists[l];
      const std::size_t blocks = mask_blocks(network_, replica_, l, short_ids_, target_);
      const BlockCycles of = block_cycles(network_, replica_, l, blocks, short_ids_, target_);
      scan = std::max(scan, double(of.scan));
      merge = std::max(merge, double(list.most_samples()) * (double(of.merge) + of.sent));
      merge = std::max(merge, double(take_cycles(network_, replica_, l, short_ids_)));
      const std::size_t parts = list.row_tiles.empty() ? 1 : list.row_tiles.front().size();
      rows = std::max(rows, 4.0 * double(list.most_samples() * layer.neurons / parts));
    }
    return scan + merge + patterns + reduction(stage, 0) + scatter + exchange(rows) + 7.0 * set_ +
           delays;
  }

  // Adds what tiles with parts of rows of late spikes do during a stage's products.
  void add_parts(unsigned stage, std::vector<double>& of_tile) const {
    for (std::size_t l = 0; l < replica_.lists.size(); ++l) {
      if (replica_.layers[l].stage != stage || !replica_.read_late(network_, l)) continue;
      for (const std::vector<std::size_t>& tiles : replica_.lists[l].row_tiles)
        for (std::size_t at = 0; at < tiles.size(); ++at) {
          const Range part = replica_.row_part(network_.layers[l], l, at);
          const unsigned range = u(ceil_div(part.size(), cycles::kWorkers));
          of_tile[tiles[at]] += double(cycles::kWorkers * cycles::next_spike_grad(range));
        }
    }
  }

  // Cycles a time step that depend on the bucket of the lists that a stage reads.
  double sized(unsigned stage, Direction direction, unsigned bucket) const {
    double received = 0.0;
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      if (replica_.layers[l].stage != stage) continue;
      double bytes = 0.0;
      for (std::size_t source = 0; source < network_.layers[l].sources(); ++source)
        bytes +=
            double(replica_.batch()) * id_bytes() *
            double(direction == Direction::Forward ? replica_.forward_capacity(l, source, bucket)
                                                   : replica_.capacity_of(l, source, bucket));
      received = std::max(received, bytes);
    }
    return exchange(received) + (direction == Direction::Backward ? reduction(stage, bucket) : 0.0);
  }

  // Turns what `step_cost` counts of a stage that reads lists of arrivals into what it takes where
  // they are usual: sums of the smallest bucket, which are less, and branches.
  double usual(unsigned stage, const Plan& plan) const {
    const double taken = branch(Direction::Backward, 0);
    double more = plan.forward_sizes > 1 ? taken : 0.0;
    if (plan.backward_sizes > 1)
      more += taken + reduction(stage, plan.backward_sizes - 1) - reduction(stage, 0);
    return more;
  }

  // Cycles by which put_spikes of lists of arrivals lengthens the forward step of the stage that
  // fires their spikes, and take_spikes the products of the stage that reads them.
  double longer_for_arrivals(unsigned stage) const {
    const LayerCost slowest = slowest_neurons(stage, [](const LayerPlan&) { return true; });
    double step = slowest.step, products = slowest.products;
    for (std::size_t l = 0; l < network_.layers.size(); ++l)
      visit_late(network_, l, [&](std::size_t reader, std::size_t source) {
        for (const SampleRange& range : replica_.arrivals[reader][source].ranges) {
          const LayerCost neurons = slowest_neurons(stage, [&](const LayerPlan& layer) {
            return range.tile >= layer.first_tile && range.tile < layer.first_tile + layer.tiles;
          });
          const ArrivalCycles of = arrival_cycles(reader, source, u(range.samples.size()));
          if (replica_.layers[l].stage == stage)
            step = std::max(step, neurons.step + double(of.put));
          if (replica_.layers[reader].stage == stage)
            products = std::max(products, neurons.products + double(of.take));
        }
      });
    return step - slowest.step + products - slowest.products;
  }

  // Cycles a time step of finding the bucket of the stage's `lists` and of the branch.
  double branch(Direction direction, std::size_t lists) const {
    const double taken = sync_of_all_ + exchange(4.0);
    if (direction == Direction::Backward) return taken;
    return taken + sync_of_all_ + 2.0 * double(cycles::kComputeSet) +
           exchange(4.0 * double(lists * network_.batch)) +
           double(cycles::list_sizes(u(lists), u(network_.batch), kMostSizes - 1)) +
           double(cycles::kWorkers * cycles::largest_size());
  }

  // Cycles of a training step on a tile of so many weights: their gradients are zeroed, two at a
  // time; each replica adds the others' to its range, updates it and sends it to the others.
  double update(std::size_t weights, bool halves) const {
    const auto range = u(weights / replicas_);
    double time = double(weights) / 2.0;
    if (network_.optimizer == Optimizer::Adam) time += double(cycles::adam_update(range, halves));
    if (network_.optimizer == Optimizer::Sgd) time += double(cycles::sgd_update(range, halves));
    if (replicas_ > 1)
      time += exchange((halves ? 6.0 : 8.0) * double(weights)) +
              double(replicas_ - 1) * double(cycles::add_gradients(1, range));
    return time;
  }

  double exchange(double bytes) const { return bytes / bytes_per_cycle_; }

 private:
  // The step and the products of a stage's slowest neurons, of the layers that `counts`.
  template <class Counts>
  LayerCost slowest_neurons(unsigned stage, const Counts& counts) const {
    LayerCost slowest;
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      const LayerPlan& where = replica_.layers[l];
      if (where.stage != stage || !counts(where)) continue;
      const LayerCost cost = layer(l, where.neurons_per_tile);
      slowest.step = std::max(slowest.step, cost.step);
      slowest.products = std::max(slowest.products, cost.products);
    }
    return slowest;
  }

  struct ArrivalCycles {
    std::uint64_t put, take;
  };

  ArrivalCycles arrival_cycles(std::size_t reader, std::size_t source, unsigned samples) const {
    const LayerSpec& layer = network_.layers[reader];
    const ListPlan& list = replica_.arrivals[reader][source];
    const std::size_t fired = network_.layers[NetworkSpec::firing(reader, source)].capacity;
    const std::size_t longest =
        std::min(list.padded_capacity, longest_list(double(list.usual(fired))));
    const unsigned words = u(bit_words(u(network_.source_size(reader, source))));
    return {
        cycles::put_spikes(samples, u(pad_capacity(fired)), short_ids_, layer.learns_axons(source)),
        cycles::take_spikes(samples, u(longest), words, layer.arrival_kinds(source), false,
                            short_ids_)};
  }

  // Entries of a list at a usual time step, for the slowest worker; of arrivals not all that may
  // come at once.
  unsigned entries_of(std::size_t l, std::size_t source) const {
    if (!network_.layers[l].late(source)) return mean_of(l, source);
    const std::size_t fired = network_.layers[NetworkSpec::firing(l, source)].capacity;
    return u(usual_arrivals(fired, ceil_div(replica_.batch(), kWorkers), network_.batch));
  }
  unsigned mean_of(std::size_t l, std::size_t source) const {
    if (l == 0 && source == 0) return u(network_.input_capacity);
    return u(network_.layers[NetworkSpec::firing(l, source)].capacity);
  }
  double id_bytes() const { return short_ids_ ? 2.0 : 4.0; }
  double bounds_bytes() const { return 4.0 * double(replica_.batch()) * (kWorkerRanges + 1); }
  double pattern_bytes(std::size_t l, std::size_t source) const {
    return 4.0 * pattern_groups(u(replica_.batch())) *
           pattern_words(u(network_.source_size(l, source)));
  }

  std::uint64_t summed_rows(const LayerSpec& layer, unsigned neurons, unsigned entries) const {
    if (layer.rows_ahead > 0) return cycles::sum_ahead(neurons, short_ids_, entries);
    return cycles::gather_rows(neurons, short_ids_, entries, layer.half_weights);
  }

  std::uint64_t spike_products(const LayerSpec& layer, unsigned batch, unsigned neurons,
                               unsigned entries) const {
    if (layer.rows_ahead > 0)
      return cycles::input_spike_grad_ahead(batch, entries, neurons, short_ids_);
    return cycles::input_spike_grad(batch, entries, neurons, short_ids_, layer.half_weights);
  }

  std::uint64_t readout_step(std::size_t l, unsigned neurons, unsigned entries,
                             bool half_rows) const {
    const LayerSpec& layer = network_.layers[l];
    const unsigned batch = u(replica_.batch());
    if (layer.rows_ahead > 0) return cycles::li_step_ahead(batch, entries, neurons, short_ids_);
    return cycles::li_step(batch, entries, neurons, short_ids_, half_rows) +
           (layer.steps_late() ? cycles::late_readout(batch) : 0);
  }

  std::uint64_t sparse_gradient(std::size_t l, std::size_t source, unsigned neurons,
                                bool biased) const {
    const unsigned batch = u(replica_.batch()), listed = mean_of(l, source);
    return network_.layers[l].rows_ahead > 0
               ? cycles::weight_grad_ahead(batch, listed, neurons, short_ids_, biased)
               : cycles::weight_grad(batch, listed, neurons, short_ids_, biased);
  }

  std::uint64_t dense_gradient(std::size_t l, std::size_t source, unsigned neurons,
                               bool biased) const {
    return cycles::pattern_grad(u(replica_.batch()), u(network_.source_size(l, source)), neurons,
                                biased);
  }

  // Sums to the rows dL/ds, and the workers' ranges of the next list, on other tiles where rows are
  // in parts.
  std::uint64_t scatter_cycles(const ListPlan& list, unsigned entries) const {
    const std::uint64_t ranges = cycles::list_ranges(u(list.most_samples()), entries, short_ids_);
    if (list.row_tiles.empty())
      return cycles::scatter_spike_grad(u(list.most_samples()), entries, 2) + ranges;
    const unsigned parts = u(list.row_tiles.front().size());
    return std::max(ranges, cycles::set_spike_grad(entries, parts, 2, short_ids_));
  }

  // Patterns from bits, which are computed while neurons step backward.
  double pattern_cycles(std::size_t l, std::size_t source) const {
    const ListPlan& list = replica_.list_of(l, source);
    const unsigned words = longest(pattern_ranges(list, network_.source_size(l, source)));
    return double(cycles::sample_patterns(u(replica_.batch()), words));
  }

  // The stage's reductions: bytes that a tile of a home receives, and the slowest worker's cycles.
  double reduction(unsigned stage, unsigned bucket) const {
    double compute = 0.0, bytes = 0.0;
    for (const Reduction& sum : reductions(network_, replica_, stage, bucket)) {
      const double tiles = double(replica_.layers[sum.layer].tiles);
      const auto rows = unsigned(std::ceil(tiles / double(sum.tile_ranges)));
      compute = std::max(compute, 6.0 * double(cycles::reduce_partials(rows, u(2 * sum.pairs))));
      bytes = std::max(bytes, 8.0 * double(sum.total) / double(sum.home.size()));
    }
    return compute + exchange(bytes);
  }

  const NetworkSpec& network_;
  const ReplicaPlan& replica_;
  const std::size_t replicas_;
  const bool short_ids_;
  const poplar::Target& target_;
  const double sync_, set_, sync_of_all_;  // over an IPU's tiles, with a compute set, over all
  const double bytes_per_cycle_;
};

}  // namespace

unsigned worthwhile_sizes(const NetworkSpec& network, const Plan& plan,
                          const poplar::Target& target, Direction direction) {
  const Cost cost(network, plan, plan.replicas.back(), target);
  double branches = 0.0;
  std::vector<double> sized(kMostSizes, 0.0);  // by bucket
  for (unsigned stage = 0; stage < plan.stages; ++stage) {
    const std::size_t lists = lists_read(network, plan.replicas[0], stage).size();
    if (lists == 0) continue;
    branches += cost.branch(direction, lists);
    for (unsigned bucket = 0; bucket < kMostSizes; ++bucket)
      sized[bucket] += cost.sized(stage, direction, bucket);
  }
  unsigned sizes = 1;
  while (sizes < kMostSizes && sized[sizes - 1] - sized[sizes] > 2.0 * branches) ++sizes;
  return sizes;
}

LayerCost layer_cost(const NetworkSpec& network, const Plan& plan, const ReplicaPlan& replica,
                     std::size_t l, std::size_t neurons, const poplar::Target& target) {
  return Cost(network, plan, replica, target).layer(l, neurons);
}

std::vector<GradientCost> gradient_costs(const NetworkSpec& network, const Plan& plan,
                                         std::size_t l, const poplar::Target& target) {
  const Cost cost(network, plan, plan.replicas.back(), target);
  std::vector<GradientCost> costs;
  for (std::size_t source = 0; source < network.layers[l].sources(); ++source)
    costs.push_back(cost.gradient(l, source));
  return costs;
}

std::size_t slowest_layer(const NetworkSpec& network, const Plan& plan,
                          const poplar::Target& target) {
  const ReplicaPlan& replica = plan.replicas.back();
  const Cost cost(network, plan, replica, target);
  std::size_t slowest = 0;
  double most = 0.0;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const double time = cost.layer(l, replica.layers[l].neurons_per_tile).products;
    if (time > most) slowest = l;
    most = std::max(most, time);
  }
  return slowest;
}

double step_cost(const NetworkSpec& network, const Plan& plan, const poplar::Target& target) {
  const ReplicaPlan& replica = plan.replicas.back();  // has the most samples if any has more
  const Cost cost(network, plan, replica, target);
  double total = 0.0, update = 0.0;
  for (unsigned stage = 0; stage < plan.stages; ++stage) {
    LayerCost slowest;
    std::vector<double> remote(target.getNumTiles());  // by tile: what is not of its neurons
    std::vector<LayerCost> costs;
    for (std::size_t l = 0; l < network.layers.size(); ++l) {
      const LayerPlan& layer = replica.layers[l];
      costs.push_back(cost.layer(l, layer.neurons_per_tile));
      if (layer.stage != stage || !layer.remote_partials(0)) continue;
      for (std::size_t tile : layer.partial_tiles) remote[tile] += costs[l].remote;
      const std::size_t copied = network.source_size(l, 0) * layer.neurons_per_tile;
      total +=
          cost.exchange(double(network.layers[l].weight_bytes() * copied)) / double(network.steps);
    }
    cost.add_parts(stage, remote);
    for (double partials : remote) slowest.products = std::max(slowest.products, partials);
    for (std::size_t l = 0; l < network.layers.size(); ++l) {
      const LayerPlan& layer = replica.layers[l];
      if (layer.stage != stage) continue;
      slowest.step = std::max(slowest.step, costs[l].step);
      slowest.grad = std::max(slowest.grad, costs[l].grad);
      slowest.sums = std::max(slowest.sums, costs[l].sums);
      update = std::max(update, costs[l].update);
      for (std::size_t tile = 0; tile < layer.tiles; ++tile)
        slowest.products =
            std::max(slowest.products, costs[l].products + remote[layer.first_tile + tile]);
    }
    total +=
        slowest.step + slowest.grad + slowest.sums + slowest.products + cost.stage_overhead(stage);
  }
  return total + update;
}

double usual_step_cost(const NetworkSpec& network, const Plan& plan, const poplar::Target& target) {
  const ReplicaPlan& replica = plan.replicas.back();
  const Cost cost(network, plan, replica, target);
  double total = step_cost(network, plan, target);
  for (unsigned stage = 0; stage < plan.stages; ++stage) {
    const std::vector<ReadList> lists = lists_read(network, replica, stage);
    if (std::any_of(lists.begin(), lists.end(),
                    [&](const ReadList& list) { return replica.late(list.reader, list.source); }))
      total += cost.usual(stage, plan);
    total += cost.longer_for_arrivals(stage);
  }
  return total;
}

}  // namespace popsnn
