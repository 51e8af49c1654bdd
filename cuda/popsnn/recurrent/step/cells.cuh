// A single time step: the neurons of a block, from the sums of all its warps.
#pragma once

#include <popsnn/recurrent/step/senders.cuh>

namespace popsnn {

// Steps kVector neighbours of a sample, an item; a thread has every kThreads-th.
template <class Neuron, class T, int kVector, class Sums>
class StepCells {
 public:
  static constexpr int kStates = Neuron::kStates;
  static constexpr int kItems = kStepOuts / kVector;  // items of a sample
  static constexpr int kThreads = 32 * Sums::kWarps;

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

  POPSNN_DEVICE void step(int item, const Inputs& in, bool fed) const {
    if (!there(item)) return;
    float x[kVector];
    float states[kStates][kVector];
    unpack<T, kVector>(in.x, x);
#pragma unroll
    for (int k = 0; k < kStates; ++k) unpack<float, kVector>(in.state[k], states[k]);
    if (fed) add_sums(item, x);
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
    put(static_cast<SpikeRow<T>*>(a_.spikes), item, states[kStates - 1]);
    put(static_cast<Sixteen*>(a_.spikes16), item, states[kStates - 1]);
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

  // Those of all warps, in their order.
  POPSNN_DEVICE void add_sums(int item, float (&x)[kVector]) const {
    const auto* from = reinterpret_cast<const float*>(shared_memory()) + item / kItems * kStepRow +
                       item % kItems * kVector;
    float sum[kVector] = {};
#pragma unroll
    for (int warp = 0; warp < Sums::kWarps; ++warp) {
      float partial[kVector];
      popsnn::load<kVector, true>(from + warp * Sums::kSamples * kStepRow, partial, kVector);
#pragma unroll
      for (int j = 0; j < kVector; ++j) sum[j] += partial[j];
    }
#pragma unroll
    for (int j = 0; j < kVector; ++j) x[j] += sum[j];
  }

  const StepArguments& a_;
  int first_;  // neuron
};

}  // namespace popsnn
