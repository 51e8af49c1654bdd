#ifndef poprand_RandomGen_hpp
#define poprand_RandomGen_hpp

#include <cmath>
#include <cstdint>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poputil/exceptions.hpp>

namespace poprand {

// Numbers for the shape of `reference`, on its tiles. `seed` is {2} of unsigned int: seed, modifier
// and the index in the tensor determine a number, whatever the mapping. (On hardware the mapping
// does too.) A null seed uses the RNG state of the graph, which advances with each run; the
// modifier does not count then. Types of results are float and half; int where that is said. All
// throw poputil::poplibs_error where parameters, types or shapes do not fit.

/// In [minVal, maxVal); of ints, in [minVal, maxVal].
poplar::Tensor uniform(poplar::Graph& graph, const poplar::Tensor* seed, std::uint32_t seedModifier,
                       const poplar::Tensor& reference, const poplar::Type& outType, double minVal,
                       double maxVal, poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext = {});

/// Numbers whose logarithm is uniform between those of minVal >= 1 and maxVal; ints too.
poplar::Tensor logUniform(poplar::Graph& graph, const poplar::Tensor* seed,
                          std::uint32_t seedModifier, const poplar::Tensor& reference,
                          const poplar::Type& outType, double minVal, double maxVal,
                          poplar::program::Sequence& prog, double base = M_E,
                          const poplar::DebugContext& debugContext = {});

/// 1 with probability `prob`, else 0; ints too.
poplar::Tensor bernoulli(poplar::Graph& graph, const poplar::Tensor* seed,
                         std::uint32_t seedModifier, const poplar::Tensor& reference,
                         const poplar::Type& outType, double prob, poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext = {});

poplar::Tensor normal(poplar::Graph& graph, const poplar::Tensor* seed, std::uint32_t seedModifier,
                      const poplar::Tensor& reference, const poplar::Type& outType, double mean,
                      double stdDev, poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {});

/// Normal numbers, sampled again until they are within `alpha` standard deviations of the mean.
poplar::Tensor truncatedNormal(poplar::Graph& graph, const poplar::Tensor* seed,
                               std::uint32_t seedModifier, const poplar::Tensor& reference,
                               const poplar::Type& outType, double mean, double stdDev,
                               double alpha, poplar::program::Sequence& prog,
                               const poplar::DebugContext& debugContext = {});

/// `input` times `scale` with probability `keepProbability`, else 0. `reference` has its shape.
poplar::Tensor dropout(poplar::Graph& graph, const poplar::Tensor* seed,
                       const std::uint32_t seedModifier, const poplar::Tensor& input,
                       const poplar::Tensor& reference, double keepProbability, double scale,
                       poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext = {});
/// The result is laid out as the reference, or as the input.
poplar::Tensor dropout(poplar::Graph& graph, const poplar::Tensor* seed,
                       const std::uint32_t seedModifier, const poplar::Tensor& input,
                       const poplar::Tensor& reference, double keepProbability, double scale,
                       bool outputClonesRef, poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext = {});
/// One decision for each element of `reference`, whose shape broadcasts to that of `input`.
poplar::Tensor shapedDropout(poplar::Graph& graph, const poplar::Tensor* seed,
                             const std::uint32_t seedModifier, const poplar::Tensor& input,
                             const poplar::Tensor& reference, double keepProbability, double scale,
                             poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {});

/// Sets the generator of the graph: `masterSeed` is {2} of unsigned int.
void setSeed(poplar::Graph& graph, const poplar::Tensor& masterSeed, std::uint32_t seedModifier,
             poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

}  // namespace poprand

#endif  // poprand_RandomGen_hpp
