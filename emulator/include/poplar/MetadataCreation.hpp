#ifndef poplar_MetadataCreation_hpp
#define poplar_MetadataCreation_hpp

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/exceptions.hpp>

namespace poplar {

/// The metadata of 8-bit floating point tensors: QUARTER_METADATA {}, on tile 0.
inline Tensor createConstantMetadataTensor(Graph& graph, QuarterMetadata::Format format, int scale,
                                           const DebugContext& debugContext = {}) {
  const Tensor t = graph.addConstant(QUARTER_METADATA, {},
                                     QuarterMetadata(format, scale).getBinary(), debugContext);
  graph.setTileMapping(t, 0);
  return t;
}

inline Tensor createVariableMetadataTensor(Graph& graph, QuarterMetadata::Format format, int scale,
                                           const DebugContext& debugContext = {}) {
  const Tensor t = graph.addVariable(QUARTER_METADATA, {}, debugContext);
  graph.setTileMapping(t, 0);
  graph.setInitialValue(t, QuarterMetadata(format, scale).getBinary());
  return t;
}

/// With a scale that the device computes, which is not emulated: throws `poplar_error`.
inline Tensor createVariableMetadataTensor(Graph&, QuarterMetadata::Format, const Tensor&,
                                           program::Sequence&, const DebugContext& = {}) {
  throw poplar_error(
      "createVariableMetadataTensor: scale: expected a number of the host, got a tensor, which is "
      "not emulated");
}

}  // namespace poplar

#endif  // poplar_MetadataCreation_hpp
