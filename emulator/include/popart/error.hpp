#ifndef popart_error_hpp
#define popart_error_hpp

#include <exception>  // as in PopART
#include <iostream>   // as in PopART
#include <map>        // as in PopART
#include <memory>     // as in PopART
#include <popart/logging.hpp>
#include <stdexcept>
#include <string>
#include <utility>  // as in PopART

namespace popart {

/// PopART's exception. The message is formatted: each {} is the next argument.
class error : public std::runtime_error {
 public:
  template <class... Args>
  explicit error(const char* text, const Args&... args)
      : std::runtime_error(formatted(text, args...)) {}
  template <class... Args>
  explicit error(const std::string& text, const Args&... args)
      : std::runtime_error(formatted(text, args...)) {}

 private:
  // A message without arguments may have braces of its own.
  static std::string formatted(const std::string& text) { return text; }
  template <class T, class... Args>
  static std::string formatted(const std::string& text, const T& first, const Args&... rest) {
    return logging::format(text, first, rest...);
  }
};

class internal_error : public error {
 public:
  using error::error;
};

class runtime_error : public error {
 public:
  using error::error;
};

}  // namespace popart

#endif  // popart_error_hpp
