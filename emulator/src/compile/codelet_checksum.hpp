// The end of a .gp, which popc writes and the runtime checks: a flipped bit or a truncated file
// would otherwise crash the loader of libraries, or change what codelets compute. Loaders of ELF
// files ignore what follows the sections.
#pragma once
#include <cstdio>
#include <poplar/emulator/Checksum.hpp>
#include <string>

namespace poplar {
namespace emulator {

constexpr char kChecksumLine[] = "\npopc checksum\n";

// The line, and the checksum of `library` in 16 hexadecimal digits.
inline std::string checksumEnd(const std::string& library) {
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx",
                static_cast<unsigned long long>(checksum(library.data(), library.size())));
  return std::string(kChecksumLine) + digits;
}

constexpr size_t kChecksumEnd = sizeof(kChecksumLine) - 1 + 16;

inline bool isWhole(const std::string& file) {
  if (file.size() < kChecksumEnd) return false;
  const std::string library = file.substr(0, file.size() - kChecksumEnd);
  return file.compare(library.size(), kChecksumEnd, checksumEnd(library)) == 0;
}

}  // namespace emulator
}  // namespace poplar
