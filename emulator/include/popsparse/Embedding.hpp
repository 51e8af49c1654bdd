#ifndef popsparse_Embedding_hpp
#define popsparse_Embedding_hpp

#include <cstddef>
#include <poplar/Graph.hpp>
#include <poplar/Interval.hpp>
#include <poplar/Program.hpp>
#include <popsparse/FullyConnected.hpp>
#include <popsparse/FullyConnectedParams.hpp>
#include <popsparse/SparseTensor.hpp>

namespace popsparse {
namespace dynamic {

// Rows of sparse weights by index; the operations are not emulated.

poplar::Tensor createIndicesTensor(poplar::Graph& graph, const FullyConnectedParams& params,
                                   std::size_t numIndices, const poplar::OptionFlags& options = {},
                                   const poplar::DebugContext& debugContext = {});
poplar::Tensor createSliceTensor(poplar::Graph& graph, const poplar::Type& dataType,
                                 const FullyConnectedParams& params, std::size_t numIndices,
                                 const poplar::DebugContext& debugContext = {},
                                 const poplar::OptionFlags& options = {},
                                 PlanningCache* cache = nullptr);
poplar::Tensor embeddingSlice(poplar::Graph& graph, const SparseTensor& t,
                              const poplar::Tensor& indices, poplar::program::Sequence& prog,
                              const FullyConnectedParams& params,
                              const poplar::DebugContext& debugContext = {},
                              const poplar::OptionFlags& options = {},
                              PlanningCache* cache = nullptr);
void embeddingUpdateAdd(poplar::Graph& graph, const SparseTensor& t, const poplar::Tensor& slices,
                        const poplar::Tensor& indices, const poplar::Tensor& scale,
                        poplar::program::Sequence& prog, const FullyConnectedParams& params,
                        const poplar::DebugContext& debugContext = {},
                        const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);

}  // namespace dynamic
}  // namespace popsparse

#endif  // popsparse_Embedding_hpp
