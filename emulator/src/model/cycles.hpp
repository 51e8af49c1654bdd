// The cost of a step of a program on the modelled device.
#pragma once
#include <cstdint>
#include <vector>

#include "api/graph_data.hpp"
#include "model/cycles_exchange.hpp"
#include "model/cycles_step.hpp"

namespace poplar {
namespace emulator {

class CycleModel {
 public:
  explicit CycleModel(const GraphData& data);

  // Throws missing_perf_estimate, unless the target is a device that would measure.
  StepCost computeSet(uint32_t compute_set);
  StepCost copy(const View& source, const View& destination) const;
  // Between a tensor and a stream, or whatever else lies outside of the IPUs.
  StepCost stream(const View& view, double bytes_per_second) const;
  // The transfer of a predicate to all tiles.
  StepCost branch() const;

 private:
  void addEstimates(uint32_t compute_set, StepCost& cost, std::vector<uint64_t>& tile_cycles);
  void addExchange(std::vector<Transfer>& transfers, bool once, StepCost& cost) const;
  VertexPerfEstimate missing(uint32_t compute_set, const VertexGroup& group, StepCost& cost) const;
  uint64_t memcpyCycles(size_t bytes) const;

  const GraphData& data_;
  // [group]: vertices for which setPerfEstimate was called, in order.
  std::vector<std::vector<std::pair<uint32_t, PerfEstimate>>> estimates_;
};

}  // namespace emulator
}  // namespace poplar
