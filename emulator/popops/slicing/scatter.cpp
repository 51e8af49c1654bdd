#include <algorithm>
#include <popops/DynamicSlice.hpp>
#include <popops/Loop.hpp>
#include <popops/Scatter.hpp>
#include <poputil/exceptions.hpp>

#include "slicing/index_vectors.hpp"

namespace popops {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;
using Shape = std::vector<std::size_t>;

namespace {

// A scatter as updates of many slices.
struct Slices {
  Slices(const Tensor& operand, const Tensor& indices, const Tensor& updates,
         std::size_t index_vector_dim, std::vector<unsigned> window_dims, Shape insert_dims,
         const std::vector<unsigned>& operand_dims)
      : dims(operand_dims.begin(), operand_dims.end()) {
    // As poplibs does, pass over dimensions that the updates do not have.
    const auto beyond = [&](unsigned d) { return d >= updates.rank(); };
    window_dims.erase(std::remove_if(window_dims.begin(), window_dims.end(), beyond),
                      window_dims.end());
    if (window_dims.size() + insert_dims.size() != operand.rank()) {
      throw poplibs_error(
          "scatter: expected a window or inserted dimension for each dimension of " +
          operand.shapeToString());
    }
    starts = indexVectors(indices, index_vector_dim, operand_dims.size(), "scatter");
    std::vector<unsigned> order = otherDims(updates.rank(), window_dims);
    order.insert(order.end(), window_dims.begin(), window_dims.end());
    values = updates.dimShuffle(order);
    Shape shape = {starts.dim(0)};
    for (std::size_t d = updates.rank() - window_dims.size(); d < updates.rank(); ++d) {
      shape.push_back(values.dim(static_cast<unsigned>(d)));
    }
    std::sort(insert_dims.begin(), insert_dims.end());
    for (const std::size_t d : insert_dims) {
      shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(d) + 1, 1);
    }
    values = values.reshape(shape);
    const Shape slice(shape.begin() + 1, shape.end());
    target = cutOthers(operand, operand_dims, slice);
    sizes = sizesAlong(operand_dims, slice);
  }

  Tensor target;  // slice of the operand, of which updates are slices along `dims`
  Tensor starts;  // [N, dims]
  Tensor values;  // [N, ...slice]
  Shape dims, sizes;
};

}  // namespace

void scatter(Graph& graph, const Tensor& operand, const Tensor& indices, const Tensor& updates,
             std::size_t indexVectorDim, std::vector<unsigned> updateWindowDims,
             std::vector<std::size_t> insertWindowDims,
             std::vector<unsigned> scatterDimsToOperandDims, Sequence& prog,
             const DebugContext& debugContext, const OptionFlags& optionFlags) {
  const Slices s(operand, indices, updates, indexVectorDim, updateWindowDims, insertWindowDims,
                 scatterDimsToOperandDims);
  multiUpdate(graph, s.target, s.values, s.starts, s.dims, s.sizes, prog, SlicePlan(), optionFlags,
              {debugContext, "scatter"});
}

void scatter(Graph& graph, const Tensor& operand, const Tensor& indices, const Tensor& updates,
             std::size_t indexVectorDim, std::vector<unsigned> updateWindowDims,
             std::vector<std::size_t> insertWindowDims,
             std::vector<unsigned> scatterDimsToOperandDims,
             UpdateComputationFunc& updateComputation, Sequence& prog,
             const DebugContext& debugContext, const OptionFlags&) {
  const DebugContext dc(debugContext, "scatter");
  const Slices s(operand, indices, updates, indexVectorDim, updateWindowDims, insertWindowDims,
                 scatterDimsToOperandDims);
  if (s.starts.dim(0) == 0) return;
  const auto body = [&](const Tensor& i) -> Program {
    Sequence each;
    const Tensor start = dynamicSlice(graph, s.starts, i, {0}, {1}, each, dc).flatten();
    Tensor update = dynamicSlice(graph, s.values, i, {0}, {1}, each, dc)[0];
    Tensor current = dynamicSlice(graph, s.target, start, s.dims, s.sizes, each, dc);
    const Tensor result = updateComputation(graph, current, update, each);
    dynamicUpdate(graph, s.target, result, start, s.dims, s.sizes, each, dc);
    return std::move(each);
  };
  prog.add(countedLoop(graph, s.starts.dim(0), body, dc));
}

}  // namespace popops
