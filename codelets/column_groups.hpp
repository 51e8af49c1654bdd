// How the workers of the IPU share what is added to rows: groups of columns times groups of ids.
#pragma once

#include "neuron.hpp"

namespace popsnn {

// Columns of a walk in assembly.
constexpr unsigned kWalkColumns = 4;

// Columns of each group but the last.
constexpr unsigned group_columns(unsigned columns, unsigned groups) {
  return ((columns + kWalkColumns - 1) / kWalkColumns + groups - 1) / groups * kWalkColumns;
}

// Bundles of the walks of a worker for a full list: 12 a walk and 6 an id.
constexpr unsigned walks_of_group(unsigned columns, unsigned slots, unsigned groups) {
  return group_columns(columns, groups) / kWalkColumns *
         (12 + 6 * ((slots * groups + kShares - 1) / kShares));
}

// The groups of columns, a divisor of kShares, whose walks are the shortest.
constexpr unsigned column_groups(unsigned columns, unsigned slots) {
  unsigned best = 1;
  for (unsigned groups = 2; groups <= 3; ++groups)
    if (walks_of_group(columns, slots, groups) < walks_of_group(columns, slots, best))
      best = groups;
  return best;
}

}  // namespace popsnn
