#ifndef popfloat_experimental_CastToHalf_hpp
#define popfloat_experimental_CastToHalf_hpp

#include <cstdint>

namespace popfloat {
namespace experimental {

/// Bits of the half nearest to `value`, bit for bit as poplibs has it: too large a number becomes
/// 0x7bff where `enNanoo` and 0xffe0, a NaN, where not.
std::uint16_t singleToHalf(float value, bool enNanoo = false);

/// The number that the bits of a half stand for. Its NaNs lose all of their payload but whether
/// they are quiet, and their sign.
float halfToSingle(std::uint16_t ihalf);

}  // namespace experimental
}  // namespace popfloat

#endif  // popfloat_experimental_CastToHalf_hpp
