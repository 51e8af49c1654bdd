#include "elf_sections.hpp"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace popc {
namespace {

template <typename T>
T readAt(const std::string& file, size_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) {
    throw std::runtime_error("popc: the compiled codelet is a truncated ELF file");
  }
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

Bytes bytesOf(const std::string& file, const Elf64_Shdr& section) {
  if (section.sh_offset + section.sh_size > file.size()) {
    throw std::runtime_error("popc: the compiled codelet is a truncated ELF file");
  }
  return {reinterpret_cast<const unsigned char*>(file.data()) + section.sh_offset, section.sh_size};
}

}  // namespace

ElfSections::ElfSections(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  file_.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  const auto header = readAt<Elf64_Ehdr>(file_, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB) {
    throw std::runtime_error("popc: expected the compiler to make a 64-bit little-endian ELF file");
  }
}

std::vector<Bytes> ElfSections::ofType(unsigned type) const {
  const auto header = readAt<Elf64_Ehdr>(file_, 0);
  std::vector<Bytes> out;
  for (size_t i = 0; i < header.e_shnum; ++i) {
    const auto s = readAt<Elf64_Shdr>(file_, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (s.sh_type == type) out.push_back(bytesOf(file_, s));
  }
  return out;
}

Bytes ElfSections::find(const std::string& name) const {
  const auto header = readAt<Elf64_Ehdr>(file_, 0);
  const auto section = [&](size_t i) {
    return readAt<Elf64_Shdr>(file_, header.e_shoff + i * sizeof(Elf64_Shdr));
  };
  const auto names = section(header.e_shstrndx);
  for (size_t i = 0; i < header.e_shnum; ++i) {
    const auto s = section(i);
    if (file_.compare(names.sh_offset + s.sh_name, name.size() + 1, name.c_str(),
                      name.size() + 1) != 0) {
      continue;
    }
    if (s.sh_flags & SHF_COMPRESSED) {
      throw std::runtime_error("popc: expected uncompressed debug information, got a compressed " +
                               name);
    }
    return bytesOf(file_, s);
  }
  return {};
}

}  // namespace popc
