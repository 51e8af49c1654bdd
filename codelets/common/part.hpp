// The entries of a list that are neurons of a part of a row, and what they sum over sources.
#pragma once
#include "inlined.hpp"
#include "spike_records.hpp"
#include "worker_range.hpp"

#ifdef __IPU__
#include "part_ipu.hpp"
#endif

namespace popsnn {

// Calls visit(at, k) for every entry k of a worker's that is neuron first + at of the part. Workers
// take entries in turn, so that those of a part, which are close in the list, are divided.
template <class Id, class Visit>
POPSNN_INLINED inline void visit_part(const Id* ids,  // [active]
                                      unsigned active, unsigned first, unsigned size,
                                      unsigned worker, unsigned workers, Visit visit) {
#ifdef __IPU__
  if constexpr (sizeof(Id) == sizeof(unsigned short)) {
    if (worker >= active) return;
    const Id* entry = ids + worker;
    for (unsigned more = quotient<kWorkerRanges>(active - worker - 1);; --more) {
      unsigned at;
      ipu::next_of_part(entry, more, first, size, at);
      if (at >= size) return;
      visit(at, unsigned(entry - ids) - kWorkerRanges);
      if (more == 0) return;
    }
  }
#endif
  for (unsigned k = worker; k < active; k += workers) {
    const unsigned at = ids[k] - first;  // before the part: a number beyond any size
    if (at < size) visit(at, k);
  }
}

// to = sum over sources of sums[source * sum_capacity]
POPSNN_INLINED inline void sum_sources(const float* sums,  // [sources, sum_capacity], at an entry
                                       unsigned sum_capacity, unsigned sources, float* to) {
#ifdef __IPU__
  ipu::sum_sources(sums, sum_capacity, sources - 1, to);
#else
  float sum = 0.0f;
  for (unsigned source = 0; source < sources; ++source) sum += sums[source * sum_capacity];
  *to = sum;
#endif
}

}  // namespace popsnn
