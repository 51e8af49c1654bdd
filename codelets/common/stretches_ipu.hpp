// Stretches of a loop that are short enough for one `rpt`.
#pragma once
#include <poplar/TileConstants.hpp>

namespace popsnn {
namespace ipu {

// The longest stretch; even.
constexpr unsigned kStretch = CSR_W_REPEAT_COUNT__VALUE__MASK & ~1u;

// Calls walk(first turn, turns).
template <class Walk>
inline void for_stretches(unsigned count, Walk walk) {
  for (unsigned first = 0; first < count; first += kStretch) {
    const unsigned rest = count - first;
    walk(first, rest < kStretch ? rest : kStretch);
  }
}

}  // namespace ipu
}  // namespace popsnn
