#ifndef poplar_Quarter_hpp
#define poplar_Quarter_hpp

#include <cstddef>
#include <cstdint>
#include <ostream>

namespace poplar {

/// How the bits of 8-bit floating point numbers are read: their format, and a power of two that
/// scales them.
class QuarterMetadata {
 public:
  enum class Format { F143, F152 };

  QuarterMetadata() : format_(Format::F143), scale_(0) {}
  QuarterMetadata(Format format, int scale)
      : format_(format), scale_(static_cast<std::int8_t>(scale)) {}

  Format getFormat() const { return format_; }
  int getScale() const { return scale_; }
  /// The format in the top bit, and the scale in six bits.
  unsigned char getBinary() const {
    return static_cast<unsigned char>((format_ == Format::F152 ? 0x80 : 0) | (scale_ & 0x3f));
  }
  friend bool operator==(const QuarterMetadata& a, const QuarterMetadata& b) {
    return a.format_ == b.format_ && a.scale_ == b.scale_;
  }
  friend bool operator!=(const QuarterMetadata& a, const QuarterMetadata& b) { return !(a == b); }

 private:
  Format format_;
  std::int8_t scale_;
};

inline std::ostream& operator<<(std::ostream& out, const QuarterMetadata& m) {
  return out << (m.getFormat() == QuarterMetadata::Format::F143 ? "F143" : "F152") << " with scale "
             << m.getScale();
}

}  // namespace poplar

#endif  // poplar_Quarter_hpp
