// The product of weights and compacted spikes, by adding up the weights of neurons that fired: no
// dense frame is built.
//
// A block holds a slice of the weights in shared memory, kRowBytes of neighbouring neurons for each
// input, and iterates over lists. The work over all slices and lists is divided into as many equal
// ranges as there are blocks, so that a block loads two slices or three. A few lanes have a list,
// 16 bytes of each row a lane; they add in the order of the list, the same in every run.
#pragma once

#include <popsnn/device/block.cuh>
#include <popsnn/device/vectors.cuh>
#include <popsnn/events/arguments.cuh>

namespace popsnn {

constexpr int kGatherThreads = 512;

template <int kRowBytes, bool kFours>
struct EventCurrents {
  static constexpr int kVector = 4;                    // neurons of a thread
  static constexpr int kListThreads = kRowBytes / 16;  // threads that have a list
  static constexpr int kSlice = kVector * kListThreads;
  using Values = Row<float, kVector>;

  const EventCurrentsArguments& a;
  Values* slice;  // [inputs, kListThreads]

  // Copies the weights of neurons `first`, ... of all inputs into shared memory.
  POPSNN_DEVICE void load_slice(int first) const {
    sync_block();  // all threads are done with the slice before
    for (int i = thread_index(); i < a.inputs * kListThreads; i += kGatherThreads) {
      const int vector = i / a.inputs;  // neighbouring threads read neighbouring inputs
      const int input = i - vector * a.inputs;
      const int neuron = first + vector * kVector;
      const float* from = a.weight + static_cast<long long>(neuron) * a.inputs + input;
      float values[kVector];
#pragma unroll
      for (int j = 0; j < kVector; ++j) {
        values[j] = neuron + j < a.neurons ? from[static_cast<long long>(j) * a.inputs] : 0.0f;
      }
      slice[input * kListThreads + vector] = pack_row<float, kVector>(values);
    }
    sync_block();
  }

  POPSNN_DEVICE void add(int id, int vector, float (&sum)[kVector]) const {
    float values[kVector];
    unpack<float, kVector>(slice[id * kListThreads + vector], values);
#pragma unroll
    for (int j = 0; j < kVector; ++j) sum[j] += values[j];
  }

  POPSNN_DEVICE void add_list(int list, int vector, float (&sum)[kVector]) const {
    const int* ids = a.ids + static_cast<long long>(list) * a.capacity;
    const int fired = a.counts[2 * list];
    int k = 0;
    if constexpr (kFours) {
      for (; k + 4 <= fired; k += 4) {
        const Raw<16> four = *reinterpret_cast<const Raw<16>*>(ids + k);
#pragma unroll
        for (int j = 0; j < 4; ++j) add(static_cast<int>(four.words[j]), vector, sum);
      }
    }
    for (; k < fired; ++k) add(ids[k], vector, sum);
  }

  POPSNN_DEVICE void run() {
    const int vector = thread_index() % kListThreads;
    const int slices = (a.neurons + kSlice - 1) / kSlice;
    const long long work = static_cast<long long>(slices) * a.lists;
    const long long begin = work * block_index() / a.blocks;
    const long long end = work * (block_index() + 1) / a.blocks;
    for (long long at = begin; at < end;) {
      const int number = static_cast<int>(at / a.lists);
      const int from = static_cast<int>(at - static_cast<long long>(number) * a.lists);
      const int to = end - at < a.lists - from ? from + static_cast<int>(end - at) : a.lists;
      load_slice(number * kSlice);
      const int neuron = number * kSlice + vector * kVector;
      for (int list = from + thread_index() / kListThreads; list < to;
           list += kGatherThreads / kListThreads) {
        float sum[kVector] = {};
        add_list(list, vector, sum);
        if (neuron >= a.padded) continue;
        store<float, kVector, true>(a.out + static_cast<long long>(list) * a.padded + neuron, sum,
                                    kVector);
      }
      at += to - from;
    }
  }
};

template <int kRowBytes, bool kFours>
POPSNN_DEVICE void event_currents(const EventCurrentsArguments& a) {
  using Gather = EventCurrents<kRowBytes, kFours>;
  Gather{a, reinterpret_cast<typename Gather::Values*>(shared_memory())}.run();
}

}  // namespace popsnn
