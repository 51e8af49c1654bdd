// Registers of tiles, of which the host build of codelets has none: what can be read back of them.
#include <poplar/CSRFunctions.hpp>
#include <poplar/RandomSeed.hpp>
#include <poplar/exceptions.hpp>

#include "api/access.hpp"
#include "api/graph_data.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void seeds(ArrayRef<size_t> expected, Type type, ArrayRef<size_t> shape) {
  throw poplar_error(text("setHwSeeds: expected unsigned int ", shapeText(expected), ", got ", type,
                          " ", shapeText(shape)));
}

}  // namespace

}  // namespace errors
}  // namespace emulator

using emulator::Access;
using emulator::GraphData;

namespace errors = emulator::errors;

namespace {

// Row i on tile i: {tiles} or {tiles, workers, 4}.
Tensor addPerTile(Graph& graph, ArrayRef<size_t> shape, const DebugContext& debugContext) {
  const Tensor t = graph.addVariable(UNSIGNED_INT, shape, debugContext);
  const size_t tiles = shape[0], row = tiles == 0 ? 0 : t.numElements() / tiles;
  Graph::TileToTensorMapping mapping(tiles);
  for (size_t i = 0; i < tiles; ++i) mapping[i].emplace_back(i * row, (i + 1) * row);
  graph.setTileMapping(t, mapping);
  return t;
}

std::vector<size_t> seedShape(const Target& target) {
  return {target.getNumTiles(), target.getNumWorkerContexts(), 4};
}

// The seeds of all tiles, a variable of the graph.
const Tensor& seedsOf(Graph& graph) {
  GraphData& data = *Access::data(graph);
  if (!data.hw_seeds.valid()) {
    Graph all = graph.getTopLevelGraph();
    data.hw_seeds = addPerTile(all, seedShape(all.getTarget()), "hwSeeds");
    all.setInitialValue(data.hw_seeds, 0u);
  }
  return data.hw_seeds;
}

// Those of the tiles of a virtual graph.
Tensor seedsOfTiles(Graph& graph) {
  const Tensor& seeds = seedsOf(graph);
  const std::vector<unsigned>* tiles = Access::tiles(graph);
  if (tiles == nullptr) return seeds;
  std::vector<Tensor> rows;
  for (unsigned tile : *tiles) rows.push_back(seeds.slice(tile, tile + 1));
  return concat(rows);
}

}  // namespace

Tensor getHwSeeds(Graph& graph, program::Sequence& prog, const DebugContext& debugContext) {
  const Tensor out = addPerTile(graph, seedShape(graph.getTarget()), debugContext);
  prog.add(program::Copy(seedsOfTiles(graph), out, false, debugContext));
  return out;
}

void setHwSeeds(Graph& graph, const Tensor& seeds, program::Sequence& prog,
                const DebugContext& debugContext) {
  const std::vector<size_t> expected = seedShape(graph.getTarget());
  if (seeds.shape() != expected || seeds.elementType() != UNSIGNED_INT) {
    errors::seeds(expected, seeds.elementType(), seeds.shape());
  }
  prog.add(program::Copy(seeds, seedsOfTiles(graph), false, debugContext));
}

void setFloatingPointBehaviour(Graph&, program::Sequence&, const FloatingPointBehaviour&,
                               const DebugContext&) {}

void setFloatingPointBehaviour(Graph&, program::Sequence&, const Tensor& behaviour,
                               const DebugContext&) {
  Access::view(behaviour, "setFloatingPointBehaviour");
}

Tensor getAndModifyFloatingPointBehaviour(Graph& graph, program::Sequence& prog,
                                          const FloatingPointBehaviour&,
                                          const FloatingPointBehaviour&,
                                          const DebugContext& debugContext) {
  const Tensor out = addPerTile(graph, {graph.getTarget().getNumTiles()}, debugContext);
  const Tensor zero = graph.addConstant(UNSIGNED_INT, {1}, 0u, debugContext);
  graph.setTileMapping(zero, 0);
  prog.add(program::Copy(zero.broadcast(static_cast<unsigned>(out.numElements()), 0), out, false,
                         debugContext));
  return out;
}

void setStochasticRounding(Graph&, program::Sequence&, bool, const DebugContext&) {}

}  // namespace poplar
