// The tree of debugging information entries (DIEs) of a shared object, DWARF 4: the subset
// that tells how classes are laid out.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "elf_sections.hpp"

namespace popc {

// Values of the DWARF standard, section 7.5.
enum Tag : uint16_t {
  kTagArray = 0x01,
  kTagClass = 0x02,
  kTagEnumeration = 0x04,
  kTagParameter = 0x05,
  kTagMember = 0x0d,
  kTagPointer = 0x0f,
  kTagReference = 0x10,
  kTagCompileUnit = 0x11,
  kTagStructure = 0x13,
  kTagSubroutineType = 0x15,
  kTagTypedef = 0x16,
  kTagUnion = 0x17,
  kTagInheritance = 0x1c,
  kTagPointerToMember = 0x1f,
  kTagSubrange = 0x21,
  kTagBase = 0x24,
  kTagConst = 0x26,
  kTagEnumerator = 0x28,
  kTagSubprogram = 0x2e,
  kTagTemplateType = 0x2f,
  kTagTemplateValue = 0x30,
  kTagVolatile = 0x35,
  kTagNamespace = 0x39,
  kTagRvalueReference = 0x42,
  kTagParameterPack = 0x4107,
};

struct Die {
  Tag tag{};
  uint64_t offset = 0;  // in .debug_info
  const Die* parent = nullptr;
  std::vector<const Die*> children;

  const char* name = nullptr;
  uint64_t type = 0;           // offset of a DIE, 0 for none (void)
  uint64_t specification = 0;  // offset of the declaration that this DIE defines, 0 for none
  int64_t const_value = 0;
  uint64_t member_offset = 0, byte_size = 0, bit_size = 0, array_size = 0, virtuality = 0;
  bool has_const_value = false, has_member_offset = false, has_array_size = false;
  bool declaration = false, artificial = false, vector = false;
};

class Dwarf {
 public:
  explicit Dwarf(const std::string& path);  // throws std::runtime_error

  const std::vector<const Die*>& units() const { return units_; }
  // nullptr for offset 0 (no type: void).
  const Die* at(uint64_t offset) const;

 private:
  struct Attribute {
    uint64_t name, form;
  };
  struct Abbreviation {
    uint64_t tag;
    bool has_children;
    std::vector<Attribute> attributes;
  };
  using Abbreviations = std::unordered_map<uint64_t, Abbreviation>;
  class Cursor;

  Abbreviations readAbbreviations(uint64_t offset) const;
  void readUnit(Cursor& cursor);
  void readAttribute(Cursor& cursor, const Attribute& attribute, uint64_t unit_offset, Die& die);

  ElfSections elf_;
  Bytes info_, abbrev_, str_;
  std::unordered_map<uint64_t, Die> dies_;  // by offset; nodes never move
  std::vector<const Die*> units_;
};

}  // namespace popc
