// A single step of a recurrent layer for few samples, which reads only the weights of neurons that
// spiked. They lie in memory by columns of V, those of a sender to all neurons as neighbours.
//
// A first kernel writes a mask of the samples in which each neuron spiked. Then a block has
// kStepOuts neurons. Each of its warps scans every kStepWarps-th group of 32 senders and lists
// those that spiked in any sample; it multiplies their weights, loaded from memory, with the spikes
// of all samples, and adds up over its list. The sums of all warps are added in shared memory, and
// the threads step the block's neurons.
#pragma once

#include <popsnn/recurrent/recurrent.cuh>

namespace popsnn {

constexpr int kStepOuts = 64;     // neurons of a block
constexpr int kStepSenders = 32;  // that a warp scans together
constexpr int kStepWarps = 16;
constexpr int kStepThreads = 32 * kStepWarps;
constexpr int kStepSamples = 8;  // of a launch, at most
constexpr int kStepMaskThreads = 128;
constexpr int kStepRow = kStepOuts + 4;  // of sums, padded against bank conflicts

struct StepArguments : RecurrentArguments {
  // Different from RecurrentArguments:
  //   weight    bf16 [N, N]: from, to
  //   initial   the states before the step
  unsigned* masks;  // [N]: bit b is set where the neuron spiked in sample b
};

// A thread has a neuron.
template <class Neuron>
POPSNN_DEVICE void recurrent_step_masks(const StepArguments& a) {
  const int neuron = static_cast<int>(block_index()) * kStepMaskThreads + thread_index();
  if (neuron >= a.neurons) return;
  const float* spikes = a.initial[Neuron::kStates - 1] + neuron;
  unsigned mask = 0;
#pragma unroll
  for (int sample = 0; sample < kStepSamples; ++sample) {
    if (sample < a.batch) {
      const bool spiked = spikes[static_cast<long long>(sample) * a.neurons] != 0.0f;
      mask |= static_cast<unsigned>(spiked) << sample;
    }
  }
  a.masks[neuron] = mask;
}

// Writes the sums of each warp to shared memory, [warp, sample, neuron]. Before, shared memory has
// a list of each warp: its senders, then their masks.
//
// A chunk are 16 senders. A lane 4 g + c has of four of them the weights to the eight neurons 8 g
// and on, two for each tile of 16 neurons: its rows g and g + 8.
class StepProduct {
 public:
  POPSNN_DEVICE explicit StepProduct(const StepArguments& a)
      : a_(a), lane_(thread_index() % 32), warp_(in_register(thread_index() / 32)) {
    const int to = static_cast<int>(block_index()) * kStepOuts + lane_ / 4 * 8;
    weight_ = static_cast<const Bf16*>(a.weight) + (to < a.neurons ? to : 0);
    const int groups = (a.neurons + kStepSenders - 1) / kStepSenders;
    const int capacity = ((groups + kStepWarps - 1) / kStepWarps + 1) * kStepSenders;
    senders_ = shared_address(shared_memory()) + static_cast<unsigned>(warp_ * capacity * 8);
    masks_ = senders_ + static_cast<unsigned>(4 * capacity);
  }

