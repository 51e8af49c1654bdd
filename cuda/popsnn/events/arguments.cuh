// Arguments of the kernels that multiply weights with compacted spikes.
#pragma once

namespace popsnn {

struct EventCurrentsArguments {
  const float* weight;  // [neurons, inputs]
  const int* ids;       // [lists, capacity]
  const int* counts;    // [lists, 2], fired first
  float* out;           // [lists, padded]
  int neurons;
  int inputs;
  int lists;
  int capacity;
  int padded;
  int blocks;
};

}  // namespace popsnn
