// The intermediate results of an LSTM's passes, [T, kind, B, output size].
#pragma once
#include <popnn/Lstm.hpp>

#include "cells.hpp"

namespace popnn {
namespace lstm {

enum Saved {
  FORGET_GATE,
  INPUT_GATE,
  CANDIDATE,
  OUTPUT_GATE,
  ACTIVATED_CELL,  // what the output gate is multiplied with
  PREVIOUS_CELL,
  OUTPUT  // where the output has no full sequence
};

inline unsigned savedKinds(const LstmParams& params) {
  return params.outputFullSequence ? OUTPUT : OUTPUT + 1;
}

inline cells::Options optionsOf(const LstmParams& params, const poplar::OptionFlags& options) {
  return cells::lstmOptions(options, params.rnn.dataType);
}

inline unsigned shardsOf(const poplar::Graph& graph, const LstmParams& params,
                         const cells::Options& options) {
  const unsigned kinds = savedKinds(params);
  return cells::numShards(graph, params.rnn, options, options.recompute ? kinds - 2 : kinds,
                          "LSTM");
}

}  // namespace lstm
}  // namespace popnn
