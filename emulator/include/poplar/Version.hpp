#ifndef poplar_Version_hpp
#define poplar_Version_hpp

namespace poplar {

/// The version of the SDK whose interface this is, and what tells one build of it from another.
const char* versionString();
const char* packageHash();

}  // namespace poplar

#endif  // poplar_Version_hpp
