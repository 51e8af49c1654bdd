#ifndef popops_Encoding_hpp
#define popops_Encoding_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popops/EncodingConstants.hpp>

namespace popops {

/// Writes 1 (or `on`, one element) to encoded[i, indices[i]] and 0 (or `off`) to the rest of
/// `encoded` [N, C]. `indices` [N] are unsigned int or int; where one is none of the C columns,
/// such as MASKED_LABEL_CODE, the row gets no 1. Throws poputil::poplibs_error where shapes or
/// types do not fit.
void encodeOneHot(poplar::Graph& graph, const poplar::Tensor& indices,
                  const poplar::Tensor& encoded, poplar::program::Sequence& prog,
                  const poplar::DebugContext& debugContext = {});
void encodeOneHot(poplar::Graph& graph, const poplar::Tensor& indices,
                  const poplar::Tensor& encoded, poplar::program::Sequence& prog,
                  const poplar::Tensor& on, const poplar::Tensor& off,
                  const poplar::DebugContext& debugContext = {});

/// Fills `t`, of rank 1 or 0, with startInteger, startInteger + 1, ... of its type.
void iota(poplar::Graph& graph, const poplar::Tensor& t, unsigned startInteger,
          poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});
void iota(poplar::Graph& graph, const poplar::Tensor& t, int startInteger,
          poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

}  // namespace popops

#endif  // popops_Encoding_hpp
