// The sections of an ELF64 little-endian file that popc reads.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

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
  // All of a type, such as SHT_RELA.
  std::vector<Bytes> ofType(unsigned type) const;

 private:
  std::string file_;
};

}  // namespace popc
