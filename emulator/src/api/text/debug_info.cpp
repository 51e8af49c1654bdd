// The file of debug information: a record for each DebugInfo, and the texts of their locations.
#include <atomic>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <poplar/DebugContext.hpp>
#include <poplar/exceptions.hpp>

#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void openStreamer(const std::string& file) {
  throw poplar_error(
      text("DebugInfo::initializeStreamer: expected no open streamer for '", file, "', got one"));
}

[[noreturn]] void unwritable(const char* operation, const std::string& file) {
  throw poplar_error(text(operation, ": expected a file that can be written, got '", file, "'"));
}

}  // namespace

}  // namespace errors

namespace {

// RFC 8949: the type of an item in three bits, then its number in the fewest bytes.
class CborWriter {
 public:
  explicit CborWriter(std::ostream& out) : out_(out) {}

  void write(const ProfileValue& value) {
    switch (value.type()) {
      case ProfileValue::Type::NONE:
        out_.put(static_cast<char>(0xf6));
        break;
      case ProfileValue::Type::BOOL:
        out_.put(static_cast<char>(value.asBool() ? 0xf5 : 0xf4));
        break;
      case ProfileValue::Type::NUMBER:
        number(value.asDouble());
        break;
      case ProfileValue::Type::STRING:
        string(value.asString());
        break;
      case ProfileValue::Type::VECTOR:
        head(4, value.asVector().size());
        for (const ProfileValue& v : value.asVector()) write(v);
        break;
      case ProfileValue::Type::MAP:
        head(5, value.asMap().size());
        for (const auto& entry : value.asMap()) {
          string(entry.first);
          write(entry.second);
        }
    }
  }

 private:
  void bytes(uint64_t n, int count) {
    for (int i = count - 1; i >= 0; --i) out_.put(static_cast<char>(n >> (8 * i) & 0xff));
  }

  void head(int major, uint64_t n) {
    int log = -1;  // of the bytes that follow
    if (n >= 24) log = n < 0x100 ? 0 : n < 0x10000 ? 1 : n < 0x100000000 ? 2 : 3;
    out_.put(static_cast<char>(major << 5 | (log < 0 ? static_cast<int>(n) : 24 + log)));
    if (log >= 0) bytes(n, 1 << log);
  }

  void number(double x) {
    constexpr double kExact = 9007199254740992;  // 2^53
    if (x == std::floor(x) && std::fabs(x) <= kExact) {
      return x < 0 ? head(1, static_cast<uint64_t>(-1 - x)) : head(0, static_cast<uint64_t>(x));
    }
    uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    out_.put(static_cast<char>(0xfb));
    bytes(bits, 8);
  }

  void string(const std::string& text) {
    head(3, text.size());
    out_ << text;
  }

  std::ostream& out_;
};

struct Streamer {
  std::mutex mutex;
  bool open = false;
  std::string file;
  DebugSerializationFormat format = DebugSerializationFormat::CBOR;
  ProfileValue::Vector contexts, strings;
  std::map<std::string, size_t> string_ids;

  ProfileValue idOf(StringRef text) {
    const auto added = string_ids.insert({text, strings.size()});
    if (added.second) strings.push_back(std::string(text));
    return ProfileValue(added.first->second);
  }
};

Streamer& streamer() {
  static Streamer one;
  return one;
}

DebugId nextId() {
  static std::atomic<DebugId> last{0};
  return ++last;
}

}  // namespace

}  // namespace emulator

DebugInfo::DebugInfo(const DebugContext& context, std::string layer)
    : parent_(context.getNameAndId().getId()), id_(context.getPathName(), emulator::nextId()) {
  emulator::Streamer& s = emulator::streamer();
  std::lock_guard<std::mutex> lock(s.mutex);
  if (!s.open) return;
  recorded_ = true;
  const SourceLocation& at = context.location_;
  setValue("id", ProfileValue(getId()));
  setValue("parentId", ProfileValue(parent_));
  setValue("layer", ProfileValue(layer));
  setValue("name", ProfileValue(context.getName()));
  setValue("location", ProfileValue::Map{{"fileName", s.idOf(at.getFileName())},
                                         {"functionName", s.idOf(at.getFunctionName())},
                                         {"lineNumber", at.getLineNumber()}});
}

DebugInfo::~DebugInfo() {
  emulator::Streamer& s = emulator::streamer();
  std::lock_guard<std::mutex> lock(s.mutex);
  if (s.open && recorded_) s.contexts.push_back(values_);
}

void DebugInfo::initializeStreamer(const std::string& fileName,
                                   const DebugSerializationFormat& format) {
  emulator::Streamer& s = emulator::streamer();
  std::lock_guard<std::mutex> lock(s.mutex);
  if (s.open) emulator::errors::openStreamer(fileName);
  if (!std::ofstream(fileName)) {
    emulator::errors::unwritable("DebugInfo::initializeStreamer", fileName);
  }
  s.open = true;
  s.file = fileName;
  s.format = format;
}

void DebugInfo::closeStreamer() {
  emulator::Streamer& s = emulator::streamer();
  std::lock_guard<std::mutex> lock(s.mutex);
  if (!s.open) return;
  std::ofstream out(s.file, std::ios::binary);
  const ProfileValue all = ProfileValue::Map{{"contexts", s.contexts}, {"stringTable", s.strings}};
  if (s.format == DebugSerializationFormat::JSON) {
    serializeToJSON(out, all);
  } else {
    emulator::CborWriter(out).write(all);
  }
  s.open = false;
  s.contexts.clear();
  s.strings.clear();
  s.string_ids.clear();
  out.flush();
  if (!out) emulator::errors::unwritable("DebugInfo::closeStreamer", s.file);
}

}  // namespace poplar
