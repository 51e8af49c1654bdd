#include "forward_lists.hpp"

#include <algorithm>
#include <string>

#include <poputil/VertexTemplates.hpp>

#include "build/code/code_counter.hpp"
#include "build/vertex.hpp"
#include "common/late_list.hpp"
#include "plan/masks.hpp"

namespace popsnn {

using poplar::ComputeSet;
using poplar::Tensor;

bool ForwardLists::add_lists(ComputeSet scan, ComputeSet merge, unsigned stage) {
  bool any = false;
  for (std::size_t l : layers_of(stage)) {
    if (!spikes(l)) continue;
    const MaskBlocks blocks = add_mask_blocks(l);
    add_scan(scan, l, blocks);
    add_merge(merge, l, blocks);
    any = true;
  }
  return any;
}

ForwardLists::MaskBlocks ForwardLists::add_mask_blocks(std::size_t l) {
  MaskBlocks blocks;
  const ListPlan& list = where_.lists[l];
  const std::size_t batch = where_.batch();
  blocks.count =
      mask_blocks(network_, where_, l, id_type_ == poplar::UNSIGNED_SHORT, graph_.getTarget());
  blocks.capacity = block_capacity(network_.layers[l], where_.layers[l], blocks.count);
  const std::string name = "layer" + std::to_string(l) + "/mask_block";
  blocks.ids =
      graph_.addVariable(poplar::UNSIGNED_INT, {batch, blocks.count, blocks.capacity}, name);
  blocks.counts =
      graph_.addVariable(poplar::UNSIGNED_INT, {batch, blocks.count, kMaskKinds}, name + "_counts");
  for (const Late& late : late_sources())
    if (NetworkSpec::firing(late.layer, late.source) == l) blocks.readers.push_back(late);
  const LateReaders readers = late_readers(network_, l);
  blocks.undelayed_capacity = undelayed_capacity(readers, blocks.capacity);
  blocks.usual_at_once = readers.usual_at_once;
  for (std::size_t reader = 0; reader < blocks.readers.size(); ++reader)
    blocks.undelayed_ids.push_back(
        graph_.addVariable(poplar::UNSIGNED_INT, {batch, blocks.count, blocks.undelayed_capacity},
                           name + "_undelayed_ids" + std::to_string(reader)));
  if (!blocks.readers.empty())
    blocks.undelayed = graph_.addVariable(poplar::UNSIGNED_INT, {batch, blocks.count, kMostReaders},
                                          name + "_undelayed");
  for (std::size_t b = 0; b < batch; ++b)
    for (std::size_t block = 0; block < blocks.count; ++block) {
      const unsigned tile = unsigned(block_tile(list.scan_tiles[b], block));
      graph_.setTileMapping(blocks.ids[b][block], tile);
      graph_.setTileMapping(blocks.counts[b][block], tile);
      for (const Tensor& ids : blocks.undelayed_ids) graph_.setTileMapping(ids[b][block], tile);
      if (!blocks.readers.empty()) graph_.setTileMapping(blocks.undelayed[b][block], tile);
    }
  return blocks;
}

void ForwardLists::add_scan(ComputeSet compute_set, std::size_t l, const MaskBlocks& blocks) {
  const LayerPlan& layer = where_.layers[l];
  const MaskLayout layout = mask_layout(layer, where_.batch());
  for (std::size_t b = 0; b < where_.batch(); ++b) {
    const Tensor masks = tensors_.layers[l].masks.slice(b / layout.samples_per_row,
                                                        b / layout.samples_per_row + 1, 1);
    for (std::size_t block = 0; block < blocks.count; ++block) {
      const Range tiles = subrange({0, layer.tiles}, block, blocks.count);
      std::vector<Edge> edges = {{"masks", masks.slice(tiles.begin, tiles.end)},
                                 {"ids", blocks.ids[b][block]},
                                 {"counts", blocks.counts[b][block]}};
      std::vector<State> state = {{"tiles", tiles.size()},
                                  {"words", layout.words},
                                  {"bits", layout.bits},
                                  {"shift", 2 * layout.bits * (b % layout.samples_per_row)},
                                  {"first_neuron", tiles.begin * layer.neurons_per_tile},
                                  {"neurons_per_tile", layer.neurons_per_tile},
                                  {"block_capacity", blocks.capacity}};
      const std::size_t tile = block_tile(where_.lists[l].scan_tiles[b], block);
      if (blocks.readers.empty()) {
        add_vertex(graph_, compute_set, "popsnn::ScanMasks", tile, edges, state);
        continue;
      }
      Rows delays = {"delays", {}}, undelayed_ids = {"undelayed_ids", {}};
      for (std::size_t reader = 0; reader < blocks.readers.size(); ++reader) {
        const Late& late = blocks.readers[reader];
        const Tensor& all = tensors_.layers[late.layer].arrivals[late.source].fired_delays;
        const std::size_t size = network_.layers[l].neurons;
        delays.tensors.push_back(all[range_of(where_.lists[l], b)].slice(
            std::min(size, tiles.begin * layer.neurons_per_tile),
            std::min(size, tiles.end * layer.neurons_per_tile)));
        undelayed_ids.tensors.push_back(blocks.undelayed_ids[reader][b][block]);
      }
      edges.push_back({"undelayed", blocks.undelayed[b][block]});
      state.push_back({"usual_at_once", ceil_div(blocks.usual_at_once, blocks.count)});
      add_vertex(graph_, compute_set, "popsnn::ScanLateMasks", tile, edges, state,
                 {delays, undelayed_ids});
    }
  }
}

void ForwardLists::add_merge(ComputeSet compute_set, std::size_t l, const MaskBlocks& blocks) {
  const LayerSpec& layer = network_.layers[l];
  const LayerTensors& t = tensors_.layers[l];
  const std::string type = poputil::templateVertex("popsnn::MergeLists", id_type_);
  const std::vector<SampleRange>& ranges = where_.lists[l].ranges;
  for (std::size_t i = 0; i < ranges.size(); ++i)
    for (std::size_t b = ranges[i].samples.begin; b < ranges[i].samples.end; ++b) {
      Rows delays = {"delays", {}, poplar::UNSIGNED_INT};
      Rows undelayed_ids = {"undelayed_ids", {}, poplar::UNSIGNED_INT};
      Rows undelayed = {"undelayed", {}, poplar::UNSIGNED_INT};
      Rows at_once = {"at_once", {}, id_type_};
      Rows at_once_counts = {"at_once_counts", {}, poplar::UNSIGNED_INT};
      if (!blocks.readers.empty()) undelayed.tensors.push_back(blocks.undelayed[b]);
      for (std::size_t reader = 0; reader < blocks.readers.size(); ++reader) {
        const Late& late = blocks.readers[reader];
        const Arrivals& arrivals = tensors_.layers[late.layer].arrivals[late.source];
        delays.tensors.push_back(arrivals.fired_delays[i]);
        undelayed_ids.tensors.push_back(blocks.undelayed_ids[reader][b]);
        at_once.tensors.push_back(arrivals.at_once[b]);
        at_once_counts.tensors.push_back(arrivals.at_once_counts[b]);
      }
      add_vertex(graph_, compute_set, type, ranges[i].tile,
                 {{"block_ids", blocks.ids[b]},
                  {"block_counts", blocks.counts[b]},
                  {"sequence", shared_.sequence},
                  {"step", shared_.list_step},
                  {"ids", t.lists.ids[b]},
                  {"counts", t.lists.counts[b]},
                  {"window", t.window[b]},
                  {"ids_history", t.lists.ids_history[b]},
                  {"counts_history", t.lists.counts_history[b]},
                  {"window_history", t.window_history[b]},
                  {"drop_history", t.drop_history[b]}},
                 {{"readers", delays.tensors.size()},
                  {"blocks", blocks.count},
                  {"block_capacity", blocks.capacity},
                  {"undelayed_capacity", blocks.undelayed_capacity},
                  {"padded_capacity", where_.lists[l].padded_capacity},
                  {"capacity", layer.capacity},
                  {"sample", where_.samples.begin + b},
                  {"layer", l},
                  {"layer_size", layer.neurons},
                  {"usual_at_once", blocks.usual_at_once}},
                 {delays, undelayed_ids, undelayed, at_once, at_once_counts});
    }
}

void count_forward_list_code(CodeCounter& code, const ReplicaPlan& replica, std::size_t l) {
  code.add(replica.lists[l], {code.by_id("MergeLists")});
  for (const Range& tiles : replica.lists[l].scan_tiles)
    for (std::size_t tile = tiles.begin; tile < tiles.end; ++tile)
      code.add(tile, {replica.read_late(code.network(), l) ? "popsnn::ScanLateMasks"
                                                           : "popsnn::ScanMasks"});
}

}  // namespace popsnn
