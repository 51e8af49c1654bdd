// The main loop of a block: products of its warps, then steps of its neurons.
#pragma once

#include <popsnn/recurrent/gathered/stamps.cuh>

namespace popsnn {

// `Cells` steps kVector neurons of a sample, as in streamed/cells.cuh. `Exchange` is what blocks
// send each other, and the products with it: SpikeExchange or GradientExchange.
template <class Shape, class Exchange, class Cells>
class GatheredBlock {
 public:
  static constexpr int kVector = Cells::kVector;
  static constexpr int kVectors = Shape::kOuts / kVector;   // of a sample
  static constexpr int kRows = Shape::kThreads / kVectors;  // samples that are stepped at once
  // Whether the inputs of a thread's second sample are loaded early too: registers suffice for
  // them.
  static constexpr bool kSecond = kVector == 1 && Shape::kListSamples > kRows;

  POPSNN_DEVICE explicit GatheredBlock(const GatheredArguments& a)
      : a_(a),
        row_(thread_index() / kVectors),
        out_(thread_index() % kVectors * kVector),
        neuron_(static_cast<int>(block_index()) * Shape::kOuts + out_),
        there_(row_ < kRows && neuron_ < a.neurons) {}

  POPSNN_DEVICE void run() const {
    if (thread_index() == 0) {
      *Timeout::aborted() = 0;
      *GatheredFront::leaves() = 0;
    }
    Exchange exchange(a_, shared_memory() + Shape::kFront, in_register(thread_index() / 32));
    Cells cells(a_, 0);
    sync_block();
    if (a_.first_step == 0) {
      for (int sample = row_; there_ && sample < a_.batch; sample += kRows) {
        set_before(exchange, sample);
      }
      exchange.publish(-1);
    }
    int excess = 0;
    int step = 0;
    for (; step < a_.steps && *GatheredFront::leaves() == 0; ++step) {
      const bool received = step >= a_.first_step;
      stamp<Shape>(a_, step, Phase::kBegun);
      if (received) exchange.begin(step);
      typename Cells::Inputs inputs;  // of the first sample, loaded while others still send
      typename Cells::Inputs second;
      if (there_) {
        cells.begin(step, neuron_);
        if (row_ < a_.batch) cells.load(row_, inputs);
        if (kSecond && row_ + kRows < a_.batch) cells.load(row_ + kRows, second);
      }
      if (received) {
        exchange.multiply(step);
        stamp<Shape>(a_, step, Phase::kPrepared);
        sync_block();
        stamp<Shape>(a_, step, Phase::kSummed);
        if (thread_index() == 0) watch(exchange.rows(step), excess);
      }
      for (int sample = row_; there_ && sample < a_.batch; sample += kRows) {
        if constexpr (kSecond) {
          if (sample == row_ + kRows) inputs = second;
        }
        if (sample >= row_ + (kSecond ? 2 : 1) * kRows) cells.load(sample, inputs);
        float sum[kVector] = {};
        if (received) exchange.add_sums(out_, sample, sum);
        if (*Timeout::aborted() != 0) {
#pragma unroll
          for (int j = 0; j < kVector; ++j) sum[j] = quiet_nan();
        }
        float sent[kVector];
        cells.step(sample, inputs, sum, sent);
#pragma unroll
        for (int j = 0; j < kVector; ++j) exchange.set(out_ + j, sample, sent[j]);
      }
      if (there_) cells.end(row_);
      if (step + 1 < a_.steps) exchange.publish(step);
      stamp<Shape>(a_, step, Phase::kPublished);
    }
    if (block_index() == 0 && thread_index() == 0) *a_.left = step;
  }

 private:
  static constexpr int kMostExcess = 2;  // times the limit, that steps may have had too many rows

  // Decides, from the rows of a step, whether this is the last one; all blocks see the same rows.
  POPSNN_DEVICE void watch(int rows, int& excess) const {
    excess += rows - a_.limit;
    if (excess < 0) excess = 0;
    if (excess / kMostExcess > a_.limit) *GatheredFront::leaves() = 1;
  }

  // The spikes before the first step.
  POPSNN_DEVICE void set_before(const Exchange& exchange, int sample) const {
    const long long at = static_cast<long long>(sample) * a_.neurons + neuron_;
    const float* spikes = a_.state[Cells::kStates - 1] + at;
#pragma unroll
    for (int j = 0; j < kVector; ++j) exchange.set(out_ + j, sample, spikes[j]);
  }

  const GatheredArguments& a_;
  int row_;
  int out_;     // in the block
  int neuron_;  // in the layer
  bool there_;
};

}  // namespace popsnn
