// The active sets of a recurrent layer with a capacity, from the bytes that its kernel left.
#pragma once

#include <popsnn/layer/capacity.cuh>

namespace popsnn {

struct ActiveSetArguments {
  unsigned char* flags;    // [T, B, P]: without a limit in, the active set out
  int* counts;             // [T, B, 2], fired, active
  int* dropped;            // [T, B, 2], fired, subthreshold-active
  const long long* calls;  // as RecurrentCapacity has them
  unsigned seed;
  unsigned layer;
  unsigned first_step;
  int batch;    // B
  int neurons;  // N
  int padded;   // P, a multiple of 8 and of kVector
  int capacity;
};

// A block has a sample at a step, a thread kVector of its neurons.
template <int kVector>
POPSNN_DEVICE void recurrent_active_set(const ActiveSetArguments& a) {
  auto* sums = reinterpret_cast<ListSums*>(shared_memory());
  auto* begin = reinterpret_cast<unsigned*>(shared_memory() + sizeof(ListSums));
  const int first = thread_index() * kVector;
  const int count = smaller(at_least_0(a.neurons - first), kVector);
  auto* row = reinterpret_cast<Raw<kVector>*>(a.flags + block_index() * a.padded + first);
  Raw<kVector> flags{};
  if (count > 0) {
    flags = *row;
    const Raw<kVector> valid = flags_of<kVector>({(1u << count) - 1u, 0});
#pragma unroll
    for (int w = 0; w < kVector / 4; ++w) flags.words[w] &= valid.words[w];
  }
  sums->clear();
  if (thread_index() == 0) {
    const auto calls = a.calls != nullptr ? static_cast<unsigned>(*a.calls) : 0u;
    const unsigned seed = a.calls != nullptr ? call_seed(a.seed, calls) : a.seed;
    const auto step = static_cast<unsigned>(block_index() / a.batch);
    const auto sample = static_cast<unsigned>(block_index() % a.batch);
    *begin = begin_of(seed, a.layer, a.first_step + step, sample, a.neurons);
  }
  sync_block();
  const CapacityLimit<kVector> limit{first, a.capacity, *sums};
  const unsigned all = limit.apply(flags, begin, 0);
  if (first < a.padded) *row = flags;
  if (thread_index() == 0) store_counts(a.counts, a.dropped, block_index(), all, a.capacity);
}

}  // namespace popsnn
