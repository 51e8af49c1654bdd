// The hash that decides who keeps a place when a list is over capacity, as python/popsnn/hashing.py
// defines it.
#pragma once

#include <popsnn/device/block.cuh>

namespace popsnn {

POPSNN_DEVICE unsigned mix(unsigned h) {
  h = (h ^ h >> 16) * 0x7feb352du;
  h = (h ^ h >> 15) * 0x846ca68bu;
  return h ^ h >> 16;
}

// Of one forward pass of a network that has made `calls` training passes.
POPSNN_DEVICE unsigned call_seed(unsigned seed, unsigned calls) { return mix(seed ^ mix(calls)); }

// Where the cyclic order of `size` neurons begins.
POPSNN_DEVICE unsigned begin_of(unsigned seed, unsigned layer, unsigned step, unsigned sample,
                                unsigned size) {
  return mulhi(mix(mix(mix(mix(seed) ^ layer) ^ step) ^ sample), size);
}

}  // namespace popsnn
