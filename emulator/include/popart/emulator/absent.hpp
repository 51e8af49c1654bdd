// Parts of PopART that the emulation does not have: their headers declare them, so that programs
// that name them compile, and a call says so.
#ifndef popart_emulator_absent_hpp
#define popart_emulator_absent_hpp

#include <popart/error.hpp>

namespace popart {
namespace emulator {

/// Throws `error`: `name` is not emulated.
[[noreturn]] inline void missing(const char* name) {
  throw error("{}: expected a part of PopART that the emulation has, got one that it does not have",
              name);
}

/// The same where an argument is expected.
template <class T>
[[noreturn]] T& absent(const char* name) {
  missing(name);
}

}  // namespace emulator
}  // namespace popart

#endif  // popart_emulator_absent_hpp
