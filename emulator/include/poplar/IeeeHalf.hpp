#ifndef poplar_IeeeHalf_hpp
#define poplar_IeeeHalf_hpp

#include <cstdint>
#include <poplar/emulator/HalfBits.hpp>

namespace poplar {

/// IEEE binary16 on the host and on devices alike: its bits, and what float they stand for.
class IeeeHalf {
 public:
  IeeeHalf() : bits_(0) {}
  IeeeHalf(float value) : bits_(detail::floatToHalf(value)) {}
  static IeeeHalf fromBits(std::uint16_t bits) {
    IeeeHalf out;
    out.bits_ = bits;
    return out;
  }
  operator float() const { return detail::halfToFloat(bits_); }
  std::uint16_t bit16() const { return bits_; }

 private:
  std::uint16_t bits_;
};

}  // namespace poplar

#endif  // poplar_IeeeHalf_hpp
