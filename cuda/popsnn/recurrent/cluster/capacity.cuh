// A capacity in clusters: what is sent are the neurons that would fire without a limit. All blocks
// receive those of a sample before their next step, and each decides for itself which are kept.
//
// In addition to the steps of cluster.cuh, before the product, a warp a sample:
//
//   limit    the warp adds up the spikes of its sample. Where there are more than the capacity, a
//            lane has the 64 neurons of a block, keeps those that come first in the cyclic order,
//            and replaces the block's message in shared memory.
//
// The same warp steps the sample's neurons of this block, and learns so which of its spikes were
// dropped. The last step has a message too, of which only the limit takes note.
#pragma once

#include <popsnn/recurrent/capacity.cuh>
#include <popsnn/recurrent/cluster/cells.cuh>

namespace popsnn {

struct ClusterCappedArguments : ClusterArguments {
  RecurrentCapacity capacity;
};

POPSNN_DEVICE const RecurrentCapacity& capacity_of(const ClusterArguments& a) {
  return static_cast<const ClusterCappedArguments&>(a).capacity;
}

// A lane's two neurons in the bytes of all steps.
template <class Shape>
class ClusterFlags {
 public:
  POPSNN_DEVICE ClusterFlags(const ClusterArguments& a, const ClusterIndices<Shape>& indices,
                             int cluster)
      : step_(static_cast<long long>(a.batch) * capacity_of(a).padded),
        first_(capacity_of(a).row(0, a.batch, cluster * a.samples + thread_index() / 32) +
               indices.neuron(0)),
        many_(a.batch > kClusterSamples),
        indices_(indices) {}

  // As ClusterIndices has it for other tensors.
  POPSNN_DEVICE void prefetch(int t) const {
    if (many_ && t >= 0 && indices_.there(0) && thread_index() % 32 == 0) {
      prefetch_to_l2(first_ + t * step_);
    }
  }

  // Of neurons beyond the layer or the batch there are none.
  POPSNN_DEVICE void load(int t, unsigned (&flags)[2]) const {
#pragma unroll
    for (int h = 0; h < 2; ++h) flags[h] = indices_.there(h) ? first_[t * step_ + 32 * h] : 0u;
  }

  POPSNN_DEVICE void store(int t, const unsigned (&flags)[2]) const {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      if (indices_.there(h)) first_[t * step_ + 32 * h] = static_cast<unsigned char>(flags[h]);
    }
  }

 private:
  long long step_;
  unsigned char* first_;
  bool many_;  // samples
  const ClusterIndices<Shape>& indices_;
};

// Spikes that `ClusterLimit` has waited for.
template <int kBlocks>
class ClusterCappedSpikes : public ClusterSpikes<kBlocks> {
 public:
  using ClusterSpikes<kBlocks>::ClusterSpikes;

  POPSNN_DEVICE void take(const RecurrentArguments&, MessageTurn turn, int) { this->load(turn); }
};

// Bits of 32 neurons, as a message has them, in the order of the neurons, and back.
POPSNN_DEVICE unsigned spread_bits(unsigned x) {
  x = (x | x << 8) & 0x00ff00ffu;
  x = (x | x << 4) & 0x0f0f0f0fu;
  x = (x | x << 2) & 0x33333333u;
  return (x | x << 1) & 0x55555555u;
}

POPSNN_DEVICE unsigned gather_bits(unsigned x) {
  x &= 0x55555555u;
  x = (x | x >> 1) & 0x33333333u;
  x = (x | x >> 2) & 0x0f0f0f0fu;
  x = (x | x >> 4) & 0x00ff00ffu;
  return (x | x >> 8) & 0x0000ffffu;
}

POPSNN_DEVICE unsigned bits_by_neuron(unsigned bits) {
  return spread_bits(bits & 0xffffu) | spread_bits(bits >> 16) << 1;
}

POPSNN_DEVICE unsigned bits_by_lane(unsigned bits) {
  return gather_bits(bits) | gather_bits(bits >> 1) << 16;
}

template <int kBlocks>
class ClusterLimit {
 public:
  using Shape = typename ClusterSpikes<kBlocks>::Shape;

  POPSNN_DEVICE ClusterLimit(const ClusterCappedArguments& a, const ClusterMember<Shape>& me)
      : a_(a),
        rank_(me.rank),
        sample_(in_register(thread_index() / 32)),
        first_(me.first),
        seed_(a.capacity.seed_of_call()) {}

