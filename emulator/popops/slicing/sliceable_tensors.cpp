#include <algorithm>
#include <limits>
#include <poplar/Interval.hpp>
#include <poplar/emulator/Sizes.hpp>
#include <popops/DynamicSlice.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>
#include <string>

#include "slicing/slice_rows.hpp"

namespace popops {

using namespace poplar;
using Shape = std::vector<std::size_t>;

namespace {

// The dimensions other than `dims`, in their order.
std::vector<unsigned> others(std::size_t rank, const Shape& dims) {
  std::vector<unsigned> out;
  for (unsigned i = 0; i < rank; ++i) {
    if (std::find(dims.begin(), dims.end(), i) == dims.end()) out.push_back(i);
  }
  return out;
}

// Throws where `dims` are not dimensions of a tensor of `shape`, or `shape` is too large for one.
void check(const Shape& shape, const Shape& dims, const char* operation) {
  for (const std::size_t d : dims) {
    if (d >= shape.size()) {
      throw poputil::poplibs_error(std::string(operation) +
                                   ": expected dimensions below the rank " +
                                   std::to_string(shape.size()) + ", got " + std::to_string(d));
    }
  }
  emulator::checkedElements(operation, shape);
}

// A tensor of `shape` whose block for each interval of the other dimensions is contiguous on the
// tile of that interval.
Tensor create(Graph& graph, const Type& type, const Shape& shape, const Shape& dims,
              const std::vector<std::vector<Interval>>& mapping, const DebugContext& dc) {
  std::vector<unsigned> order(dims.begin(), dims.end());
  for (const unsigned d : others(shape.size(), dims)) order.push_back(d);
  Shape permuted;
  for (const unsigned d : order) permuted.push_back(shape[d]);
  std::size_t entries = 1;
  for (const std::size_t d : dims) entries *= shape[d];
  std::vector<std::pair<Interval, Tensor>> blocks;
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    for (const Interval& region : mapping[tile]) {
      const Tensor block = graph.addVariable(type, {entries, region.size()}, dc);
      graph.setTileMapping(block, tile);
      blocks.push_back({region, block});
    }
  }
  if (blocks.empty()) return graph.addVariable(type, shape, dc);
  std::sort(blocks.begin(), blocks.end(),
            [](const std::pair<Interval, Tensor>& a, const std::pair<Interval, Tensor>& b) {
              return a.first < b.first;
            });
  std::vector<Tensor> tensors;
  for (const auto& block : blocks) tensors.push_back(block.second);
  std::vector<unsigned> inverse(order.size());
  for (unsigned i = 0; i < order.size(); ++i) inverse[order[i]] = i;
  return withOneMetadata(concat(tensors, 1)).reshape(permuted).dimShuffle(inverse);
}

}  // namespace

Tensor createSliceableTensor(Graph& graph, const Type& type, const Shape& shape, const Shape& dims,
                             const Shape&, std::size_t minGrainSize,
                             const DebugContext& debugContext) {
  check(shape, dims, "createSliceableTensor");
  Shape rest;
  for (const unsigned d : others(shape.size(), dims)) rest.push_back(shape[d]);
  const unsigned width = graph.getTarget().getVectorWidth(type);
  constexpr std::size_t kMost = std::numeric_limits<unsigned>::max();
  const unsigned grain = std::max(width, static_cast<unsigned>(std::min(minGrainSize, kMost)));
  const auto mapping = poputil::calcLinearTileMapping(graph, rest, grain, grain);
  return create(graph, type, shape, dims, mapping, {debugContext, "sliceable"});
}

Tensor createSliceableTensor(Graph& graph, const Type& type, const Shape& shape, const Shape& dims,
                             const Shape& sizes, const SlicePlan&, const OptionFlags&,
                             const DebugContext& debugContext) {
  return createSliceableTensor(graph, type, shape, dims, sizes, 0, debugContext);
}

Tensor createSliceableTensorFromSlice(Graph& graph, const Tensor& s, const Shape& dims,
                                      const Shape& numSlices, const DebugContext& debugContext) {
  if (dims.size() != numSlices.size()) {
    throw poputil::poplibs_error(
        "createSliceableTensorFromSlice: expected a number of slices for each dimension");
  }
  constexpr const char* kOperation = "createSliceableTensorFromSlice";
  Shape shape = s.shape();
  check(shape, dims, kOperation);
  Shape sizes, factored = s.shape();
  std::size_t count = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    sizes.push_back(s.dim(static_cast<unsigned>(dims[i])));
    shape[dims[i]] = emulator::checkedProduct(kOperation, shape[dims[i]], numSlices[i]);
    count *= numSlices[i];
  }
  check(shape, dims, kOperation);
  // As in poplibs: a clone of the slice for each, contiguous on a tile; the clones' numbers become
  // parts of the dimensions, those that are sliced first outermost.
  const std::vector<std::size_t> order = sliceOrder(shape, dims, sizes);
  for (std::size_t k = order.size(); k-- != 0;) {
    factored.insert(factored.begin(), numSlices[order[k]]);
  }
  Tensor t =
      withOneMetadata(graph.cloneN(s, count, {debugContext, "sliceable"},
                                   TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES))
          .reshape(factored);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const unsigned at = static_cast<unsigned>(order.size() - k - 1 + dims[order[k]]);
    t = t.dimRoll(0, at).flatten(at, at + 2);
  }
  return t;
}