  POPSNN_DEVICE void run() const {
    const int chunks = (list() + kChunk - 1) / kChunk;
    float sums[kTiles][4] = {};
    Row<Bf16, 8> rows[kAhead][4];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      if (i < chunks) load(i, rows[i]);
    }
    for (int first = 0; first < chunks; first += kAhead) {
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        if (first + i >= chunks) continue;
        multiply(first + i, rows[i], sums);
        if (first + i + kAhead < chunks) load(first + i + kAhead, rows[i]);
      }
    }
    sync_block();  // the lists are done with
    store(sums);
  }

 private:
  static constexpr int kTiles = kStepOuts / 16;
  static constexpr int kChunk = 16;
  static constexpr int kAhead = 4;     // chunks whose weights are in flight
  static constexpr int kTogether = 8;  // groups whose masks are in flight

  POPSNN_DEVICE static unsigned words(int count) { return static_cast<unsigned>(4 * count); }

  POPSNN_DEVICE void write(int index, int sender, unsigned mask) const {
    store_shared_word(senders_ + words(index), static_cast<unsigned>(sender));
    store_shared_word(masks_ + words(index), mask);
  }

  // Lists the warp's senders, and returns how many.
  POPSNN_DEVICE int list() const {
    constexpr int kApart = kStepWarps * kStepSenders;
    int count = 0;
    for (int start = warp_ * kStepSenders; start < a_.neurons; start += kTogether * kApart) {
      unsigned masks[kTogether];
#pragma unroll
      for (int i = 0; i < kTogether; ++i) {
        const int sender = start + i * kApart + lane_;
        masks[i] = sender < a_.neurons ? a_.masks[sender] : 0u;
      }
#pragma unroll
      for (int i = 0; i < kTogether; ++i) {
        const unsigned spiked = ballot(masks[i] != 0);
        const int before = popcount(spiked & ((1u << lane_) - 1u));
        if (masks[i] != 0) write(count + before, start + i * kApart + lane_, masks[i]);
        count += popcount(spiked);
      }
    }
    sync_warp();
    // Pads the last chunk with a sender whose mask is 0.
    if (count > 0 && lane_ < kChunk) {
      write(count + lane_, static_cast<int>(load_shared_word(senders_)), 0u);
    }
    sync_warp();
    return count;
  }

  // The lane's first sender in a chunk.
  POPSNN_DEVICE int first_of(int chunk) const { return chunk * kChunk + lane_ % 4 * 4; }

  POPSNN_DEVICE void load(int chunk, Row<Bf16, 8> (&rows)[4]) const {
    Words4 senders;
    load_shared(senders_ + words(first_of(chunk)), senders);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      rows[i] = *reinterpret_cast<const Row<Bf16, 8>*>(
          weight_ + static_cast<long long>(senders.word[i]) * a_.neurons);
    }
  }

  POPSNN_DEVICE void multiply(int chunk, const Row<Bf16, 8> (&rows)[4],
                              float (&sums)[kTiles][4]) const {
    Words4 masks;
    load_shared(masks_ + words(first_of(chunk)), masks);
    const int sample = lane_ / 4;
    unsigned b[2];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const unsigned first = masks.word[2 * h] >> sample & 1u;
      const unsigned second = masks.word[2 * h + 1] >> sample & 1u;
      b[h] = (first | second << 16) * 0x3f80u;
    }
#pragma unroll
    for (int tile = 0; tile < kTiles; ++tile) {
      Words4 weight;
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const unsigned first = rows[2 * h].words[tile];
        const unsigned second = rows[2 * h + 1].words[tile];
        weight.word[2 * h] = (first & 0xffffu) | second << 16;
        weight.word[2 * h + 1] = first >> 16 | (second & 0xffff0000u);
      }
      multiply_tile(sums[tile], weight, b);
    }
  }

  POPSNN_DEVICE void store(const float (&sums)[kTiles][4]) const {
    auto* to = reinterpret_cast<float*>(shared_memory()) +
               (warp_ * kStepSamples + lane_ % 4 * 2) * kStepRow + lane_ / 4 * 8;
#pragma unroll
    for (int tile = 0; tile < kTiles; ++tile) {
#pragma unroll
      for (int j = 0; j < 4; ++j) to[j % 2 * kStepRow + 2 * tile + j / 2] = sums[tile][j];
    }
  }

  const StepArguments& a_;
  int lane_;
  int warp_;
  const Bf16* weight_;  // of the first sender to the lane's neurons
  unsigned senders_;
  unsigned masks_;
};

// Steps kVector neighbours of a sample, an item; a thread has every kStepThreads-th.
template <class Neuron, class T, int kVector>
class StepCells {
 public:
  static constexpr int kStates = Neuron::kStates;
  static constexpr int kItems = kStepOuts / kVector;  // items of a sample

  // Inputs, which need no sums.
  struct Inputs {
    Row<T, kVector> x;
    Row<float, kVector> state[kStates];
  };

  POPSNN_DEVICE explicit StepCells(const StepArguments& a)
      : a_(a), first_(static_cast<int>(block_index()) * kStepOuts) {}

