// A single time step of a recurrent layer, which reads only the weights of the neurons that fired.
// They lie in memory by columns of V, those of a sender to all neurons as neighbours.
//
// A block has kStepOuts neurons. Each of its warps scans every kWarps-th group of senders and lists
// those that fired in any sample (senders.cuh). It adds up their weights to the block's neurons,
// loaded from memory, for each sample: on tensor cores (product.cuh) or by additions of float32
// (additions.cuh). The sums of all warps are added in shared memory, and the threads step the
// block's neurons (cells.cuh).
//
// The spikes of one or two samples are scanned as they are, by every block. Of more samples a first
// kernel writes a mask for each neuron, since blocks would read too much: 8 samples of 8192 neurons
// are 256 KB for each of 128 blocks, 6 us of L2's bandwidth on an H200.
#pragma once

#include <popsnn/recurrent/step/additions.cuh>
#include <popsnn/recurrent/step/cells.cuh>
#include <popsnn/recurrent/step/product.cuh>
#include <popsnn/recurrent/step/senders.cuh>

namespace popsnn {

constexpr int kStepMaskThreads = 128;

// Bit b of a neuron's mask is set where it fired in sample b; Mask has a bit for each sample.
template <class Neuron, class Mask>
POPSNN_DEVICE void recurrent_step_masks(const StepArguments& a) {
  wait_for_earlier_kernel();
  let_next_kernel_start();
  const int neuron = static_cast<int>(block_index()) * kStepMaskThreads + thread_index();
  const float* spikes = a.initial[Neuron::kStates - 1] + neuron;
  unsigned mask = 0;  // beyond the layer too, where groups of senders are read whole
#pragma unroll
  for (int sample = 0; sample < 8 * static_cast<int>(sizeof(Mask)); ++sample) {
    if (sample < a.batch && neuron < a.neurons) {
      const bool fired = spikes[static_cast<long long>(sample) * a.neurons] != 0.0f;
      mask |= static_cast<unsigned>(fired) << sample;
    }
  }
  static_cast<Mask*>(a.masks)[neuron] = static_cast<Mask>(mask);
}

// Adds up the weights of all senders that fired, a section of the layer at a time.
template <class Sums, class Fired>
POPSNN_DEVICE void add_senders(const StepArguments& a, Sums& sums) {
  using Senders = StepSenders<Sums::kWarps, Fired>;
  const Senders senders(a);
  const int sections = Senders::sections(a.neurons);
  typename Senders::Section section;
  senders.load(0, section);
  int listed = 0;
  for (int i = 0; i < sections; ++i) {
    const int count = senders.append(i, section, listed);
    const bool last = i + 1 == sections;
    if (Fired::kPrefetched && !last) senders.load(i + 1, section);
    if (last) senders.fill_up(count);
    sums.add(senders, (count + (last ? Senders::kChunk - 1 : 0)) / Senders::kChunk);
    if (last) break;
    if (!Fired::kPrefetched) senders.load(i + 1, section);
    listed = senders.keep_rest(count);
  }
}

template <class Neuron, class T, int kVector, class Sums, class Fired>
POPSNN_DEVICE void recurrent_step(const StepArguments& a) {
  using Cells = StepCells<Neuron, T, kVector, Sums>;
  wait_for_earlier_kernel();
  let_next_kernel_start();
  const bool fed = a.initial[Neuron::kStates - 1] != nullptr;
  const Cells cells(a);
  typename Cells::Inputs now = cells.load(thread_index());
  if (fed) {
    Sums sums(a);
    add_senders<Sums, Fired>(a, sums);
    sync_block();  // the lists are done with
    sums.store(a.batch);
    sync_block();
  }
  for (int item = thread_index(); item < a.batch * Cells::kItems; item += Cells::kThreads) {
    const typename Cells::Inputs next = cells.load(item + Cells::kThreads);
    cells.step(item, now, fed);
    now = next;
  }
}

}  // namespace popsnn
