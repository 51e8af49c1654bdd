// The names of things in PopART: string carriers, as Poplar's are.
#ifndef popart_debugcontext_hpp
#define popart_debugcontext_hpp

#include <cstdint>
#include <poplar/DebugContext.hpp>
#include <string>

namespace popart {

using SourceLocation = poplar::SourceLocation;
using DebugNameAndId = poplar::DebugNameAndId;
using DebugContext = poplar::DebugContext;
using DebugInfo = poplar::DebugInfo;
using DebugId = std::uint64_t;

}  // namespace popart

#endif  // popart_debugcontext_hpp
