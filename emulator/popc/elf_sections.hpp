// The sections of an ELF64 little-endian file that the DWARF reader needs.
#pragma once
#include <cstddef>
#include <string>

namespace popc {

struct Bytes {
  const unsigned char* data = nullptr;
  size_t size = 0;
};

class ElfSections {
 public:
  // Throws std::runtime_error where the file is no 64-bit little-endian ELF file.
  explicit ElfSections(const std::string& path);

  // Empty where there is no such section. Valid as long as this object.
  Bytes find(const std::string& name) const;

 private:
  std::string file_;
};

}  // namespace popc
