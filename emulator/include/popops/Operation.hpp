#ifndef popops_Operation_hpp
#define popops_Operation_hpp

#include <ostream>
#include <popops/OperationDef.hpp>

namespace popops {

std::ostream& operator<<(std::ostream& out, const Operation& op);

}  // namespace popops

#endif  // popops_Operation_hpp
