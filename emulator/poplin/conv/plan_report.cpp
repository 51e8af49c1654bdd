// Figures of convolutions and of their division over tiles.
#include <istream>
#include <ostream>
#include <poplin/ConvUtil.hpp>
#include <poplin/Convolution.hpp>

#include "../cycles.hpp"
#include "conv_options.hpp"
#include "conv_plan.hpp"
#include "planning_cache.hpp"

namespace poplin {

using namespace poplar;

namespace {

std::uint64_t productsOf(const ConvParams& p) {
  p.validate();
  const Interval rows(0, p.getNumFieldDims() == 0 ? 1 : p.getOutputSize(0));
  return p.batchSize * p.numConvGroups * p.inputChannelsPerConvGroup *
         p.outputChannelsPerConvGroup * fieldProducts(p, 0, rows);
}

double perfectCycles(const Graph& graph, const ConvParams& p) {
  const Target& target = graph.getTarget();
  // Floats are multiplied by the vector unit.
  const double rate = p.inputType == FLOAT ? target.getVectorWidth(FLOAT)
                                           : static_cast<double>(productsPerCycle(p.inputType));
  return static_cast<double>(productsOf(p)) / (rate * target.getNumTiles());
}

ConvPlan planOf(const Graph& graph, const ConvParams& params, const OptionFlags& options,
                PlanningCache* cache) {
  checkConvolution(params, options, "Convolution");
  enter(cache, params, options);
  return ConvPlan(graph.getTarget(), params);
}

PlanCosts costsOf(const Graph& graph, const ConvPlan& plan) {
  return {static_cast<std::size_t>(plan.cycles()),
          static_cast<std::size_t>(plan.bytes(graph.getTarget()))};
}

}  // namespace

uint64_t getFwdFlops(const ConvParams& params) { return 2 * productsOf(params); }
uint64_t getBwdFlops(const ConvParams& params) { return 2 * productsOf(params); }
uint64_t getWuFlops(const ConvParams& params) { return 2 * productsOf(params); }

double getFwdPerfectCycleCount(const Graph& graph, const ConvParams& params) {
  return perfectCycles(graph, params);
}
double getBwdPerfectCycleCount(const Graph& graph, const ConvParams& params) {
  return perfectCycles(graph, params);
}
double getWuPerfectCycleCount(const Graph& graph, const ConvParams& params) {
  return perfectCycles(graph, params);
}

void reportPlanInfo(std::ostream& out, const Graph& graph, const ConvParams& params,
                    const OptionFlags& options, PlanningCache* cache) {
  const ConvPlan plan = planOf(graph, params, options, cache);
  const PlanCosts costs = costsOf(graph, plan);
  out << "  Estimated cost {cycles " << costs.cycles << ", temporary bytes " << costs.memory
      << "}\n  Plan:\n        blocks of groups           " << plan.groups
      << "\n        blocks of the batch        " << plan.samples
      << "\n        blocks of output channels  " << plan.channels
      << "\n        blocks of output rows      " << plan.rows
      << "\n        tiles                      " << plan.blocks() << "\n";
}

void reportWeightUpdatePlanInfo(std::ostream& out, const Graph& graph, const ConvParams& fwdParams,
                                const OptionFlags& fwdOptions, PlanningCache* cache) {
  OptionFlags options = fwdOptions;
  options.set("pass", "TRAINING_WU");
  reportPlanInfo(out, graph, getWeightUpdateParams(fwdParams), options, cache);
}

constexpr size_t PlanCosts::unknown;

PlanCosts reportPlanEstimatedCosts(const Graph& graph, const ConvParams& params,
                                   const OptionFlags& options, PlanningCache* cache) {
  return costsOf(graph, planOf(graph, params, options, cache));
}

namespace internal {

std::ostream& operator<<(std::ostream& os, DetailedPlanCosts const& c) {
  os << c.parallelSplit << ' ' << c.serialSplit << '\n';
  c.apply([&os](const PlanCosts& cost) { os << cost.cycles << ' ' << cost.memory << '\n'; });
  return os;
}

std::istream& operator>>(std::istream& is, DetailedPlanCosts& c) {
  is >> c.parallelSplit >> c.serialSplit;
  c.apply([&is](PlanCosts& cost) { is >> cost.cycles >> cost.memory; });
  return is;
}

DetailedPlanCosts reportDetailedPlanEstimatedCosts(const Graph& graph, const ConvParams& params,
                                                   const OptionFlags& options,
                                                   PlanningCache* cache) {
  const ConvPlan plan = planOf(graph, params, options, cache);
  DetailedPlanCosts out;
  out.parallelSplit = plan.blocks();
  out.compute = out.total = costsOf(graph, plan);
  return out;
}

}  // namespace internal

}  // namespace poplin
