// A copy of a row of floats; the IPU has a loop in assembly for even numbers of columns.
#pragma once
#include "inlined.hpp"

#ifdef __IPU__
#include "copy_ipu.hpp"
#include "repeats_ipu.hpp"
#endif

namespace popsnn {

// to = from.
POPSNN_INLINED inline void copy_row(const float* from,  // [columns]
                                    unsigned columns,
                                    float* to) {  // [columns]
#ifdef __IPU__
  if (columns % 2 == 0 && columns / 2 <= ipu::kMostRepeats)
    return ipu::copy_pairs(from, columns / 2, to);
#endif
  for (unsigned j = 0; j < columns; ++j) to[j] = from[j];
}

}  // namespace popsnn
