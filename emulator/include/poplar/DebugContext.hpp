#ifndef poplar_DebugContext_hpp
#define poplar_DebugContext_hpp

#include <cstdint>
#include <poplar/ProfileValue.hpp>
#include <poplar/StringRef.hpp>
#include <string>
#include <utility>

namespace poplar {

class SourceLocation {
 public:
  SourceLocation() : function_(""), file_(""), line_(0) {}
  SourceLocation(StringRef function, StringRef file, unsigned line)
      : function_(function), file_(file), line_(line) {}
  StringRef getFunctionName() const { return function_; }
  StringRef getFileName() const { return file_; }
  unsigned getLineNumber() const { return line_; }
  static SourceLocation Current(const char* function = __builtin_FUNCTION(),
                                const char* file = __builtin_FILE(),
                                unsigned line = __builtin_LINE()) {
    return SourceLocation(function, file, line);
  }

 private:
  StringRef function_, file_;
  unsigned line_;
};

class DebugContext;
class DebugInfo;

/// What a record of debug information is found by; 0: there is none.
typedef std::uint64_t DebugId;

/// A name with the path of its parents: the strings that name things in messages.
class DebugNameAndId {
 public:
  DebugNameAndId() {}
  DebugNameAndId(const char* name) : path_(name) {}
  DebugNameAndId(const std::string& name) : path_(name) {}
  DebugNameAndId(StringRef name) : path_(name) {}
  inline DebugNameAndId(const DebugContext& context);
  explicit DebugNameAndId(DebugId id) : id_(id) {}
  DebugNameAndId(const std::string& name, DebugId id, const std::string& parentPath = "")
      : path_(joined(parentPath, name)), id_(id) {}
  inline DebugNameAndId(const DebugInfo& info, StringRef name = "");
  DebugNameAndId(const DebugNameAndId& parent, StringRef name)
      : path_(joined(parent.path_, name)), id_(parent.id_) {}
  std::string getPathName() const { return path_; }
  std::string getName() const {
    const std::string::size_type slash = path_.rfind('/');
    return slash == std::string::npos ? path_ : path_.substr(slash + 1);
  }

  DebugId getId() const { return id_; }

 private:
  static std::string joined(std::string parent, StringRef name) {
    if (!parent.empty() && !name.empty()) parent += '/';
    return parent + name;
  }

  std::string path_;
  DebugId id_ = 0;
};

class DebugContext {
 public:
  DebugContext(SourceLocation loc = SourceLocation::Current()) : location_(loc) {}
  DebugContext(const char* name, SourceLocation loc = SourceLocation::Current())
      : id_(name), location_(loc) {}
  DebugContext(const std::string& name, SourceLocation loc = SourceLocation::Current())
      : id_(name), location_(loc) {}
  DebugContext(StringRef name, SourceLocation loc = SourceLocation::Current())
      : id_(name), location_(loc) {}
  DebugContext(const DebugNameAndId& id, SourceLocation loc = SourceLocation::Current())
      : id_(id), location_(loc) {}
  DebugContext(const DebugNameAndId& id, StringRef name,
               SourceLocation loc = SourceLocation::Current())
      : id_(id, name), location_(loc) {}
  inline DebugContext(const DebugInfo& parent, StringRef name = "",
                      SourceLocation loc = SourceLocation::Current());

  std::string getPathName() const { return id_.getPathName(); }
  std::string getName() const { return id_.getName(); }
  const DebugNameAndId& getNameAndId() const { return id_; }

 private:
  friend class DebugInfo;
  DebugNameAndId id_;
  SourceLocation location_;
};

DebugNameAndId::DebugNameAndId(const DebugContext& context)
    : path_(context.getPathName()), id_(context.getNameAndId().getId()) {}

/// How records are written to their file.
enum class DebugSerializationFormat { JSON, CBOR };

/// Base of what library layers record about their calls: a name, and values for tools to show.
/// While there is a streamer, a record is written to its file when its object goes.
class DebugInfo {
 public:
  DebugInfo(const DebugContext& context, std::string layer);
  /// A copy has the same id, and writes no second record.
  DebugInfo(const DebugInfo& other)
      : parent_(other.parent_), id_(other.id_), values_(other.values_) {}
  DebugInfo& operator=(const DebugInfo& other) {
    parent_ = other.parent_;
    id_ = other.id_;
    values_ = other.values_;
    return *this;
  }
  virtual ~DebugInfo();
  std::string getPathName() const { return id_.getPathName(); }
  const DebugNameAndId& getNameAndId() const { return id_; }
  DebugId getId() const { return id_.getId(); }
  /// The file that all records go to: {"contexts": [...], "stringTable": [...]}, where a context
  /// has "id", "parentId", "layer", "name", "location" and its values. Throws `poplar_error` where
  /// there is a streamer, or the file cannot be written.
  static void initializeStreamer(
      const std::string& fileName,
      const DebugSerializationFormat& format = DebugSerializationFormat::CBOR);
  static void closeStreamer();
  /// Whether the value was recorded: not where the name has one already.
  bool setValue(std::string name, const ProfileValue& value) {
    return values_.insert({std::move(name), value}).second;
  }

 private:
  DebugId parent_;
  DebugNameAndId id_;
  ProfileValue::Map values_;
  bool recorded_ = false;
};

DebugNameAndId::DebugNameAndId(const DebugInfo& info, StringRef name)
    : DebugNameAndId(info.getNameAndId(), name) {}

DebugContext::DebugContext(const DebugInfo& parent, StringRef name, SourceLocation loc)
    : id_(parent.getNameAndId(), name), location_(loc) {}

inline std::ostream& operator<<(std::ostream& out, const DebugNameAndId& id) {
  return out << id.getPathName();
}
inline std::ostream& operator<<(std::ostream& out, const DebugContext& context) {
  return out << context.getPathName();
}

}  // namespace poplar

#endif  // poplar_DebugContext_hpp
