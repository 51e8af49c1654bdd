// The emulator's own: what tells that bytes are those that were written. The SDK has no such
// header.
#ifndef poplar_emulator_Checksum_hpp
#define poplar_emulator_Checksum_hpp

#include <cstddef>
#include <cstdint>
#include <vector>

namespace poplar {
namespace emulator {

/// CRC-64/XZ of the bytes; of "123456789" 0x995dc9bbdf1939fa. A changed bit always changes it, and
/// so do all changes within 64 bits.
inline std::uint64_t checksum(const char* data, std::size_t size) {
  static const std::vector<std::uint64_t> table = [] {
    std::vector<std::uint64_t> out;
    for (std::uint64_t byte = 0; byte < 256; ++byte) {
      std::uint64_t value = byte;
      for (int bit = 0; bit < 8; ++bit)
        value = (value >> 1) ^ ((value & 1) != 0 ? 0xc96c5795d7870f42u : 0);
      out.push_back(value);
    }
    return out;
  }();
  std::uint64_t value = ~std::uint64_t(0);
  for (std::size_t i = 0; i < size; ++i)
    value = table[(value ^ static_cast<unsigned char>(data[i])) & 0xff] ^ (value >> 8);
  return ~value;
}

}  // namespace emulator
}  // namespace poplar

#endif  // poplar_emulator_Checksum_hpp
