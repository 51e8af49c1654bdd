// What a codelet throws where it asks for what the emulator has not.
#ifndef POPLAR_EMULATOR_DEVICE_NOT_EMULATED_HPP
#define POPLAR_EMULATOR_DEVICE_NOT_EMULATED_HPP

namespace poplar {
namespace detail {

// The library of codelets and the runtime know it by its name.
struct __attribute__((visibility("default"))) NotEmulated {
  const char* what;
};

}  // namespace detail
}  // namespace poplar

#endif  // POPLAR_EMULATOR_DEVICE_NOT_EMULATED_HPP
