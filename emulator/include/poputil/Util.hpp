#ifndef poputil_Util_hpp
#define poputil_Util_hpp

#include <climits>
#include <cstddef>
#include <poplar/Device.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Interval.hpp>
#include <poplar/Program.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/Target.hpp>
#include <poplar/Tensor.hpp>
#include <string>
#include <vector>

namespace poputil {

/// Sorts intervals and joins those that touch.
void mergeAdjacentRegions(std::vector<poplar::Interval>& regions);
void mergeAdjacentRegions(std::vector<std::vector<poplar::Interval>>& mapping);

/// All intervals of all lists, in order.
std::vector<poplar::Interval> flattenIntervals(
    const std::vector<std::vector<poplar::Interval>>& intervals);

/// Splits intervals into at most `maxPartitions` partitions of nearly equal size, each a multiple
/// of `grainSize` (but the last) and within the given numbers of elements; there are more where
/// `maxElementsPerPartition` asks for them. No interval gets longer than `maxElementsPerRegion`.
std::vector<std::vector<poplar::Interval>> splitRegions(
    const std::vector<poplar::Interval>& regions, unsigned grainSize, unsigned maxPartitions,
    unsigned minElementsPerPartition = 0, unsigned maxElementsPerPartition = UINT_MAX,
    unsigned maxElementsPerRegion = UINT_MAX);
/// Splits sequences of intervals; partitions hold sequences, none over the end of one. The limit on
/// a region is one on a sequence here.
std::vector<std::vector<std::vector<poplar::Interval>>> splitRegions(
    const std::vector<std::vector<poplar::Interval>>& regions, unsigned grainSize,
    unsigned maxPartitions, unsigned minElementsPerPartition = 0,
    unsigned maxElementsPerPartition = UINT_MAX, unsigned maxElementsPerRegion = UINT_MAX);

/// A partition for each worker of a tile at most.
std::vector<std::vector<poplar::Interval>> splitRegionsBetweenWorkers(
    const poplar::Target& target, const std::vector<poplar::Interval>& regions, unsigned grainSize,
    unsigned minElementsPerPartition = 0, unsigned maxElementsPerPartition = UINT_MAX,
    unsigned maxElementsPerRegion = UINT_MAX);
std::vector<std::vector<std::vector<poplar::Interval>>> splitRegionsBetweenWorkers(
    const poplar::Target& target, const std::vector<std::vector<poplar::Interval>>& regions,
    unsigned grainSize, unsigned minElementsPerPartition = 0,
    unsigned maxElementsPerPartition = UINT_MAX, unsigned maxElementsPerRegion = UINT_MAX);

/// The coordinates of element `index` of a tensor, in row-major order; and back.
template <class T>
std::vector<T> unflattenIndex(const std::vector<T>& shape, std::size_t index) {
  std::vector<T> out(shape.size());
  for (std::size_t i = shape.size(); i-- > 0; index /= shape[i]) {
    out[i] = static_cast<T>(index % shape[i]);
  }
  return out;
}
template <class T>
std::size_t flattenIndex(const std::vector<T>& shape, const std::vector<T>& indices) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) out = out * shape[i] + indices[i];
  return out;
}

std::size_t intervalSequenceNumElements(const std::vector<std::vector<poplar::Interval>>& seq);

/// A clone of `in`, with the copy of each element, once, appended to `p`.
poplar::Tensor duplicate(
    poplar::Graph& graph, const poplar::Tensor& in, poplar::program::Sequence& p,
    const poplar::DebugContext& debugContext = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
/// N clones, along a new first dimension.
poplar::Tensor cloneN(
    poplar::Graph& graph, const poplar::Tensor& t, unsigned N,
    const poplar::DebugContext& debugContext = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);

/// The sizes of `splitCount` ranges that share `rangeUpperBound`: the first ones have the
/// remainder.
std::vector<int> balancedPartition(int rangeUpperBound, int splitCount);

/// A number rounded to half; and whether the rounding is within a relative tolerance.
double castToDeviceHalfValue(const poplar::Target& target, double input);
bool checkAccuracyWhenCast(const poplar::Target& target, double input, poplar::Type inputType,
                           poplar::Type outputType, double tolerance);

/// As poplar's functions of these names.
poplar::Tensor createConstantMetadataTensor(poplar::Graph& graph,
                                            poplar::QuarterMetadata::Format fmt, int scale);
poplar::Tensor createVariableMetadataTensor(poplar::Graph& graph,
                                            poplar::QuarterMetadata::Format fmt, int scale);

/// Splits each dimension from `startDim` on into {d / factor, factor}: the factors come last. And
/// joins `numDims` of them again.
poplar::Tensor factorDims(const poplar::Tensor& t, const std::vector<std::size_t>& factors,
                          unsigned startDim = 0);
poplar::Tensor unfactorDims(const poplar::Tensor& t, unsigned numDims, unsigned startDim = 0);

/// Given the intervals that a tensor was rearranged by, those that bring it back.
std::vector<poplar::Interval> calculateUnshufflingIntervals(
    const std::vector<poplar::Interval>& intervals);

}  // namespace poputil

#endif  // poputil_Util_hpp
