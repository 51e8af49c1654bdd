#include <algorithm>
#include <cmath>
#include <poplar/IeeeHalf.hpp>
#include <poplar/MetadataCreation.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include "without_aliases.hpp"

namespace poputil {

using namespace poplar;
using Shape = std::vector<std::size_t>;

void mergeAdjacentRegions(std::vector<Interval>& regions) {
  std::sort(regions.begin(), regions.end());
  std::vector<Interval> out;
  for (const Interval& r : regions) {
    if (r.size() == 0) continue;
    if (!out.empty() && out.back().end() == r.begin()) {
      out.back() = Interval(out.back().begin(), r.end());
    } else {
      out.push_back(r);
    }
  }
  regions = std::move(out);
}

void mergeAdjacentRegions(std::vector<std::vector<Interval>>& mapping) {
  for (auto& regions : mapping) mergeAdjacentRegions(regions);
}

std::vector<Interval> flattenIntervals(const std::vector<std::vector<Interval>>& intervals) {
  std::vector<Interval> out;
  for (const auto& list : intervals) out.insert(out.end(), list.begin(), list.end());
  return out;
}

std::size_t intervalSequenceNumElements(const std::vector<std::vector<Interval>>& seq) {
  std::size_t n = 0;
  for (const auto& list : seq) {
    for (const Interval& r : list) n += r.size();
  }
  return n;
}

std::pair<Tensor, Tensor> withoutAliases(const Graph& graph, const Tensor& t, const Tensor& clone) {
  if (!t.containsAliases() || !clone.containsAliases()) return {t, clone};
  const Tensor from = t.flatten(), to = clone.flatten();
  const std::vector<Interval> once =
      flattenIntervals(graph.getSortedContiguousRegions(from, {{0, from.numElements()}}, true));
  return {concat(from.slices(once)), concat(to.slices(once))};
}

Tensor duplicate(Graph& graph, const Tensor& in, poplar::program::Sequence& p,
                 const DebugContext& debugContext, TensorCloneMethod method) {
  const Tensor out = graph.clone(in, debugContext, method);
  const auto once = withoutAliases(graph, in, out);
  p.add(poplar::program::Copy(once.first, once.second, false, debugContext));
  return out;
}

Tensor cloneN(Graph& graph, const Tensor& t, unsigned N, const DebugContext& debugContext,
              TensorCloneMethod method) {
  return graph.cloneN(t, N, debugContext, method);
}

std::vector<int> balancedPartition(int rangeUpperBound, int splitCount) {
  if (splitCount <= 0) {
    throw poplibs_error("balancedPartition: expected a number of partitions above 0, got " +
                        std::to_string(splitCount));
  }
  std::vector<int> out(static_cast<std::size_t>(splitCount), rangeUpperBound / splitCount);
  for (int i = 0; i < rangeUpperBound % splitCount; ++i) ++out[static_cast<std::size_t>(i)];
  return out;
}

double castToDeviceHalfValue(const Target&, double input) {
  return static_cast<float>(poplar::IeeeHalf(static_cast<float>(input)));
}

bool checkAccuracyWhenCast(const Target& target, double input, Type inputType, Type outputType,
                           double tolerance) {
  if (outputType != HALF && outputType != FLOAT) {
    throw poplibs_error("checkAccuracyWhenCast: expected an output type of float or half, got " +
                        outputType.toString());
  }
  if (outputType == FLOAT || inputType == HALF) return true;
  return std::fabs(castToDeviceHalfValue(target, input) - input) <= std::fabs(input) * tolerance;
}

Tensor createConstantMetadataTensor(Graph& graph, QuarterMetadata::Format fmt, int scale) {
  return poplar::createConstantMetadataTensor(graph, fmt, scale);
}

Tensor createVariableMetadataTensor(Graph& graph, QuarterMetadata::Format fmt, int scale) {
  return poplar::createVariableMetadataTensor(graph, fmt, scale);
}

Tensor factorDims(const Tensor& t, const Shape& factors, unsigned startDim) {
  const unsigned n = static_cast<unsigned>(factors.size());
  if (startDim > t.rank() || factors.size() > t.rank() - startDim) {
    throw poplibs_error("factorDims: expected at most a factor for each dimension of " +
                        t.shapeToString() + " from " + std::to_string(startDim) + " on, got " +
                        std::to_string(factors.size()));
  }
  Shape shape;
  std::vector<unsigned> order;
  for (unsigned i = 0; i < t.rank(); ++i) {
    const bool factored = i >= startDim && i < startDim + n;
    if (factored && (factors[i - startDim] == 0 || t.dim(i) % factors[i - startDim] != 0)) {
      throw poplibs_error("factorDims: expected factors of the dimensions of " + t.shapeToString() +
                          ", got " + std::to_string(factors[i - startDim]) + " for dimension " +
                          std::to_string(i));
    }
    order.push_back(static_cast<unsigned>(shape.size()));
    shape.push_back(factored ? t.dim(i) / factors[i - startDim] : t.dim(i));
    if (factored) shape.push_back(factors[i - startDim]);
  }
  // The factors follow the dimensions that they were taken from.
  std::vector<unsigned> inner;
  for (unsigned i = 0; i < n; ++i) inner.push_back(order[startDim + i] + 1);
  order.insert(order.begin() + startDim + n, inner.begin(), inner.end());
  return t.reshape(shape).dimShuffle(order);
}

Tensor unfactorDims(const Tensor& t, unsigned numDims, unsigned startDim) {
  const std::size_t least = startDim + std::size_t{2} * numDims;
  if (least > t.rank()) {
    throw poplibs_error("unfactorDims: expected at least " + std::to_string(least) +
                        " dimensions, got " + t.shapeToString());
  }
  std::vector<unsigned> order;
  Shape shape;
  for (unsigned i = 0; i < t.rank(); ++i) {
    if (i >= startDim + numDims && i < startDim + 2 * numDims) continue;
    order.push_back(i);
    shape.push_back(t.dim(i));
    if (i < startDim || i >= startDim + numDims) continue;
    order.push_back(i + numDims);
    shape.back() *= t.dim(i + numDims);
  }
  return t.dimShuffle(order).reshape(shape);
}

std::vector<Interval> calculateUnshufflingIntervals(const std::vector<Interval>& intervals) {
  std::vector<std::pair<Interval, std::size_t>> positions;  // with where they begin now
  std::size_t at = 0;
  for (const Interval& r : intervals) {
    positions.push_back({r, at});
    at += r.size();
  }
  std::sort(positions.begin(), positions.end());
  std::vector<Interval> out;
  for (const auto& p : positions) out.emplace_back(p.second, p.second + p.first.size());
  return out;
}

}  // namespace poputil