  // By all warps, of a step's messages; those of the spikes before step 0 have no limit. Returns
  // the spikes of this block that are kept.
  POPSNN_DEVICE Words2 apply(MessageTurn turn, int step) const {
#pragma unroll
    for (int i = 0; i < kQuarters; ++i) {
      wait_for_messages(a_, Shape::start() + Shape::barrier(turn.buffer(), i), turn);
    }
    Words2 fired = {};
    const unsigned message =
        Shape::start() + Shape::message(turn.buffer(), lane()) + static_cast<unsigned>(8 * sample_);
    if (lane() < kBlocks) load_shared(message, fired);
    const int mine = popcount(fired.word[0]) + popcount(fired.word[1]);
    const auto total = static_cast<int>(warp_sum(static_cast<unsigned>(mine)));
    if (total > a_.capacity.limit && step >= 0) {
      drop(fired, mine, total, a_.capacity.begin(seed_, step, first_ + sample_, a_.neurons));
      if (lane() < kBlocks) store_shared(message, fired);
    }
    const bool own = lane() == rank_;
    return {{warp_sum(own ? fired.word[0] : 0u), warp_sum(own ? fired.word[1] : 0u)}};
  }

 private:
  POPSNN_DEVICE static int lane() { return thread_index() % 32; }

  POPSNN_DEVICE void drop(Words2& fired, int mine, int total, int begin) const {
    unsigned bits[2];
    unsigned low[2];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      bits[h] = bits_by_neuron(fired.word[h]);
      low[h] = bits_before(begin, lane() * kClusterNeurons + 32 * h);
    }
    const int early = popcount(bits[0] & low[0]) + popcount(bits[1] & low[1]);
    const auto skipped = static_cast<int>(warp_sum(static_cast<unsigned>(early)));
    int before = static_cast<int>(warp_sum_so_far(static_cast<unsigned>(mine))) - mine;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const unsigned kept = first_bits(bits[h], low[h], a_.capacity.limit, before, skipped, total);
      before += popcount(bits[h]);
      fired.word[h] = bits_by_lane(kept);
    }
  }

  const ClusterCappedArguments& a_;
  int rank_;
  int sample_;  // of the cluster
  int first_;   // sample of the cluster
  unsigned seed_;
};

// Steps two neurons of a sample, as ClusterForward does. What a step leaves is stored in the next,
// when its spikes have met the capacity.
template <class Shape, class Neuron, class T>
class ClusterCappedForward {
 public:
  static constexpr int kStates = Neuron::kStates;
  static constexpr int kSpike = kStates - 1;

  POPSNN_DEVICE ClusterCappedForward(const ClusterCappedArguments& a,
                                     const ClusterIndices<Shape>& indices, int cluster)
      : a_(a),
        indices_(indices),
        bytes_(a, indices, cluster),
        next_(indices.load(static_cast<const T*>(a.x))) {
    for (int t = 1; t < kPrefetchedSteps; ++t) prefetch(t);
    indices.load_parameters(a, parameter_);
#pragma unroll
    for (int k = 0; k < kStates; ++k) {
      if (a.initial[k] != nullptr) indices.load(a.initial[k]).get(states_[k]);
    }
#pragma unroll
    for (int h = 0; h < 2; ++h) sent_[h] = indices.there(h) ? states_[kSpike][h] : 0.0f;
  }

  // Neurons beyond the layer or the batch send no spikes, which would be counted.
  POPSNN_DEVICE const float (&outcome() const)[2] { return sent_; }

