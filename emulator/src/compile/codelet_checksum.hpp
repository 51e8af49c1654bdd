// The end of a .gp, which popc writes and the runtime checks: a flipped bit or a truncated file
// would otherwise crash the loader of libraries, or change what codelets compute. Loaders of ELF
// files ignore what follows the sections.
#pragma once
#include <cstdio>
#include <cstdlib>
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

// Behind the library for a model a file may hold another one for devices, where the two differ;
// this is it as a file of its own, and where it begins, for what follows `begin` bytes.
constexpr char kDeviceLine[] = "\npopc device\n";
constexpr size_t kDeviceEnd = sizeof(kDeviceLine) - 1 + 16;

inline std::string devicePart(const std::string& library, size_t begin) {
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(begin));
  return library + checksumEnd(library) + kDeviceLine + digits;
}

// The device's library in a whole file; empty where it has none.
inline std::string deviceLibrary(const std::string& file) {
  const size_t end = file.size() - kChecksumEnd;
  if (end < kDeviceEnd) return "";
  const size_t line = end - kDeviceEnd;
  if (file.compare(line, sizeof(kDeviceLine) - 1, kDeviceLine) != 0) return "";
  const size_t begin = std::strtoull(file.c_str() + end - 16, nullptr, 16);
  return begin < line ? file.substr(begin, line - begin) : "";
}

inline bool isWhole(const std::string& file) {
  if (file.size() < kChecksumEnd) return false;
  const std::string library = file.substr(0, file.size() - kChecksumEnd);
  return file.compare(library.size(), kChecksumEnd, checksumEnd(library)) == 0;
}

}  // namespace emulator
}  // namespace poplar
