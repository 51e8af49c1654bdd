#ifndef poplar_StringRef_hpp
#define poplar_StringRef_hpp

#include <cstring>
#include <ostream>
#include <poplar/ArrayRef.hpp>
#include <string>

namespace poplar {

/// Non-owning view of text; not necessarily terminated by a zero.
class StringRef : public ArrayRef<char> {
 public:
  StringRef() {}
  StringRef(const char* text) : ArrayRef<char>(text, text == nullptr ? 0 : std::strlen(text)) {}
  StringRef(const char* text, std::size_t size) : ArrayRef<char>(text, size) {}
  StringRef(const std::string& text) : ArrayRef<char>(text.data(), text.size()) {}

  std::string str() const { return std::string(data(), size()); }
  std::string cloneAsString() const { return str(); }
  operator std::string() const { return str(); }
};

inline bool operator==(StringRef a, StringRef b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}
inline bool operator!=(StringRef a, StringRef b) { return !(a == b); }
inline bool operator<(StringRef a, StringRef b) { return a.str() < b.str(); }
inline std::string operator+(std::string a, StringRef b) { return a.append(b.data(), b.size()); }
inline std::string operator+(StringRef a, const std::string& b) { return a.str() + b; }
inline std::ostream& operator<<(std::ostream& out, StringRef s) {
  return out.write(s.data(), static_cast<std::streamsize>(s.size()));
}

}  // namespace poplar

#endif  // poplar_StringRef_hpp
