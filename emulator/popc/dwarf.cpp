#include "dwarf.hpp"

#include <cstring>
#include <stdexcept>

namespace popc {
namespace {

// Values of the DWARF standard, section 7.5: attributes and forms that are read here.
enum AttributeName : uint64_t {
  kName = 0x03,
  kByteSize = 0x0b,
  kBitSize = 0x0d,
  kConstValue = 0x1c,
  kUpperBound = 0x2f,
  kArtificial = 0x34,
  kCount = 0x37,
  kMemberLocation = 0x38,
  kDeclaration = 0x3c,
  kSpecification = 0x47,
  kType = 0x49,
  kVirtuality = 0x4c,
  kGnuVector = 0x2107,
};

enum Form : uint64_t {
  kAddr = 0x01,
  kBlock2 = 0x03,
  kBlock4 = 0x04,
  kData2 = 0x05,
  kData4 = 0x06,
  kData8 = 0x07,
  kString = 0x08,
  kBlock = 0x09,
  kBlock1 = 0x0a,
  kData1 = 0x0b,
  kFlag = 0x0c,
  kSdata = 0x0d,
  kStrp = 0x0e,
  kUdata = 0x0f,
  kRefAddr = 0x10,
  kRef1 = 0x11,
  kRef2 = 0x12,
  kRef4 = 0x13,
  kRef8 = 0x14,
  kRefUdata = 0x15,
  kSecOffset = 0x17,
  kExprloc = 0x18,
  kFlagPresent = 0x19,
  kRefSig8 = 0x20,
};

constexpr unsigned char kOpPlusUconst = 0x23;

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error("popc: cannot read the compiler's debug information: " + what);
}

}  // namespace

// Reads the bytes of one section in order; every read is checked.
class Dwarf::Cursor {
 public:
  Cursor(Bytes bytes, uint64_t position) : bytes_(bytes), position_(position) {}

  uint64_t position() const { return position_; }
  bool atEnd() const { return position_ >= bytes_.size; }
  void skip(uint64_t count) {
    if (position_ > bytes_.size || bytes_.size - position_ < count) fail("truncated section");
    position_ += count;
  }
  template <typename T>
  T fixed() {
    T value;
    const uint64_t from = position_;
    skip(sizeof value);
    std::memcpy(&value, bytes_.data + from, sizeof value);
    return value;
  }
  uint64_t uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = fixed<uint8_t>();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (!(byte & 0x80)) return value;
    }
  }
  int64_t sleb() {
    uint64_t value = 0;
    for (unsigned shift = 0;;) {
      const auto byte = fixed<uint8_t>();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      shift += 7;
      if (byte & 0x80) continue;
      if (byte & 0x40 && shift < 64) value |= ~uint64_t{0} << shift;
      return static_cast<int64_t>(value);
    }
  }
  const char* string() {
    const uint64_t from = position_;
    while (fixed<char>() != '\0') {
    }
    return reinterpret_cast<const char*>(bytes_.data + from);
  }

 private:
  Bytes bytes_;
  uint64_t position_;
};

Dwarf::Dwarf(const std::string& path) : elf_(path) {
  info_ = elf_.find(".debug_info");
  abbrev_ = elf_.find(".debug_abbrev");
  str_ = elf_.find(".debug_str");
  if (info_.size == 0) fail("section .debug_info is missing");
  Cursor cursor(info_, 0);
  while (!cursor.atEnd()) readUnit(cursor);
}

const Die* Dwarf::at(uint64_t offset) const {
  if (offset == 0) return nullptr;
  const auto entry = dies_.find(offset);
  if (entry == dies_.end()) fail("a reference leads nowhere");
  return &entry->second;
}

Dwarf::Abbreviations Dwarf::readAbbreviations(uint64_t offset) const {
  Abbreviations out;
  Cursor cursor(abbrev_, offset);
  while (const uint64_t code = cursor.uleb()) {
    Abbreviation& abbreviation = out[code];
    abbreviation.tag = cursor.uleb();
    abbreviation.has_children = cursor.fixed<uint8_t>() != 0;
    for (;;) {
      Attribute attribute{cursor.uleb(), 0};
      attribute.form = cursor.uleb();
      if (attribute.name == 0 && attribute.form == 0) break;
      abbreviation.attributes.push_back(attribute);
    }
  }
  return out;
}

