#ifndef poputil_exceptions_hpp
#define poputil_exceptions_hpp

#include <stdexcept>
#include <string>

namespace poputil {

/// Misuse of a library function; not a poplar_error.
struct poplibs_error : std::runtime_error {
  explicit poplibs_error(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace poputil

#endif  // poputil_exceptions_hpp
