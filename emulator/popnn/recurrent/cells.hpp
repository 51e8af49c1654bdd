// What LSTM and GRU cells share: options, shards, and units side by side in one matrix product.
#pragma once
#include <optional>
#include <popnn/NonLinearity.hpp>
#include <popnn/Rnn.hpp>
#include <utility>
#include <vector>

namespace poplin {
struct MatMulParams;
}

namespace popnn {
namespace cells {

// [U, R, C] as [R, U * C], and [R, U * C] as [U, R, C].
poplar::Tensor flattenUnits(const poplar::Tensor& t);
poplar::Tensor unflattenUnits(const poplar::Tensor& t, std::size_t units);

// [T, ...] as [U, T * B, C] of [T, U, B, C].
poplar::Tensor unitsOfAllSteps(const poplar::Tensor& t);

struct Options {
  poplar::Type partials = poplar::FLOAT;
  poplar::Type accumulators;  // of gradients of weights
  bool recompute = false;     // the plan of memory counts fewer intermediate results
  std::optional<int> shards;  // else as many as memory asks for
};

Options lstmOptions(const poplar::OptionFlags& options, const poplar::Type& dataType);
Options gruOptions(const poplar::OptionFlags& options, const poplar::Type& dataType);

void checkLayers(const rnn::RnnParams& params, const char* layer);

// How many shards keep sequences within a tenth of a tile's memory, or those of the option.
unsigned numShards(const poplar::Graph& graph, const rnn::RnnParams& params, const Options& options,
                   std::size_t intermediates, const char* layer);

// Throws where the pointer to the gradient of the input is not as the parameters say.
void checkInputGradient(const poplar::Tensor* gradient, bool wanted);

// Products that a fully connected layer is planned for.
std::vector<std::pair<poplin::MatMulParams, poplar::OptionFlags>> fullyConnected(
    const poplar::Type& type, std::size_t batch, std::size_t input, std::size_t output,
    const poplar::OptionFlags& options, bool inference_only);

// A sequence that steps update: zero where some steps may not run.
void clear(poplar::Graph& graph, const rnn::RnnParams& params, const poplar::Tensor& t,
           poplar::program::Sequence& prog, const poplar::DebugContext& dc);

// Keeps rows of `state` whose mask is 0, and updates the others.
void updateWhere(poplar::Graph& graph, const rnn::RnnBatchwiseFlags& flags,
                 const poplar::Tensor& state, const poplar::Tensor& update,
                 poplar::program::Sequence& prog, const poplar::DebugContext& dc);

}  // namespace cells
}  // namespace popnn
