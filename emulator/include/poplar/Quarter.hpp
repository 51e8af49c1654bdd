#ifndef poplar_Quarter_hpp
#define poplar_Quarter_hpp

#include <ostream>

namespace poplar {

/// How the bits of 8-bit floating point numbers are read: their format, and a power of two that
/// scales them. As a device stores it: one byte, which a host may read and write.
class QuarterMetadata {
 public:
  enum class Format { F143, F152 };

  QuarterMetadata() : QuarterMetadata(Format::F143, 0) {}
  /// A scale from -32 to 31.
  QuarterMetadata(Format format, int scale)
      : bits_(static_cast<unsigned char>((format == Format::F152 ? 0x80 : 0) | (scale & 0x3f))) {}

  Format getFormat() const { return (bits_ & 0x80) != 0 ? Format::F152 : Format::F143; }
  int getScale() const { return (bits_ & 0x3f) - ((bits_ & 0x20) != 0 ? 64 : 0); }
  /// The format in the top bit, and the scale in six bits.
  unsigned char getBinary() const { return bits_; }
  friend bool operator==(const QuarterMetadata& a, const QuarterMetadata& b) {
    return a.bits_ == b.bits_;
  }
  friend bool operator!=(const QuarterMetadata& a, const QuarterMetadata& b) { return !(a == b); }

 private:
  unsigned char bits_;
};

inline std::ostream& operator<<(std::ostream& out, const QuarterMetadata& m) {
  return out << (m.getFormat() == QuarterMetadata::Format::F143 ? "F143" : "F152") << " with scale "
             << m.getScale();
}

}  // namespace poplar

#endif  // poplar_Quarter_hpp
