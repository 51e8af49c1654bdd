// Search in an ascending list.
#pragma once
#include "inlined.hpp"

namespace popsnn {

// The first position whose id is not below `id`.
template <class Id>
POPSNN_INLINED inline unsigned lower_bound(const Id* list,  // [size], ascending
                                           unsigned size, unsigned id) {
  unsigned low = 0;
#ifdef __IPU__
  while (size > 0) {
    const unsigned half = size / 2;
    const bool below = list[low + half] < id;
    low = below ? low + half + 1 : low;
    size = below ? size - half - 1 : half;
  }
#else
  // A host compares 32 ids at once, which is faster than bisection up to some thousand ids.
  for (unsigned k = 0; k < size; ++k) low += list[k] < id;
#endif
  return low;
}

}  // namespace popsnn
