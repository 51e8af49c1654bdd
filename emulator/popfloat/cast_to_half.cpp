#include <cmath>
#include <popfloat/experimental/CastToHalf.hpp>
#include <poplar/emulator/HalfBits.hpp>

// As poplibs' lib/popfloat/CastToHalf.cpp has it, where that is not IEEE 754 too.
namespace popfloat {
namespace experimental {

namespace {

constexpr std::uint16_t kLargest = 0x7bff, kInfinity = 0x7c00, kQuiet = 0x0200;
constexpr std::uint16_t kOverflow = 0xffe0;  // 65504 as bits, not as a number

std::uint16_t nanToHalf(std::uint32_t bits) {
  const std::uint32_t payload = bits & 0x7fffff;
  const bool up = (payload & 0x1000) != 0 && (payload & 0x2fff) != 0;  // to nearest, ties to even
  std::uint32_t half = (payload >> 13) + (up ? 1 : 0);
  if ((payload & 0x400000) != 0) {
    half |= kQuiet;
  } else {
    half &= ~std::uint32_t{kQuiet};
    if (half == 0) half = 1;
  }
  return static_cast<std::uint16_t>(kInfinity | half);
}

}  // namespace

std::uint16_t singleToHalf(float value, bool enNanoo) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
  if (std::isnan(value)) return sign | nanToHalf(bits);
  if (std::isinf(value)) return sign | kInfinity;
  const float magnitude = std::fabs(value);
  // Two ties do not go to even.
  if (magnitude == 0x1p-25f || magnitude == 0x1.8p-24f) return sign | 1;
  const auto half = poplar::detail::floatToHalf(magnitude);
  if (half < kInfinity) return sign | half;
  return sign | (enNanoo ? kLargest : kOverflow);
}

float halfToSingle(std::uint16_t ihalf) {
  if ((ihalf & 0x7fff) <= kInfinity) return poplar::detail::halfToFloat(ihalf);
  const std::uint32_t bits = (ihalf & kQuiet) != 0 ? 0x7fc00000 : 0x7f800001;
  float nan;
  std::memcpy(&nan, &bits, sizeof nan);
  return nan;
}

}  // namespace experimental
}  // namespace popfloat
