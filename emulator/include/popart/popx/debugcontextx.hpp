#ifndef popart_popx_debugcontextx_hpp
#define popart_popx_debugcontextx_hpp

#include <poplar/DebugContext.hpp>

#endif  // popart_popx_debugcontextx_hpp
