// Formatting of error messages.
#pragma once
#include <poplar/ArrayRef.hpp>
#include <sstream>
#include <string>

namespace poplar {
namespace emulator {
namespace errors {

template <class... Values>
std::string text(const Values&... values) {
  std::ostringstream out;
  const int expand[] = {0, ((out << values), 0)...};
  static_cast<void>(expand);
  return out.str();
}

template <class T>
std::string listText(ArrayRef<T> list) {
  std::ostringstream out;
  const char* separator = "{";
  for (const T& v : list) {
    out << separator << v;
    separator = ",";
  }
  return out.str() + (list.empty() ? "{}" : "}");
}

}  // namespace errors
}  // namespace emulator
}  // namespace poplar
