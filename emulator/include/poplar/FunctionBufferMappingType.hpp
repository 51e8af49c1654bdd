#ifndef poplar_FunctionBufferMappingType_hpp
#define poplar_FunctionBufferMappingType_hpp

namespace poplar {

/// Where the code of a function waits to be loaded.
enum class FunctionBufferMappingType { REMOTE };

}  // namespace poplar

#endif  // poplar_FunctionBufferMappingType_hpp
