#ifndef poplar_DebugContext_hpp
#define poplar_DebugContext_hpp

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

/// A name with the path of its parents: the strings that name things in messages.
class DebugNameAndId {
 public:
  DebugNameAndId() {}
  DebugNameAndId(const char* name) : path_(name) {}
  DebugNameAndId(const std::string& name) : path_(name) {}
  DebugNameAndId(StringRef name) : path_(name) {}
  inline DebugNameAndId(const DebugContext& context);
  DebugNameAndId(const DebugNameAndId& parent, StringRef name) : path_(parent.path_) {
    if (!path_.empty() && !name.empty()) path_ += '/';
    path_ += name;
  }
  std::string getPathName() const { return path_; }
  std::string getName() const {
    const std::string::size_type slash = path_.rfind('/');
    return slash == std::string::npos ? path_ : path_.substr(slash + 1);
  }

 private:
  std::string path_;
};

class DebugInfo;

class DebugContext {
 public:
  DebugContext(SourceLocation = SourceLocation::Current()) {}
  DebugContext(const char* name, SourceLocation = SourceLocation::Current()) : id_(name) {}
  DebugContext(const std::string& name, SourceLocation = SourceLocation::Current()) : id_(name) {}
  DebugContext(StringRef name, SourceLocation = SourceLocation::Current()) : id_(name) {}
  DebugContext(const DebugNameAndId& id, SourceLocation = SourceLocation::Current()) : id_(id) {}
  DebugContext(const DebugNameAndId& id, StringRef name, SourceLocation = SourceLocation::Current())
      : id_(id, name) {}
  inline DebugContext(const DebugInfo& parent, StringRef name = "",
                      SourceLocation = SourceLocation::Current());

  std::string getPathName() const { return id_.getPathName(); }
  std::string getName() const { return id_.getName(); }
  const DebugNameAndId& getNameAndId() const { return id_; }

 private:
  DebugNameAndId id_;
};

DebugNameAndId::DebugNameAndId(const DebugContext& context) : path_(context.getPathName()) {}

/// Base of what library layers record about their calls: a name, and values for tools to show.
class DebugInfo {
 public:
  DebugInfo(const DebugContext& context, std::string layer) : id_(context.getNameAndId()) {
    (void)layer;
  }
  virtual ~DebugInfo() {}
  std::string getPathName() const { return id_.getPathName(); }
  const DebugNameAndId& getNameAndId() const { return id_; }
  /// Whether the value was recorded: not where the name has one already.
  bool setValue(std::string name, const ProfileValue& value) {
    return values_.insert({std::move(name), value}).second;
  }

 private:
  DebugNameAndId id_;
  ProfileValue::Map values_;
};

DebugContext::DebugContext(const DebugInfo& parent, StringRef name, SourceLocation)
    : id_(parent.getNameAndId(), name) {}

inline std::ostream& operator<<(std::ostream& out, const DebugNameAndId& id) {
  return out << id.getPathName();
}
inline std::ostream& operator<<(std::ostream& out, const DebugContext& context) {
  return out << context.getPathName();
}

}  // namespace poplar

#endif  // poplar_DebugContext_hpp