  // Drops spikes of the last step that are not kept.
  POPSNN_DEVICE void drop(const Words2& kept) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      if (sent_[h] == 0.0f || (kept.word[h] >> thread_index() % 32 & 1u) != 0) continue;
      if constexpr (kOwnSpike<Neuron>) {
#pragma unroll
        for (int k = 0; k < Neuron::kSaved; ++k) states_[k][h] = without_[k][h];
      }
      states_[kSpike][h] = 0.0f;
    }
  }

  // After a timeout.
  POPSNN_DEVICE void spoil() {
#pragma unroll
    for (int k = 0; k < kStates; ++k) states_[k][0] = states_[k][1] = quiet_nan();
  }

  POPSNN_DEVICE void step(const float (&sum)[2]) {
    float x[2];
    next_.get(x);
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      float state[kStates];
#pragma unroll
      for (int k = 0; k < kStates; ++k) state[k] = limited_[k][h] = states_[k][h];
      Neuron::step(state, parameter_[h], x[h] + sum[h]);
      if constexpr (kOwnSpike<Neuron>) {
        if (state[kSpike] != 0.0f) {
          float without[kStates];
#pragma unroll
          for (int k = 0; k < kStates; ++k) without[k] = states_[k][h];
          Neuron::step_with(without, parameter_[h], x[h] + sum[h], 0.0f);
#pragma unroll
          for (int k = 0; k < Neuron::kSaved; ++k) without_[k][h] = without[k];
        }
      }
#pragma unroll
      for (int k = 0; k < kStates; ++k) states_[k][h] = state[k];
      flags_[h] = candidate_flags<Neuron>(state, parameter_[h], a_.grad_threshold);
      sent_[h] = indices_.there(h) ? state[kSpike] : 0.0f;
    }
  }

  POPSNN_DEVICE void store(int step) {
    if (step + 1 < a_.steps) {
      next_ = indices_.load(static_cast<const T*>(a_.x) + (step + 1) * a_.row);
    }
    prefetch(step + kPrefetchedSteps);
    bytes_.store(step, flags_);
    if (step > 0) store_states(step - 1, limited_);
  }

  POPSNN_DEVICE void finish() const {
    store_states(a_.steps - 1, states_);
#pragma unroll
    for (int k = 0; k < kStates; ++k) {
      if (a_.final[k] != nullptr) indices_.store(a_.final[k], states_[k]);
    }
  }

 private:
  POPSNN_DEVICE void store_states(int step, const float (&states)[kStates][2]) const {
    const long long row = step * a_.row;
    indices_.store(static_cast<SpikeRow<T>*>(a_.spikes) + row, states[kSpike]);
    if (a_.spikes16 != nullptr) {
      indices_.store(static_cast<Sixteen*>(a_.spikes16) + row, states[kSpike]);
    }
#pragma unroll
    for (int k = 0; k < Neuron::kSaved; ++k) {
      float* to = saved<Neuron>(a_, k);
      if (to != nullptr) indices_.store(to + row, states[k]);
    }
  }

  POPSNN_DEVICE void prefetch(int step) const {
    if (step < a_.steps) indices_.prefetch(static_cast<const T*>(a_.x) + step * a_.row);
  }

  const ClusterCappedArguments& a_;
  const ClusterIndices<Shape>& indices_;
  const ClusterFlags<Shape> bytes_;
  float parameter_[2][Neuron::kParameters];
  float states_[kStates][2] = {};
  float limited_[kStates][2];                   // of the step before
  [[maybe_unused]] float without_[kStates][2];  // states, had a neuron that fired not fired
  float sent_[2];
  unsigned flags_[2];
  ClusterPair<T> next_;  // x
};

// Without initial spikes the first step has no messages.
template <int kBlocks, class Neuron, class T>
POPSNN_DEVICE void recurrent_cluster_capped_forward(const ClusterCappedArguments& a) {
  using Messages = ClusterCappedSpikes<kBlocks>;
  using Shape = typename Messages::Shape;
  const int begin = a.initial[Neuron::kStates - 1] != nullptr ? 0 : 1;
  const ClusterMember<Shape> me(a);
  prepare_cluster<Messages>();
  const ClusterIndices<Shape> indices(a, me);
  ClusterCappedForward<Shape, Neuron, T> cells(a, indices, me.cluster);
  ClusterProduct<Messages, false> product(a, me);
  const ClusterLimit<kBlocks> limit(a, me);
  const typename Messages::Sender sender(me);
  sync_cluster();
  product.expect(0);
  product.expect(1);
  if (begin == 0) sender.publish(cells.outcome(), MessageTurn{0});
  for (int step = 0; step < a.steps; ++step) {
    float sum[2] = {};
    bool aborted = true;
    if (step >= begin) {
      const MessageTurn turn{step - begin};
      const Words2 kept = limit.apply(turn, step - 1);
      if (step > 0) cells.drop(kept);
      sync_block();
      product.run(a, turn);
      sync_block();
      aborted = indices.template add_up<Messages>(turn.buffer(), sum);
    }
    cells.step(sum);
    sender.publish(cells.outcome(), MessageTurn{step + 1 - begin});
    // A barrier whose phase has not ended must not be armed again.
    if (!aborted) product.expect(MessageTurn{step - begin}.buffer());
    cells.store(step);
  }
  cells.drop(limit.apply(MessageTurn{a.steps - begin}, a.steps - 1));
  if (*Timeout::aborted() != 0) cells.spoil();
  cells.finish();
  sync_cluster();
}

}  // namespace popsnn
