// Transfers between tiles in a superstep.
#pragma once
#include <cstdint>
#include <vector>

#include "api/graph_data.hpp"

namespace poplar {
namespace emulator {

// Elements [begin, end) of a variable that one tile sends to another.
struct Transfer {
  uint32_t to, from;
  uint32_t var;
  bool rearranged;  // of an edge with a gather buffer, which they enter or leave
  bool read;        // of one that is also read, or only read
  size_t begin, end;
};

// The edges of a compute set that cross tiles, and what is copied on a tile.
struct EdgeTraffic {
  std::vector<Transfer> before;        // to tiles that read, before the vertices run
  std::vector<Transfer> after;         // from tiles that wrote, after they ran
  std::vector<size_t> gathered_bytes;  // [tile]: local ones of gather buffers
};
EdgeTraffic edgeTraffic(const GraphData& data, uint32_t compute_set);

// Sorts by receiver and address, and joins what a tile would receive twice.
void joinTransfers(std::vector<Transfer>& transfers);

struct ExchangeCost {
  uint64_t cycles = 0;                           // within IPUs, of the tile that takes longest
  uint64_t bytes = 0;                            // received by all tiles
  std::vector<uint64_t> ipu_received, ipu_sent;  // [ipu]: bytes from and to other IPUs
  bool global() const;
};

// Each element is sent once, however many tiles receive it. A tile receives all of `transfers`, or,
// where they serve edges, each element once.
ExchangeCost exchangeCost(const GraphData& data, std::vector<Transfer>& transfers, bool once);

}  // namespace emulator
}  // namespace poplar
