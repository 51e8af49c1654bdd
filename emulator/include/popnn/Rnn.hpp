#ifndef popnn_Rnn_hpp
#define popnn_Rnn_hpp

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poputil/DebugInfo.hpp>
#include <vector>

namespace popnn {
namespace rnn {

/// `maxTimeSteps` steps of `batchSize` samples, or as many as `varTimeSteps` says when the program
/// runs: one number for all samples, or one for each.
struct RnnParams {
  poplar::Type dataType;
  std::size_t batchSize;
  std::size_t maxTimeSteps;
  std::size_t timeSteps;  // the same, by its earlier name
  poplar::Tensor varTimeSteps;
  std::vector<std::size_t> layerSizes;  // input, output

  RnnParams(poplar::Type dataType, std::size_t batchSize, std::size_t timeSteps,
            std::vector<std::size_t> layerSizes);
  RnnParams(poplar::Type dataType, std::size_t batchSize, std::size_t maxTimeSteps,
            const poplar::Tensor& varTimeSteps, std::vector<std::size_t> layerSizes);

  std::size_t getMaxShards(const poplar::Graph& graph) const;
  std::size_t getInputBytesPerTile(const poplar::Graph& graph) const;
  std::size_t getOutputBytesPerTile(const poplar::Graph& graph) const;
  bool variableTimeSteps() const;
  bool batchVariableTimeSteps() const;
};

/// A state [multiple, B, size] of the input's or the output's size.
poplar::Tensor createInitialState(poplar::Graph& graph, const RnnParams& params, bool isOutput,
                                  unsigned multiple, unsigned numShards,
                                  const poplar::DebugContext& debugContext = {});

// Sequences [T, B, size]: ranges of the steps, one for each shard, lie on tiles of their own.
poplar::Tensor createRecurrentTensor(poplar::Graph& graph, const RnnParams& params, unsigned size,
                                     unsigned numShards,
                                     const poplar::DebugContext& debugContext = {});
poplar::Tensor createInputTensor(poplar::Graph& graph, const RnnParams& params, unsigned numShards,
                                 const poplar::DebugContext& debugContext = {});
poplar::Tensor createOutputTensor(poplar::Graph& graph, const RnnParams& params, unsigned numShards,
                                  const poplar::DebugContext& debugContext = {});
/// [multiple * T, B, output size]
poplar::Tensor createOutputTensor(poplar::Graph& graph, const RnnParams& params, unsigned multiple,
                                  unsigned numShards,
                                  const poplar::DebugContext& debugContext = {});

/// The sequence `tBase` one step later, with `tSingle` as the first.
poplar::Tensor shiftRnnTensor(poplar::Graph& graph, const RnnParams& params,
                              const poplar::Tensor& tBase, const poplar::Tensor& tSingle,
                              poplar::program::Sequence& prog, unsigned numShards,
                              const poplar::DebugContext& debugContext = {});

/// What one step reads and writes.
struct RnnSlice {
  std::vector<poplar::Tensor> inputs;
  poplar::Tensor interimIn;
  poplar::Tensor interimOut;
  std::vector<poplar::Tensor> outputs;
};

/// Of the data type, [B]: 1 where a sample has this step, and 1 where it does not. Invalid unless
/// samples have numbers of steps of their own.
struct RnnBatchwiseFlags {
  poplar::Tensor mask;
  poplar::Tensor inverse;

  bool valid() const { return mask.valid(); }
};

struct TimeStepState {
  poplar::Tensor begin;            // the first step of the shard
  poplar::Tensor counter;          // the step, from there
  poplar::Tensor variableSeqFlag;  // whether a sample has ended, where numbers of steps vary
};

/// The program of a step. It is called for each shard, and with the sequence that runs before all
/// steps for the first one alone; it may change the states and must set the created outputs.
using LoopBodyType = std::function<poplar::program::Sequence(
    poplar::Graph& graph, const TimeStepState& time, const RnnBatchwiseFlags&,
    std::vector<poplar::Tensor>&, const RnnSlice& slice, std::vector<poplar::Tensor>&,
    poplar::program::Sequence*, const poplar::DebugNameAndId&)>;

/// The program that takes the intermediate results of `stepsPerGather` steps.
using GatherBodyType = std::function<poplar::program::Sequence(
    poplar::Graph& graph, const RnnSlice& slice, unsigned stepsPerGather,
    poplar::program::Sequence*, const poplar::DebugNameAndId&)>;

/// Where the state of every step is stored, if anywhere.
struct StateSequence {
  poplar::Tensor output;
  std::size_t stateIndex;
};

/// Runs a cell over all steps, in reverse order where asked; returns the last states.
std::vector<poplar::Tensor> Rnn(poplar::Graph& graph, const RnnParams& params, bool reverse,
                                const std::vector<poplar::Tensor>& initState,
                                const StateSequence& stateSequence,
                                const std::vector<poplar::Tensor>& inputs,
                                const poplar::Tensor* interimIn, poplar::Tensor* interimOut,
                                const std::vector<poplar::Tensor>& outputs,
                                const std::vector<poplar::Tensor>& created,
                                poplar::program::Sequence& prog, const LoopBodyType& loopFn,
                                unsigned numShards, poplar::OptionFlags& options,
                                const poplar::DebugContext& debugContext = {});

/// Runs a cell over all steps in reverse order; every `stepsPerGather` steps `gatherFn` has the
/// `numTemps` intermediate results of each of them, and the same steps of `gatherInputs`.
std::vector<poplar::Tensor> Rnn(
    poplar::Graph& graph, const RnnParams& params, const std::vector<poplar::Tensor>& initState,
    const StateSequence& stateSequence, const std::vector<poplar::Tensor>& inputs,
    const poplar::Tensor& interimIn, const unsigned numTemps, poplar::program::Sequence& prog,
    const LoopBodyType& loopFn, const std::vector<poplar::Tensor>& gatherInputs,
    const GatherBodyType& gatherFn, unsigned numShards, unsigned stepsPerGather,
    poplar::OptionFlags& options, const poplar::DebugContext& debugContext = {});

}  // namespace rnn
}  // namespace popnn

#endif  // popnn_Rnn_hpp
