// Lists that a layer reads late: what arrives from earlier time steps is known, and made, before
// the spikes that arrive at the step that fires them. So a row is in two parts from different
// tiles. The ids of earlier steps end where the first part ends, the others begin there, and the
// list has no gap: no vertex has to append one part to the other.
#pragma once
#include "inlined.hpp"

namespace popsnn {

// Readers of a list that read it late: the layer above, and a recurrent one itself.
constexpr unsigned kMostReaders = 2;

// Counts of such a list: of its first part, and of its second one.
enum LateCountEntry : unsigned { kEarlier, kAtOnce };

template <class Id>
struct ReadIds {
  const Id* ids;
  unsigned count;
};

// Of a list with room for so many ids of `earlier` steps.
template <class Id>
POPSNN_INLINED inline ReadIds<Id> late_ids(const Id* row, unsigned earlier,
                                           const unsigned* counts) {  // [2]
  return {row + (earlier - counts[kEarlier]), counts[kEarlier] + counts[kAtOnce]};
}

}  // namespace popsnn
