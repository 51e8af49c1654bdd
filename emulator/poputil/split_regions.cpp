#include <algorithm>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

namespace poputil {

using poplar::Interval;
using Sequences = std::vector<std::vector<Interval>>;

namespace {

// Elements of each partition.
std::size_t partitionSize(std::size_t elements, unsigned grain, unsigned max_partitions,
                          unsigned min_each, unsigned max_each) {
  if (grain == 0 || max_partitions == 0) {
    throw poplibs_error(
        "splitRegions: expected a grain size and a number of partitions above 0, got " +
        std::to_string(grain) + " and " + std::to_string(max_partitions));
  }
  const std::size_t grains = (elements + grain - 1) / grain;
  std::size_t each = (grains + max_partitions - 1) / max_partitions;
  each = std::max(each, (std::size_t{min_each} + grain - 1) / grain);
  each = std::min<std::size_t>(each, std::max(1u, max_each / grain));
  return each * grain;
}

}  // namespace

std::vector<Sequences> splitRegions(const Sequences& regions, unsigned grainSize,
                                    unsigned maxPartitions, unsigned minElementsPerPartition,
                                    unsigned maxElementsPerPartition,
                                    unsigned maxElementsPerRegion) {
  const std::size_t each =
      partitionSize(intervalSequenceNumElements(regions), grainSize, maxPartitions,
                    minElementsPerPartition, maxElementsPerPartition);
  const std::size_t longest =
      std::max(1u, maxElementsPerRegion / grainSize) * static_cast<std::size_t>(grainSize);
  std::vector<Sequences> out;
  std::size_t left = 0;  // elements that still fit into the last partition
  for (const auto& sequence : regions) {
    std::size_t fits = 0;  // into the last sequence of that partition
    for (const Interval& r : sequence) {
      for (std::size_t begin = r.begin(); begin < r.end();) {
        if (left == 0) {
          out.emplace_back();
          left = each;
          fits = 0;
        }
        if (fits == 0) {
          out.back().emplace_back();
          fits = longest;
        }
        const std::size_t n = std::min({r.end() - begin, left, fits});
        out.back().back().emplace_back(begin, begin + n);
        begin += n;
        left -= n;
        fits -= n;
      }
    }
  }
  return out;
}

Sequences splitRegions(const std::vector<Interval>& regions, unsigned grainSize,
                       unsigned maxPartitions, unsigned minElementsPerPartition,
                       unsigned maxElementsPerPartition, unsigned maxElementsPerRegion) {
  Sequences single;
  for (const Interval& r : regions) single.push_back({r});
  Sequences out;
  for (const Sequences& partition :
       splitRegions(single, grainSize, maxPartitions, minElementsPerPartition,
                    maxElementsPerPartition, maxElementsPerRegion)) {
    out.push_back(flattenIntervals(partition));
  }
  return out;
}

Sequences splitRegionsBetweenWorkers(const poplar::Target& target,
                                     const std::vector<Interval>& regions, unsigned grainSize,
                                     unsigned minElementsPerPartition,
                                     unsigned maxElementsPerPartition,
                                     unsigned maxElementsPerRegion) {
  return splitRegions(regions, grainSize, target.getNumWorkerContexts(), minElementsPerPartition,
                      maxElementsPerPartition, maxElementsPerRegion);
}

std::vector<Sequences> splitRegionsBetweenWorkers(const poplar::Target& target,
                                                  const Sequences& regions, unsigned grainSize,
                                                  unsigned minElementsPerPartition,
                                                  unsigned maxElementsPerPartition,
                                                  unsigned maxElementsPerRegion) {
  return splitRegions(regions, grainSize, target.getNumWorkerContexts(), minElementsPerPartition,
                      maxElementsPerPartition, maxElementsPerRegion);
}

}  // namespace poputil
