// The little that public poplibs sources use of a closed package.
#pragma once
#include <numeric>  // what it brings along

namespace gccs {

template <class T, class U>
constexpr auto ceildiv(T a, U b) -> decltype((a + b - 1) / b) {
  return (a + b - 1) / b;
}

// The next multiple of `b` from `a` on.
template <class T, class U>
constexpr auto alignNext(T a, U b) -> decltype(ceildiv(a, b) * b) {
  return ceildiv(a, b) * b;
}

}  // namespace gccs