void Dwarf::readUnit(Cursor& cursor) {
  const uint64_t unit_offset = cursor.position();
  const uint64_t length = cursor.fixed<uint32_t>();
  if (length >= 0xfffffff0u) fail("expected 32-bit DWARF, got the 64-bit form");
  const uint64_t end = cursor.position() + length;
  const unsigned version = cursor.fixed<uint16_t>();
  if (version != 4) fail("expected DWARF version 4, got " + std::to_string(version));
  const Abbreviations abbreviations = readAbbreviations(cursor.fixed<uint32_t>());
  if (cursor.fixed<uint8_t>() != 8) fail("expected 8-byte addresses");

  std::vector<Die*> open;  // the DIEs whose list of children is being read
  while (cursor.position() < end) {
    const uint64_t offset = cursor.position();
    const uint64_t code = cursor.uleb();
    if (code == 0) {  // the end of a list of children
      if (!open.empty()) open.pop_back();
      continue;
    }
    const auto abbreviation = abbreviations.find(code);
    if (abbreviation == abbreviations.end()) fail("unknown abbreviation");
    Die& die = dies_[offset];
    die.offset = offset;
    die.tag = static_cast<Tag>(abbreviation->second.tag);
    die.parent = open.empty() ? nullptr : open.back();
    for (const Attribute& attribute : abbreviation->second.attributes) {
      readAttribute(cursor, attribute, unit_offset, die);
    }
    if (open.empty()) {
      units_.push_back(&die);
    } else {
      open.back()->children.push_back(&die);
    }
    if (abbreviation->second.has_children) open.push_back(&die);
  }
}

void Dwarf::readAttribute(Cursor& cursor, const Attribute& attribute, uint64_t unit_offset,
                          Die& die) {
  uint64_t value = 0;
  const char* string = nullptr;
  bool is_number = true;
  switch (attribute.form) {
    case kAddr:
    case kData8:
    case kRefSig8:
      value = cursor.fixed<uint64_t>();
      break;
    case kData1:
    case kFlag:
      value = cursor.fixed<uint8_t>();
      break;
    case kData2:
      value = cursor.fixed<uint16_t>();
      break;
    case kData4:
    case kSecOffset:
    case kRefAddr:
      value = cursor.fixed<uint32_t>();
      break;
    case kSdata:
      value = static_cast<uint64_t>(cursor.sleb());
      break;
    case kUdata:
      value = cursor.uleb();
      break;
    case kRef1:
      value = unit_offset + cursor.fixed<uint8_t>();
      break;
    case kRef2:
      value = unit_offset + cursor.fixed<uint16_t>();
      break;
    case kRef4:
      value = unit_offset + cursor.fixed<uint32_t>();
      break;
    case kRef8:
      value = unit_offset + cursor.fixed<uint64_t>();
      break;
    case kRefUdata:
      value = unit_offset + cursor.uleb();
      break;
    case kFlagPresent:
      value = 1;
      break;
    case kString:
      string = cursor.string();
      break;
    case kStrp:
      string = Cursor(str_, cursor.fixed<uint32_t>()).string();
      break;
    case kBlock1:
    case kBlock2:
    case kBlock4:
    case kBlock:
    case kExprloc: {
      const uint64_t size = attribute.form == kBlock1   ? cursor.fixed<uint8_t>()
                            : attribute.form == kBlock2 ? cursor.fixed<uint16_t>()
                            : attribute.form == kBlock4 ? cursor.fixed<uint32_t>()
                                                        : cursor.uleb();
      Cursor block = cursor;
      cursor.skip(size);
      is_number =
          attribute.name == kMemberLocation && size > 1 && block.fixed<uint8_t>() == kOpPlusUconst;
      if (is_number) value = block.uleb();
      break;
    }
    default:
      fail("unknown attribute form " + std::to_string(attribute.form));
  }

  if (string) {
    if (attribute.name == kName) die.name = string;
    return;
  }
  if (!is_number) return;
  switch (attribute.name) {
    case kByteSize:
      die.byte_size = value;
      break;
    case kBitSize:
      die.bit_size = value;
      break;
    case kConstValue:
      die.const_value = static_cast<int64_t>(value);
      die.has_const_value = true;
      break;
    case kUpperBound:
    case kCount:
      die.array_size = attribute.name == kCount ? value : value + 1;
      die.has_array_size = true;
      break;
    case kArtificial:
      die.artificial = value != 0;
      break;
    case kMemberLocation:
      die.member_offset = value;
      die.has_member_offset = true;
      break;
    case kDeclaration:
      die.declaration = value != 0;
      break;
    case kSpecification:
      die.specification = value;
      break;
    case kType:
      die.type = value;
      break;
    case kVirtuality:
      die.virtuality = value;
      break;
    case kGnuVector:
      die.vector = value != 0;
      break;
    default:
      break;
  }
}

}  // namespace popc
