#ifndef poputil_exceptions_hpp
#define poputil_exceptions_hpp

#include <stdexcept>
#include <string>

namespace poputil {

/// Misuse of a library function; not a poplar_error.
struct poplibs_error : std::runtime_error {
  std::string type;
  explicit poplibs_error(const std::string& message)
      : std::runtime_error(message), type("poplibs_error") {}
  explicit poplibs_error(const char* message)
      : std::runtime_error(message), type("poplibs_error") {}
};

}  // namespace poputil

#endif  // poputil_exceptions_hpp
