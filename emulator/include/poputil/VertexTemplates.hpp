#ifndef poputil_VertexTemplates_hpp
#define poputil_VertexTemplates_hpp

#include <poplar/StringRef.hpp>
#include <poplar/Type.hpp>
#include <string>

namespace poputil {

/// How a template argument is written in the name of a vertex. Specialise it for enumerations.
template <class T>
struct VertexTemplateToString {
  static std::string to_string(const T& x) { return std::to_string(x); }
};
template <>
struct VertexTemplateToString<poplar::StringRef> {
  static std::string to_string(const poplar::StringRef& x) { return x; }
};
template <>
struct VertexTemplateToString<std::string> {
  static std::string to_string(const std::string& x) { return x; }
};
template <>
struct VertexTemplateToString<poplar::Type> {
  static std::string to_string(const poplar::Type& x) { return x.toString(); }
};
template <>
struct VertexTemplateToString<bool> {
  static std::string to_string(bool x) { return x ? "true" : "false"; }
};

namespace detail {

template <class T>
std::string templateArgument(const T& x) {
  return VertexTemplateToString<T>::to_string(x);
}
inline std::string templateArgument(const char* text) { return text; }

inline void templateArguments(std::string&) {}
template <class First, class... Rest>
void templateArguments(std::string& out, const First& first, const Rest&... rest) {
  if (out.back() != '<') out += ',';
  out += templateArgument(first);
  templateArguments(out, rest...);
}

}  // namespace detail

/// Name of an instance of a vertex template: templateVertex("ns::X", FLOAT, 4, true) is
/// "ns::X<float,4,true>".
inline std::string templateVertex(const std::string& name) { return name; }
template <class... Args>
std::string templateVertex(const std::string& name, const Args&... args) {
  std::string out = name + "<";
  detail::templateArguments(out, args...);
  return out + ">";
}

}  // namespace poputil

#endif  // poputil_VertexTemplates_hpp
