#include <algorithm>
#include <popops/DynamicSlice.hpp>
#include <popops/Gather.hpp>
#include <poputil/exceptions.hpp>

#include "slicing/index_vectors.hpp"

namespace popops {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;
using Shape = std::vector<std::size_t>;

Tensor createGatherInput(Graph& graph, const Type& type, const Shape& operandShape, unsigned axis,
                         GatherParams, const DebugContext& debugContext) {
  return createSliceableTensor(graph, type, operandShape, {axis}, {1}, 0, debugContext);
}

Tensor createGatherInput(Graph& graph, const Type& type, const Shape& inputShape,
                         const Shape& sliceSizes, std::vector<unsigned> startIndexMap,
                         const DebugContext& debugContext) {
  return createSliceableTensor(graph, type, inputShape,
                               Shape(startIndexMap.begin(), startIndexMap.end()),
                               sizesAlong(startIndexMap, sliceSizes), 0, debugContext);
}

Tensor gather(Graph& graph, const Tensor& input, const Tensor& indices, unsigned axis,
              Sequence& prog, GatherParams, const DebugContext& debugContext,
              const OptionFlags& optionFlags) {
  const Tensor slices = multiSlice(graph, input, indices.flatten().expand({1}), {axis}, {1}, prog,
                                   SlicePlan(), optionFlags, {debugContext, "gather"});
  return slices.squeeze({axis + 1}).dimRoll(0, axis);
}

Tensor gather(Graph& graph, const Tensor& input, const Tensor& indices, std::size_t indexVectorDim,
              const Shape& offsetDims, const Shape& sliceSizes, const Shape& collapsedSliceDims,
              const std::vector<unsigned>& startIndexMap, Sequence& prog,
              const DebugContext& debugContext, const OptionFlags& optionFlags) {
  if (sliceSizes.size() != input.rank() ||
      offsetDims.size() + collapsedSliceDims.size() != input.rank()) {
    throw poplibs_error(
        "gather: expected a slice size, and an offset or collapsed dimension, for "
        "each dimension of " +
        input.shapeToString());
  }
  const Tensor starts = indexVectors(indices, indexVectorDim, startIndexMap.size(), "gather");
  Tensor out = multiSlice(graph, cutOthers(input, startIndexMap, sliceSizes), starts,
                          Shape(startIndexMap.begin(), startIndexMap.end()),
                          sizesAlong(startIndexMap, sliceSizes), prog, SlicePlan(), optionFlags,
                          {debugContext, "gather"});
  // [N, ...slice] to [...batch, ...offsets], and then to where the result has them.
  Shape collapsed = collapsedSliceDims;
  for (std::size_t& d : collapsed) ++d;
  out = out.squeeze(collapsed);
  Shape shape = indices.shape();
  if (indexVectorDim < indices.rank()) {
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(indexVectorDim));
  }
  const unsigned batch = static_cast<unsigned>(shape.size());
  for (unsigned d = 1; d < out.rank(); ++d) shape.push_back(out.dim(d));
  out = out.reshape(shape);
  std::vector<unsigned> order(out.rank());
  const std::vector<unsigned> offsets(offsetDims.begin(), offsetDims.end());
  const std::vector<unsigned> rest = otherDims(out.rank(), offsets);
  for (unsigned i = 0; i < batch; ++i) order.at(rest.at(i)) = i;
  for (unsigned i = 0; i < offsets.size(); ++i) order.at(offsets[i]) = batch + i;
  return out.dimShuffle(order);
}

}  // namespace popops
