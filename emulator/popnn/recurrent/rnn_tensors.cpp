#include <algorithm>
#include <numeric>
#include <popnn/Rnn.hpp>
#include <poputil/exceptions.hpp>
#include <string>

namespace popnn {
namespace rnn {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;

namespace {

std::size_t ceilDivide(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// A tile takes whole runs of this many elements of a sample.
std::size_t grain(std::size_t size) { return std::gcd(std::size_t{16}, size); }

std::size_t grains(const RnnParams& p, std::size_t size) {
  return p.batchSize * (size / grain(size));
}

std::size_t bytesPerTile(const Graph& graph, const RnnParams& p, std::size_t size) {
  const Target& target = graph.getTarget();
  return ceilDivide(grains(p, size), target.getNumTiles()) * grain(size) *
         target.getTypeSize(p.dataType);
}

std::size_t tilesFor(const Graph& graph, const RnnParams& p, std::size_t size) {
  const std::size_t all = std::max<std::size_t>(grains(p, size), 1);
  return ceilDivide(all, ceilDivide(all, graph.getTarget().getNumTiles()));
}

std::size_t tilesPerShard(const Graph& graph, const RnnParams& p) {
  return std::max(tilesFor(graph, p, p.layerSizes.at(0)), tilesFor(graph, p, p.layerSizes.at(1)));
}

// [steps * multiple, B, size]. Every step of a shard lies alike, so that a step is on many tiles.
Tensor createSequence(Graph& graph, const RnnParams& p, std::size_t steps, std::size_t size,
                      std::size_t multiple, unsigned numShards, const DebugContext& dc) {
  if (numShards == 0) throw poplibs_error("popnn::rnn: expected a shard at least, got 0");
  const Tensor t = graph.addVariable(p.dataType, {steps * multiple, p.batchSize, size}, dc);
  if (t.numElements() == 0) return t;
  const std::size_t tiles = graph.getTarget().getNumTiles(), each = grain(size);
  const Tensor rows = t.reshape({steps * multiple, t.dim(1) * size / each, each});
  const std::size_t per_tile = ceilDivide(rows.dim(1), tiles),
                    used = ceilDivide(rows.dim(1), per_tile), apart = tiles / used,
                    length = ceilDivide(steps, numShards);
  for (std::size_t shard = 0; shard * length < steps; ++shard) {
    const Tensor rows_of_shard =
        rows.slice(shard * length * multiple, std::min((shard + 1) * length, steps) * multiple, 0);
    for (std::size_t i = 0; i < used; ++i) {
      graph.setTileMapping(
          rows_of_shard.slice(i * per_tile, std::min((i + 1) * per_tile, rows.dim(1)), 1),
          static_cast<unsigned>((i * apart + shard % apart) % tiles));
    }
  }
  return t;
}

}  // namespace

RnnParams::RnnParams(Type dataType_, std::size_t batchSize_, std::size_t timeSteps_,
                     std::vector<std::size_t> layerSizes_)
    : RnnParams(dataType_, batchSize_, timeSteps_, Tensor(), std::move(layerSizes_)) {}

RnnParams::RnnParams(Type dataType_, std::size_t batchSize_, std::size_t maxTimeSteps_,
                     const Tensor& varTimeSteps_, std::vector<std::size_t> layerSizes_)
    : dataType(dataType_),
      batchSize(batchSize_),
      maxTimeSteps(maxTimeSteps_),
      timeSteps(maxTimeSteps_),
      varTimeSteps(varTimeSteps_),
      layerSizes(std::move(layerSizes_)) {
  if (!varTimeSteps.valid()) return;
  if (varTimeSteps.rank() != 1) {
    throw poplibs_error("Invalid RNN timeSteps tensor (rank != 1)");
  }
  if (varTimeSteps.dim(0) != 1 && varTimeSteps.dim(0) != batchSize) {
    throw poplibs_error("Invalid RNN timeSteps tensor (size != batchSize) && (size != 1)");
  }
}

std::size_t RnnParams::getMaxShards(const Graph& graph) const {
  const std::size_t most = graph.getTarget().getNumTiles() / tilesPerShard(graph, *this);
  return ceilDivide(maxTimeSteps, ceilDivide(maxTimeSteps, most));
}

std::size_t RnnParams::getInputBytesPerTile(const Graph& graph) const {
  return bytesPerTile(graph, *this, layerSizes.at(0));
}

std::size_t RnnParams::getOutputBytesPerTile(const Graph& graph) const {
  return bytesPerTile(graph, *this, layerSizes.at(1));
}

bool RnnParams::variableTimeSteps() const { return varTimeSteps.valid(); }

bool RnnParams::batchVariableTimeSteps() const {
  return varTimeSteps.valid() && varTimeSteps.numElements() > 1;
}

Tensor createInitialState(Graph& graph, const RnnParams& params, bool isOutput, unsigned multiple,
                          unsigned numShards, const DebugContext& debugContext) {
  return createSequence(graph, params, 1, params.layerSizes.at(isOutput), multiple, numShards,
                        {debugContext, "initialState"});
}

Tensor createRecurrentTensor(Graph& graph, const RnnParams& params, unsigned size,
                             unsigned numShards, const DebugContext& debugContext) {
  return createSequence(graph, params, params.maxTimeSteps, size, 1, numShards,
                        {debugContext, "recurrent"});
}

Tensor createInputTensor(Graph& graph, const RnnParams& params, unsigned numShards,
                         const DebugContext& debugContext) {
  return createSequence(graph, params, params.maxTimeSteps, params.layerSizes.at(0), 1, numShards,
                        {debugContext, "input"});
}

Tensor createOutputTensor(Graph& graph, const RnnParams& params, unsigned numShards,
                          const DebugContext& debugContext) {
  return createOutputTensor(graph, params, 1, numShards, debugContext);
}

Tensor createOutputTensor(Graph& graph, const RnnParams& params, unsigned multiple,
                          unsigned numShards, const DebugContext& debugContext) {
  return createSequence(graph, params, params.maxTimeSteps, params.layerSizes.at(1), multiple,
                        numShards, {debugContext, "output"});
}

Tensor shiftRnnTensor(Graph& graph, const RnnParams& params, const Tensor& tBase,
                      const Tensor& tSingle, Sequence& prog, unsigned,
                      const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "shifted");
  if (params.maxTimeSteps == 0 || tBase.dim(0) % params.maxTimeSteps != 0) {
    throw poplibs_error("shiftRnnTensor: expected a multiple of " +
                        std::to_string(params.maxTimeSteps) + " steps, got " +
                        tBase.shapeToString());
  }
  const std::size_t multiple = tBase.dim(0) / params.maxTimeSteps;
  const Tensor out = graph.clone(tBase, dc);
  prog.add(Copy(tSingle.flatten(), out.slice(0, multiple, 0).flatten(), false, dc));
  prog.add(Copy(tBase.slice(0, tBase.dim(0) - multiple, 0), out.slice(multiple, tBase.dim(0), 0),
                false, dc));
  return out;
}

}  // namespace rnn
}  // namespace popnn
