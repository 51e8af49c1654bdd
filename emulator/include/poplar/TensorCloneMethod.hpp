#ifndef poplar_TensorCloneMethod_hpp
#define poplar_TensorCloneMethod_hpp

#include <string>

namespace poplar {

enum class TensorCloneMethod {
  PRESERVE_ORDER_AND_ALIASES,
  CREATE_NEW_ORDER,
  PRESERVE_ORDER_UNLESS_ALIASES,
  GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES
};

/// Where the elements of N clones lie on a tile: nothing that the emulator models.
enum class TensorCloneDuplicationMethod {
  DUPLICATE_BY_OUTER_DIMENSION,
  DUPLICATE_BY_TILE_CONTIGUOUS_REGION
};

std::string toString(TensorCloneMethod method);

}  // namespace poplar

#endif  // poplar_TensorCloneMethod_hpp
