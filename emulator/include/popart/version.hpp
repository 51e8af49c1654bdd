#ifndef popart_version_hpp
#define popart_version_hpp

#include <cstdint>

// Of the SDK whose names the emulation has; other numbers are 0 and texts are empty.
#define POPART_VERSION_MAJOR 3
#define POPART_VERSION_MINOR 4
#define POPART_VERSION_PATCH 0
#define POPART_VERSION_STRING "3.4.0"
#define POPART_VERSION_HASH ""
#define POPART_PACKAGE_HASH ""
#define POPART_VERSION_STRING_WITH_HASH POPART_VERSION_STRING " (" POPART_VERSION_HASH ")"

namespace popart {
namespace core {

struct VersionNumber {
  std::uint32_t major, minor, point;
};

constexpr bool operator==(const VersionNumber& a, const VersionNumber& b) noexcept {
  return a.major == b.major && a.minor == b.minor && a.point == b.point;
}
constexpr bool operator!=(const VersionNumber& a, const VersionNumber& b) noexcept {
  return !(a == b);
}
constexpr bool operator<(const VersionNumber& a, const VersionNumber& b) noexcept {
  return a.major != b.major   ? a.major < b.major
         : a.minor != b.minor ? a.minor < b.minor
                              : a.point < b.point;
}

constexpr VersionNumber versionMake(std::uint8_t major, std::uint8_t minor, std::uint8_t patch) {
  return VersionNumber{major, minor, patch};
}
constexpr VersionNumber versionGetCurrent() {
  return versionMake(POPART_VERSION_MAJOR, POPART_VERSION_MINOR, POPART_VERSION_PATCH);
}
inline VersionNumber versionNumber() { return versionGetCurrent(); }
inline const char* versionString() { return POPART_VERSION_STRING; }
inline const char* versionHashString() { return POPART_VERSION_STRING_WITH_HASH; }
inline const char* packageHash() { return POPART_PACKAGE_HASH; }

}  // namespace core
}  // namespace popart

#endif  // popart_version_hpp
