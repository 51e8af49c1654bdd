#ifndef poputil_VertexTemplates_hpp
#define poputil_VertexTemplates_hpp

#include <poplar/Type.hpp>
#include <string>
#include <type_traits>

namespace poputil {

namespace detail {

inline std::string templateArgument(const poplar::Type& type) { return type.toString(); }
inline std::string templateArgument(const char* text) { return text; }
inline std::string templateArgument(const std::string& text) { return text; }
inline std::string templateArgument(bool b) { return b ? "true" : "false"; }
template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type>
std::string templateArgument(T value) {
  return std::to_string(value);
}

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
