#ifndef poputil_VertexTemplates_hpp
#define poputil_VertexTemplates_hpp

#include <poplar/StringRef.hpp>
#include <poplar/Type.hpp>
#include <string>
#include <utility>

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

/// The arguments after the first, ",a,b>", or all of them, "<a,b>".
inline std::string templateVertexParams(bool first) { return first ? "" : ">"; }
template <class... Args>
std::string templateVertexParams(bool first, const std::string& val, Args&&... args);
template <class... Args>
std::string templateVertexParams(bool first, const char* val, Args&&... args);
template <class T, class... Args>
std::string templateVertexParams(bool first, const T& val, Args&&... args) {
  return templateVertexParams(first, VertexTemplateToString<T>::to_string(val),
                              std::forward<Args>(args)...);
}
template <class... Args>
std::string templateVertexParams(bool first, const char* val, Args&&... args) {
  return templateVertexParams(first, std::string(val), std::forward<Args>(args)...);
}
template <class... Args>
std::string templateVertexParams(bool first, const std::string& val, Args&&... args) {
  return (first ? "<" : ",") + val + templateVertexParams(false, std::forward<Args>(args)...);
}

/// Name of an instance of a vertex template: templateVertex("ns::X", FLOAT, 4, true) is
/// "ns::X<float,4,true>".
template <class... Args>
std::string templateVertex(const std::string& name, Args&&... args) {
  return name + templateVertexParams(true, std::forward<Args>(args)...);
}

}  // namespace poputil

#endif  // poputil_VertexTemplates_hpp
