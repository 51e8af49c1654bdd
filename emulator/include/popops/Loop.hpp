#ifndef popops_Loop_hpp
#define popops_Loop_hpp

#include <functional>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace popops {

/// Makes the body of a loop, given the counter: {1} of unsigned int.
typedef std::function<poplar::program::Program(const poplar::Tensor&)> CountedLoopBodyType;

/// Runs the body for the counter at begin, begin + step, ... below end. Throws poplibs_error for a
/// step of 0 and where there is nothing to run.
poplar::program::Sequence countedLoop(poplar::Graph& graph, std::size_t begin, std::size_t end,
                                      std::size_t step, const CountedLoopBodyType& body,
                                      const poplar::DebugContext& debugContext = {});
poplar::program::Sequence countedLoop(poplar::Graph& graph, std::size_t count,
                                      const CountedLoopBodyType& body,
                                      const poplar::DebugContext& debugContext = {});

/// Appends to `prog` what adds `countStep` to `count`; the result is true (an unsigned int of 1)
/// until `count` equals `countLimit`.
poplar::Tensor addForLoopCounterVertex(poplar::Graph& graph, const poplar::Tensor& count,
                                       const poplar::Tensor& countLimit, int countStep,
                                       unsigned tile, poplar::program::Sequence& prog,
                                       const poplar::DebugContext& debugContext);

/// Runs `body` for `count` at initialCount, initialCount + countStep, ... until it equals the
/// limit, which is known on the device only: int or unsigned int, as `count`.
poplar::program::Sequence countedForLoop(poplar::Graph& graph, const poplar::Tensor& count,
                                         int initialCount, const poplar::Tensor& countLimit,
                                         int countStep, const poplar::program::Program& body,
                                         const poplar::DebugContext& debugContext = {});
poplar::program::Sequence countedForLoop(poplar::Graph& graph, int initialCount,
                                         const poplar::Tensor& countLimit, int countStep,
                                         const poplar::program::Program& body,
                                         const poplar::DebugContext& debugContext = {});

}  // namespace popops

#endif  // popops_Loop_hpp
