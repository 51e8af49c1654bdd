#ifndef popops_Operation_hpp
#define popops_Operation_hpp

#include <istream>
#include <ostream>
#include <popops/OperationDef.hpp>
#include <poputil/DebugInfo.hpp>

namespace popops {

/// The enumerator's name; reading throws poputil::poplibs_error for another one.
std::ostream& operator<<(std::ostream& out, const Operation& op);
std::istream& operator>>(std::istream& in, Operation& op);

}  // namespace popops

namespace poputil {

template <>
poplar::ProfileValue toProfileValue(const popops::Operation& op);

}  // namespace poputil

#endif  // popops_Operation_hpp
