// The intermediate results of a GRU's passes, [T, kind, B, output size], and weights in the order
// of BasicGruCellUnit.
#pragma once
#include <popnn/Gru.hpp>

#include "cells.hpp"

namespace popnn {
namespace gru {

enum Saved { RESET_GATE, UPDATE_GATE, CANDIDATE, OUTPUT };  // where it has no full sequence

// Where the recurrence of the candidate is, before the reset gate acts on it.
inline unsigned savedRecurrence(const GruParams& params) {
  return params.outputFullSequence ? OUTPUT : OUTPUT + 1;
}
inline unsigned savedKinds(const GruParams& params) {
  return savedRecurrence(params) + (params.resetAfter ? 1 : 0);
}

inline unsigned shardsOf(const poplar::Graph& graph, const GruParams& params,
                         const poplar::OptionFlags& options) {
  return cells::numShards(graph, params.rnn, cells::gruOptions(options, params.rnn.dataType),
                          savedKinds(params), "GRU");
}

poplar::Tensor toCellOrder(const poplar::Tensor& t, const GruParams& params);
poplar::Tensor fromCellOrder(const poplar::Tensor& t, const GruParams& params);
GruWeights toCellOrder(const GruWeights& weights, const GruParams& params);
GruWeights fromCellOrder(const GruWeights& weights, const GruParams& params);

// [B, T] as a sequence [T, B, 1].
inline poplar::Tensor attentionSequence(const poplar::Tensor& t) {
  return t.valid() ? t.transpose().expand({2}) : t;
}

// The parameters with numbers of steps that vary; throws where they do already.
GruParams withTimeSteps(const GruParams& params, const poplar::Tensor& realTimeSteps);

}  // namespace gru
}  // namespace popnn
