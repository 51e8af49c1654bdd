#ifndef popops_GatherStatistics_hpp
#define popops_GatherStatistics_hpp

#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>

namespace popops {

/// How many elements of `input` lie between the ascending `levels` [L]: [L + 1] of unsigned int (of
/// float with the option useFloatArithmetic). Count 0 is of those below levels[0], count i of those
/// from levels[i - 1] on and below levels[i].
poplar::Tensor histogram(poplar::Graph& graph, const poplar::Tensor& input,
                         const poplar::Tensor& levels, bool absoluteOfInput,
                         poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext = {},
                         const poplar::OptionFlags& options = {});
/// Writes the counts to `output`, or adds them.
void histogram(poplar::Graph& graph, const poplar::Tensor& input, poplar::Tensor& output,
               bool updateOutput, const poplar::Tensor& levels, bool absoluteOfInput,
               poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
               const poplar::OptionFlags& options = {});

}  // namespace popops

#endif  // popops_GatherStatistics_hpp
