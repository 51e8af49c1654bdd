#ifndef popart_half_hpp
#define popart_half_hpp

#include <poplar/IeeeHalf.hpp>

namespace popart {

/// IEEE binary16 on the host.
class Half {
 public:
  Half() : value_(0.0f) {}
  Half(float value) : value_(value) {}
  operator float() const { return static_cast<float>(value_); }

 private:
  poplar::IeeeHalf value_;
};

using float16_t = Half;

}  // namespace popart

#endif  // popart_half_hpp
