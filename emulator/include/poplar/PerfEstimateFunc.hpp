#ifndef poplar_PerfEstimateFunc_hpp
#define poplar_PerfEstimateFunc_hpp

#include <cstdint>
#include <functional>

namespace poplar {

class Target;
class VertexIntrospector;

/// The cost of a run of a vertex. Cycles are those of its worker thread for a Vertex, and those of
/// the tile for a MultiVertex or a SupervisorVertex.
struct VertexPerfEstimate {
  VertexPerfEstimate(std::uint64_t cycles = 0, std::uint64_t flops = 0)
      : cycles(cycles), flops(flops) {}
  std::uint64_t cycles;
  std::uint64_t flops;
};

/// Estimates the vertices of a type from the sizes and values of their fields.
typedef std::function<VertexPerfEstimate(const VertexIntrospector&, const Target&)>
    PerfEstimateFunc;

}  // namespace poplar

#endif  // poplar_PerfEstimateFunc_hpp
