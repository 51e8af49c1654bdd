// Memory of a tile's code: of each vertex type that it has, of programs and exchanges, and stacks.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// Bytes of the package's codelets, by class ("WeightGrad"), or with the template arguments for
// which they have another size ("AdamUpdate<half>").
const std::map<std::string, std::size_t>& codelet_sizes();

// Bytes of a vertex type ("popsnn::WeightGrad<unsigned short>"). Throws std::out_of_range for a
// class that codelet_sizes() lacks.
std::size_t vertex_code_bytes(const std::string& type);

// The types of the package's vertices on each tile, each once, and the bytes of all code there.
struct TileCode {
  std::vector<std::vector<std::string>> types;  // by tile
  std::vector<std::size_t> bytes;               // by tile
};
TileCode tile_code(const NetworkSpec& network, const Plan& plan, std::size_t tiles);

}  // namespace popsnn
