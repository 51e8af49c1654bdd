// Where a network lies on a device: tiles and sizes, decided before the graph is built.
#pragma once
#include <cstddef>
#include <vector>

#include <poplar/Target.hpp>

#include "popsnn/network.hpp"

namespace popsnn {

struct Range {
  std::size_t begin, end;
  std::size_t size() const { return end - begin; }
};

// A layer's neurons lie on consecutive tiles, `neurons_per_tile` on each and the rest on the last.
struct LayerPlan {
  std::size_t first_tile = 0;
  std::size_t tiles = 0;
  std::size_t neurons_per_tile = 0;
  std::size_t input_slots = 0;  // row length of the input's lists
  std::size_t slots = 0;        // row length of its own; 0 for a readout
  unsigned stage = 0;           // layers of a stage step in one compute set

  Range neurons(std::size_t tile, const LayerSpec& layer) const;  // of the layer's tile-th tile
};

// The samples whose lists are made and kept on one tile.
struct SampleRange {
  std::size_t tile;
  Range samples;
};

struct Plan {
  std::vector<LayerPlan> layers;
  std::vector<SampleRange> samples;
  std::size_t input_slots = 0;
  unsigned stages = 0;
  bool short_ids = false;  // 16-bit ids
};

// Entries of a list row: 16-bit rows fill whole words, which two workers may not share.
std::size_t row_slots(std::size_t capacity);

// Plans `network` for `target`; throws std::runtime_error where it does not fit, saying by how
// much.
Plan plan_network(const NetworkSpec& network, const poplar::Target& target);

}  // namespace popsnn
