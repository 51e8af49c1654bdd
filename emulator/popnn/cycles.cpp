#include "cycles.hpp"

#include <poputil/cyclesTables.hpp>

namespace popnn {

namespace {

using namespace poplar;

constexpr std::uint64_t kEntry = 20, kRow = 5;

std::uint64_t vectors(std::size_t elements, const Type& type, const Target& target) {
  const std::size_t width = target.getVectorWidth(type);
  return (elements + width - 1) / width;
}

// A load and an operation for each vector of the rows of a field.
std::uint64_t rows(const VertexIntrospector& vertex, const char* name, const Type& type,
                   const Target& target) {
  const FieldInfo field = vertex.getFieldInfo(name);
  std::uint64_t cycles = 0;
  for (std::size_t i = 0; i < field.size(); ++i) {
    cycles += kRow + 2 * vectors(field[i].size(), type, target);
  }
  return cycles;
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(Pool)(const VertexIntrospector& vertex,
                                                  const Target& target, const Type& type, bool) {
  return kEntry + rows(vertex, "in", type, target) + rows(vertex, "out", type, target);
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(MaxPoolScale)(const VertexIntrospector& vertex,
                                                          const Target& target, const Type& type) {
  return kEntry + rows(vertex, "in", type, target) + rows(vertex, "gradients", type, target) +
         rows(vertex, "out", type, target);
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(MaxPoolGradient)(const VertexIntrospector& vertex,
                                                             const Target& target,
                                                             const Type& type) {
  return kEntry + rows(vertex, "pooled", type, target) + rows(vertex, "gradients", type, target) +
         rows(vertex, "out", type, target);
}

// Four multiplications and additions for each sample of each bin.
std::uint64_t samples(const VertexIntrospector& vertex, const Target& target, std::size_t regions) {
  CODELET_SCALAR_VAL(bins_high, unsigned);
  CODELET_SCALAR_VAL(bins_wide, unsigned);
  CODELET_SCALAR_VAL(samples, unsigned);
  const std::uint64_t each = std::uint64_t{bins_high} * bins_wide * samples * samples;
  return kEntry + regions * (kRow + 24 * each);
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(RoiAlign)(const VertexIntrospector& vertex,
                                                      const Target& target, const Type&) {
  return samples(vertex, target, vertex.getFieldInfo("out").size());
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(RoiAlignGradient)(const VertexIntrospector& vertex,
                                                              const Target& target, const Type&) {
  const std::size_t planes = vertex.getFieldInfo("out").size();
  return samples(vertex, target, planes * vertex.getFieldInfo("images").size());
}

// Three logarithms of sums for each place of each step, forwards and backwards.
VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(CtcLoss)(const VertexIntrospector& vertex,
                                                     const Target&, const Type&, const Type&) {
  const std::uint64_t places = vertex.getFieldInfo("alphas").size();
  const std::uint64_t gradients = vertex.getFieldInfo("gradient").size();
  return kEntry + 60 * places * (gradients == 0 ? 1 : 2) + 3 * gradients;
}

// A load, a comparison and a branch for each element.
std::uint64_t compared(std::size_t elements) { return 3 * elements; }

// The worker with the most groups of elements.
std::uint64_t groups(const VertexIntrospector& vertex, const Target& target) {
  CODELET_SCALAR_VAL(size, unsigned);
  CODELET_SCALAR_VAL(workerSize, unsigned);
  const std::uint64_t count =
      workerSize == 0 ? 0 : (std::uint64_t{size} + workerSize - 1) / workerSize;
  return kEntry + (count + 5) / 6 * (kRow + compared(workerSize));
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(ReduceMaxClassSparse)(const VertexIntrospector& vertex,
                                                                  const Target&, const Type&,
                                                                  const Type&) {
  return kEntry + compared(vertex.getFieldInfo("activations").size());
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(ReduceMaxClassGather)(const VertexIntrospector& vertex,
                                                                  const Target& target, const Type&,
                                                                  const Type&) {
  return groups(vertex, target);
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(ReduceMinClassSparse)(const VertexIntrospector& vertex,
                                                                  const Target&, const Type&,
                                                                  const Type&) {
  return kEntry + compared(vertex.getFieldInfo("activations").size());
}

VertexPerfEstimate MAKE_PERF_ESTIMATOR_NAME(ReduceMinClassGather)(const VertexIntrospector& vertex,
                                                                  const Target& target, const Type&,
                                                                  const Type&) {
  return groups(vertex, target);
}

poputil::internal::PerfEstimatorTable makeTable() {
  poputil::internal::PerfEstimatorTable table;
  for (const Type& label : {UNSIGNED_INT, INT}) {
    for (const Type& t : {FLOAT, HALF, UNSIGNED_INT, INT}) {
      table.push_back(CYCLE_ESTIMATOR_ENTRY(popnn, ReduceMaxClassGather, t, label));
      table.push_back(CYCLE_ESTIMATOR_ENTRY(popnn, ReduceMinClassGather, t, label));
      if (t == HALF) continue;
      table.push_back(CYCLE_ESTIMATOR_ENTRY(popnn, ReduceMaxClassSparse, t, label));
      table.push_back(CYCLE_ESTIMATOR_ENTRY(popnn, ReduceMinClassSparse, t, label));
    }
  }
  for (const Type& t : {FLOAT, HALF}) {
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popnn, Pool, t, true));
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popnn, Pool, t, false));
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popnn, MaxPoolScale, t));
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popnn, MaxPoolGradient, t));
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popnn, CtcLoss, t, FLOAT));
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popnn, CtcLoss, t, HALF));
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popnn, RoiAlign, t));
    table.push_back(CYCLE_ESTIMATOR_ENTRY(popnn, RoiAlignGradient, t));
  }
  return table;
}

}  // namespace

void registerCycles(Graph& graph) {
  static const poputil::internal::PerfEstimatorTable table = makeTable();
  poputil::internal::registerPerfFunctions(graph, table);
}

}  // namespace popnn
