#ifndef popart_util_hpp
#define popart_util_hpp

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

namespace popart {

/// Writes [a b c].
template <class T>
void appendSequence(std::ostream& out, const T& values) {
  const char* separator = "";
  out << '[';
  for (const auto& value : values) {
    out << separator << value;
    separator = " ";
  }
  out << ']';
}

template <class X, class Y>
std::vector<Y> vXtoY(const std::vector<X>& values) {
  std::vector<Y> out;
  out.reserve(values.size());
  for (const X& value : values) out.push_back(static_cast<Y>(value));
  return out;
}

template <class T1, class T2>
std::vector<T1> vector_cast(const std::vector<T2>& values) {
  return vXtoY<T2, T1>(values);
}

template <class T>
bool isOneOf(const T& x, const std::vector<T>& values) {
  return std::find(values.begin(), values.end(), x) != values.end();
}

}  // namespace popart

#endif  // popart_util_hpp
