#include "blocks.hpp"

#include <algorithm>
#include <poputil/OptionParsing.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

namespace poplin {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;
using Shape = std::vector<std::size_t>;

namespace {

constexpr std::uint64_t kWorkerEntry = 20;  // with the prologue and the exit
constexpr std::uint64_t kDivide = 8;        // with a square root where there is one

}  // namespace

BlockOptions::BlockOptions(const OptionFlags& options, std::size_t defaultSize,
                           const char* operation)
    : blockSize(defaultSize) {
  for (const auto& option : options) {
    if (option.first == "blockSize") {
      blockSize = poplibs::parse::asInteger<std::size_t>(option.second);
    } else {
      matMul.set(option.first, option.second);
    }
  }
  if (blockSize == 0) {
    throw poplibs_error(std::string(operation) + ": blockSize must be greater than zero, got 0");
  }
  matmulValidateOptions(matMul);
}

Shape groupedShape(const Shape& shape) {
  std::size_t groups = 1;
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) groups *= shape[i];
  return {groups, shape[shape.size() - 2], shape.back()};
}

void checkSquare(const Shape& shape) {
  if (shape.size() < 2) {
    throw poplibs_error("tensor A must have rank of 2 or higher, got " +
                        std::to_string(shape.size()));
  }
  if (shape[shape.size() - 2] != shape.back()) {
    throw poplibs_error("2 minor dimension of tensor A must have the same size, got " +
                        std::to_string(shape[shape.size() - 2]) + " and " +
                        std::to_string(shape.back()));
  }
}

void checkFloating(const Type& type, const char* operation) {
  if (type != FLOAT && type != HALF) {
    throw poplibs_error(std::string(operation) + ": expected a tensor of type float or half, got " +
                        type.toString());
  }
}

std::vector<Tensor> copyBlocks(Graph& graph, const Tensor& block, Sequence& prog,
                               const DebugContext& dc) {
  std::vector<Tensor> out;
  const unsigned tiles = graph.getTarget().getNumTiles();
  for (std::size_t g = 0; g < block.dim(0); ++g) {
    const Tensor flat = block[g].flatten();
    out.push_back(graph.addVariable(FLOAT, flat.shape(), dc));
    graph.setTileMapping(out.back(), static_cast<unsigned>(g % tiles));
    prog.add(Copy(flat, out.back(), false, dc));
  }
  return out;
}

void factorise(Graph& graph, const std::string& vertex, const std::vector<Tensor>& blocks,
               std::size_t n, Sequence& prog, const DebugContext& dc) {
  const ComputeSet cs = graph.addComputeSet(dc);
  const unsigned tiles = graph.getTarget().getNumTiles();
  for (std::size_t g = 0; g < blocks.size(); ++g) {
    const VertexRef v = graph.addVertex(cs, vertex, {{"a", blocks[g]}});
    graph.setInitialValue(v["n"], static_cast<unsigned>(n));
    graph.setTileMapping(v, static_cast<unsigned>(g % tiles));
    graph.setPerfEstimate(v, kWorkerEntry + n * kDivide + 2 * n * n * n / 3, 2 * n * n * n / 3);
  }
  prog.add(Execute(cs, dc));
}

Tensor substitute(Graph& graph, const std::vector<Tensor>& a, const Tensor& b, bool lower,
                  bool unitDiagonal, Sequence& prog, const DebugContext& dc) {
  const std::size_t n = b.dim(1), columns = b.dim(2), groups = b.dim(0);
  const unsigned tiles = graph.getTarget().getNumTiles(),
                 workers = graph.getTarget().getNumWorkerContexts();
  const Tensor x = graph.addVariable(FLOAT, {groups, columns, n}, {dc, "x"});
  const Tensor out = x.dimShuffle({0, 2, 1});
  const ComputeSet cs = graph.addComputeSet(dc);
  // As many tiles for each group as there are, and no fewer columns than workers on each.
  const std::size_t parts = std::max<std::size_t>(
      1, std::min<std::size_t>(tiles / std::max<std::size_t>(groups, 1), columns / workers));
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t i = 0; i < parts; ++i) {
      const Tensor rows = x[g].slice(columns * i / parts, columns * (i + 1) / parts).flatten();
      const unsigned tile = static_cast<unsigned>((g * parts + i) % tiles);
      graph.setTileMapping(rows, tile);
      if (rows.numElements() == 0) continue;
      const VertexRef v = graph.addVertex(
          cs, poputil::templateVertex("poplin::TriangularSolve", lower, unitDiagonal),
          {{"a", a[g]}, {"x", rows}});
      graph.setInitialValue(v["n"], static_cast<unsigned>(n));
      graph.setTileMapping(v, tile);
      const std::uint64_t turns = (rows.numElements() / n + workers - 1) / workers;
      graph.setPerfEstimate(v, workers * (kWorkerEntry + turns * n * (kDivide + n / 2)),
                            rows.numElements() * n);
    }
  }
  prog.add(Copy(b, out, false, dc));
  prog.add(Execute(cs, dc));
  return out;
}

}  // namespace poplin