  POPSNN_DEVICE Inputs load(int item) const {
    Inputs in = {};
    if (!there(item)) return in;
    in.x = get<T>(a_.x, item);
#pragma unroll
    for (int k = 0; k < kStates; ++k) {
      if (a_.initial[k] != nullptr) in.state[k] = get<float>(a_.initial[k], item);
    }
    return in;
  }

  POPSNN_DEVICE void step(int item, const Inputs& in, bool sent) const {
    if (!there(item)) return;
    float x[kVector];
    float states[kStates][kVector];
    unpack<T, kVector>(in.x, x);
#pragma unroll
    for (int k = 0; k < kStates; ++k) unpack<float, kVector>(in.state[k], states[k]);
    if (sent) add_sums(item, x);
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      float state[kStates];
      float parameter[Neuron::kParameters];
#pragma unroll
      for (int i = 0; i < Neuron::kParameters; ++i) {
        parameter[i] =
            a_.parameter[i] != nullptr ? a_.parameter[i][neuron(item) + j] : a_.scalar[i];
      }
#pragma unroll
      for (int k = 0; k < kStates; ++k) state[k] = states[k][j];
      Neuron::step(state, parameter, x[j]);
#pragma unroll
      for (int k = 0; k < kStates; ++k) states[k][j] = state[k];
    }
    put(static_cast<T*>(a_.spikes), item, states[kStates - 1]);
    put(static_cast<Bf16*>(a_.spikes16), item, states[kStates - 1]);
#pragma unroll
    for (int k = 0; k < Neuron::kSaved; ++k) put(saved<Neuron>(a_, k), item, states[k]);
#pragma unroll
    for (int k = 0; k < kStates; ++k) put(a_.final[k], item, states[k]);
  }

 private:
  POPSNN_DEVICE int neuron(int item) const { return first_ + item % kItems * kVector; }
  POPSNN_DEVICE bool there(int item) const {
    return item / kItems < a_.batch && neuron(item) < a_.neurons;
  }
  POPSNN_DEVICE long long at(int item) const {
    return static_cast<long long>(item / kItems) * a_.neurons + neuron(item);
  }

  template <class S>
  POPSNN_DEVICE Row<S, kVector> get(const void* from, int item) const {
    return *reinterpret_cast<const Row<S, kVector>*>(static_cast<const S*>(from) + at(item));
  }

  template <class S>
  POPSNN_DEVICE void put(S* to, int item, const float (&x)[kVector]) const {
    if (to != nullptr) store<S, kVector, true>(to + at(item), x, kVector);
  }

  // Of all warps, in their order.
  POPSNN_DEVICE void add_sums(int item, float (&x)[kVector]) const {
    const auto* from = reinterpret_cast<const float*>(shared_memory()) + item / kItems * kStepRow +
                       item % kItems * kVector;
    float sum[kVector] = {};
#pragma unroll
    for (int warp = 0; warp < kStepWarps; ++warp) {
      float partial[kVector];
      unpack<float, kVector>(
          *reinterpret_cast<const Row<float, kVector>*>(from + warp * kStepSamples * kStepRow),
          partial);
#pragma unroll
      for (int j = 0; j < kVector; ++j) sum[j] += partial[j];
    }
#pragma unroll
    for (int j = 0; j < kVector; ++j) x[j] += sum[j];
  }

  const StepArguments& a_;
  int first_;  // neuron
};

template <class Neuron, class T, int kVector>
POPSNN_DEVICE void recurrent_step(const StepArguments& a) {
  using Cells = StepCells<Neuron, T, kVector>;
  const bool sent = a.initial[Neuron::kStates - 1] != nullptr;
  const Cells cells(a);
  typename Cells::Inputs now = cells.load(thread_index());
  if (sent) {
    StepProduct(a).run();
    sync_block();
  }
  for (int item = thread_index(); item < a.batch * Cells::kItems; item += kStepThreads) {
    const typename Cells::Inputs next = cells.load(item + kStepThreads);
    cells.step(item, now, sent);
    now = next;
  }
}

}  // namespace popsnn