Tensor createSliceTensor(Graph& graph, const Tensor& t, const Shape& dims, const Shape& sizes,
                         std::size_t numIndices, const DebugContext& debugContext) {
  const auto mapping = getSliceMapping(graph, t, dims, sizes);
  Shape shape = t.shape();
  for (std::size_t i = 0; i < dims.size(); ++i) shape[dims[i]] = sizes[i];
  shape.insert(shape.begin(), numIndices);
  const Tensor out = graph.addVariable(t.elementType(), shape, {debugContext, "slices"});
  for (std::size_t i = 0; i < numIndices; ++i) graph.setTileMapping(out[i], mapping);
  return out;
}

Tensor createSliceTensor(Graph& graph, const Type& type, const Shape& shape, const Shape& dims,
                         const Shape& sizes, std::size_t numIndices, const SlicePlan&,
                         const OptionFlags&, const DebugContext& debugContext) {
  Shape slice = shape;
  for (std::size_t i = 0; i < dims.size(); ++i) slice.at(dims[i]) = sizes.at(i);
  slice.insert(slice.begin(), numIndices);
  Shape along = dims;
  for (std::size_t& d : along) ++d;
  along.insert(along.begin(), 0);
  return createSliceableTensor(graph, type, slice, along, Shape(along.size(), 1), 0, debugContext);
}

Tensor createIndicesTensor(Graph& graph, const Shape& dims, std::size_t numIndices,
                           const SlicePlan&, const OptionFlags&, const DebugContext& debugContext) {
  const Tensor out =
      graph.addVariable(UNSIGNED_INT, {numIndices, dims.size()}, {debugContext, "indices"});
  poputil::mapTensorLinearly(graph, out);
  return out;
}

namespace {

// One tensor for each group, along a new first dimension.
template <class Fn>
Tensor perGroup(std::size_t groups, const Fn& create) {
  std::vector<Tensor> out;
  for (std::size_t g = 0; g < groups; ++g) out.push_back(create().expand({0}));
  return withOneMetadata(concat(out));
}

}  // namespace

Tensor createGroupedSliceableTensor(Graph& graph, const Type& type, std::size_t groupSize,
                                    const Shape& shape, const Shape& dims, const Shape& sizes,
                                    const SlicePlan& plan, const OptionFlags& options,
                                    const DebugContext& debugContext) {
  return perGroup(groupSize, [&] {
    return createSliceableTensor(graph, type, shape, dims, sizes, plan, options, debugContext);
  });
}

Tensor createGroupedSliceTensor(Graph& graph, const Type& type, std::size_t groupSize,
                                const Shape& shape, const Shape& dims, const Shape& sizes,
                                std::size_t numIndices, const SlicePlan& plan,
                                const OptionFlags& options, const DebugContext& debugContext) {
  return perGroup(groupSize, [&] {
    return createSliceTensor(graph, type, shape, dims, sizes, numIndices, plan, options,
                             debugContext);
  });
}

Tensor createGroupedIndicesTensor(Graph& graph, std::size_t groupSize, const Shape& dims,
                                  std::size_t numIndices, const SlicePlan& plan,
                                  const OptionFlags& options, const DebugContext& debugContext) {
  return perGroup(groupSize, [&] {
    return createIndicesTensor(graph, dims, numIndices, plan, options, debugContext);
  });
}

namespace embedding {

SlicePlan plan(const Graph& graph, const Type& dataType, std::size_t numEntries,
               std::size_t outputSize, const Shape& numLookups, const OptionFlags& options) {
  return plan(graph, dataType, 1, numEntries, outputSize, numLookups, options);
}

SlicePlan plan(const Graph&, const Type& dataType, std::size_t groupSize, std::size_t numEntries,
               std::size_t outputSize, const Shape& numLookups, const OptionFlags&) {
  std::string lookups;
  for (const std::size_t n : numLookups)
    lookups += (lookups.empty() ? "" : ",") + std::to_string(n);
  return {dataType.toString() + " " + std::to_string(numEntries) + " x " +
          std::to_string(outputSize) + " of " + std::to_string(groupSize) + ", lookups {" +
          lookups + "}"};
}

std::vector<SlicePlan> planMultiple(const std::vector<SlicePlanningParameters>& spds) {
  std::vector<SlicePlan> plans;
  for (const SlicePlanningParameters& p : spds) {
    plans.push_back(plan(p.graph, p.dataType, p.groupSize, p.numEntries, p.outputSize, p.numLookups,
                         p.optionFlags));
  }
  return plans;
}

}  // namespace embedding
}  // namespace popops
