// The active sets of a recurrent layer with a capacity, from the bytes that its kernel left.
#pragma once

#include <popsnn/recurrent/capacity.cuh>

namespace popsnn {

struct ActiveSetArguments {
  RecurrentCapacity capacity;  // its flags: without a limit in, the active set out; P is a multiple
                               // of kVector
  int* counts;                 // [T, B, 2], fired, active
  int* dropped;                // [T, B, 2], fired, subthreshold-active
  int batch;                   // B
  int neurons;                 // N
};

// A block has a sample at a step, a thread kVector of its neurons.
template <int kVector>
POPSNN_DEVICE void recurrent_active_set(const ActiveSetArguments& a) {
  auto* sums = reinterpret_cast<ListSums*>(shared_memory());
  auto* begin = reinterpret_cast<unsigned*>(shared_memory() + sizeof(ListSums));
  const int first = thread_index() * kVector;
  const int count = smaller(at_least_0(a.neurons - first), kVector);
  const int step = block_index() / a.batch, sample = block_index() % a.batch;
  auto* row = reinterpret_cast<Raw<kVector>*>(a.capacity.row(step, a.batch, sample) + first);
  Raw<kVector> flags{};
  if (count > 0) {
    flags = *row;
    const Raw<kVector> valid = flags_of<kVector>({(1u << count) - 1u, 0});
#pragma unroll
    for (int w = 0; w < kVector / 4; ++w) flags.words[w] &= valid.words[w];
  }
  sums->clear();
  if (thread_index() == 0) {
    *begin =
        static_cast<unsigned>(a.capacity.begin(a.capacity.seed_of_call(), step, sample, a.neurons));
  }
  sync_block();
  const CapacityLimit<kVector> limit{first, a.capacity.limit, *sums};
  const unsigned all = limit.apply(flags, begin, 0);
  if (first < a.capacity.padded) *row = flags;
  if (thread_index() == 0) {
    store_counts(a.counts, a.dropped, block_index(), all, a.capacity.limit);
  }
}

}  // namespace popsnn
