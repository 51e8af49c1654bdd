// The two neurons of a sample that a lane steps, and the main loop of a block.
#pragma once

#include <popsnn/recurrent/cluster/product.cuh>

namespace popsnn {

// A lane's elements of a step as loaded from memory: unpacking waits for the load.
template <class T>
struct ClusterPair {
  Row<T, 1> row[2];

  POPSNN_DEVICE void get(float (&x)[2]) const {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      float scalar[1];
      unpack<T, 1>(row[h], scalar);
      x[h] = scalar[0];
    }
  }
};

constexpr int kPrefetchedSteps = 4;  // ahead, which are in flight to L2

template <class Shape>
class ClusterIndices {
 public:
  POPSNN_DEVICE ClusterIndices(const ClusterArguments& a, const ClusterMember<Shape>& me)
      : many_(a.batch > kClusterSamples),
        sample_(in_register(thread_index() / 32)),
        lane_(neuron_of_lane(thread_index() % 32)) {
    neuron_ = me.rank * kClusterNeurons + lane_;
    at_ = static_cast<long long>(me.first + sample_) * a.neurons + neuron_;
#pragma unroll
    for (int h = 0; h < 2; ++h) there_[h] = sample_ < me.count && neuron_ + 32 * h < a.neurons;
  }

  POPSNN_DEVICE bool there(int h) const { return there_[h]; }
  POPSNN_DEVICE int neuron(int h) const { return neuron_ + 32 * h; }

  // Of the first element among those that a block steps.
  POPSNN_DEVICE int place() const { return sample_ * kClusterNeurons + lane_; }

  // From a step of a tensor. Elements out of range are read from the first element instead.
  template <class T>
  POPSNN_DEVICE ClusterPair<T> load(const T* step) const {
    ClusterPair<T> x;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      x.row[h] = *reinterpret_cast<const Row<T, 1>*>(step + (there_[h] ? at_ + 32 * h : 0));
    }
    return x;
  }

  // Has the warp's elements of a step in L2 when they are loaded, a step ahead: from memory they
  // may take longer than a step. Those of few samples are in L2 more often than not.
  template <class T>
  POPSNN_DEVICE void prefetch(const T* step) const {
    if (!many_) return;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      if (lane_ == 0 && there_[h]) prefetch_to_l2(step + at_ + 32 * h);
    }
  }

  template <class T>
  POPSNN_DEVICE void store(T* step, const float (&x)[2]) const {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const float scalar[1] = {x[h]};
      if (there_[h]) *reinterpret_cast<Row<T, 1>*>(step + at_ + 32 * h) = pack_row<T, 1>(scalar);
    }
  }

  template <int kParameters>
  POPSNN_DEVICE void load_parameters(const RecurrentArguments& a,
                                     float (&parameter)[2][kParameters]) const {
#pragma unroll
    for (int i = 0; i < kParameters; ++i) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        parameter[h][i] = a.scalar[i];
        if (a.parameter[i] != nullptr) {
          parameter[h][i] = there_[h] ? a.parameter[i][neuron_ + 32 * h] : 0.0f;
        }
      }
    }
  }

  // Adds up the partial sums of all quarters of the senders, and scales them as `Messages` asks.
  // Returns whether a wait of this block timed out: then the sums are NaN.
  template <class Messages>
  POPSNN_DEVICE bool add_up(int buffer, float (&sum)[2]) const {
    const unsigned from =
        Shape::start() + Shape::partial(buffer, 0, sample_) + static_cast<unsigned>(4 * lane_);
    float partial[kQuarters][2];
#pragma unroll
    for (int i = 0; i < 2 * kQuarters; ++i) {
      partial[i / 2][i % 2] = load_shared_float(
          from + static_cast<unsigned>(i / 2 * kClusterSamples * Shape::kRow + i % 2 * 128));
    }
    const bool aborted = *Timeout::aborted() != 0;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      sum[h] = partial[0][h] + partial[1][h] + (partial[2][h] + partial[3][h]);
      if constexpr (Messages::kSumScale != 1.0f) sum[h] *= Messages::kSumScale;
      if (aborted) sum[h] = quiet_nan();
    }
    return aborted;
  }

  // Adds up over the cluster's samples what the lanes of a neuron have, and stores it to [N].
  POPSNN_DEVICE void store_sums(float* to, int neurons, const float (&x)[2]) const {
    auto* sums = reinterpret_cast<float*>(shared_memory() + Shape::kPartials);
    sync_block();
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      sums[sample_ * kClusterNeurons + lane_ + 32 * h] = there_[h] ? x[h] : 0.0f;
    }
    sync_block();
    const int neuron = neuron_ - lane_ + thread_index();
    if (thread_index() >= kClusterNeurons || neuron >= neurons) return;
    float sum = 0.0f;
    for (int i = 0; i < kClusterSamples; ++i) sum += sums[i * kClusterNeurons + thread_index()];
    to[neuron] = sum;
  }

 private:
  bool many_;   // samples
  int sample_;  // of the cluster
  int lane_;    // neuron of the block
  int neuron_;
  long long at_;
  bool there_[2];
};

// Zeroes the buffers of messages, and makes their barriers: no block sends messages of samples
// beyond the batch.
template <class Messages>
POPSNN_DEVICE void prepare_cluster() {
  using Shape = typename Messages::Shape;
  const float zeros[4] = {};
  for (int i = thread_index() * 16; i < 2 * Shape::kBlocks * Shape::kBytes;
       i += 16 * kClusterThreads) {
    store_shared(Shape::start() + Shape::message(0, 0) + static_cast<unsigned>(i), zeros);
  }
  if (thread_index() == 0) {
    *Timeout::aborted() = 0;
    Messages::make_barriers();
    publish_barriers();
  }
}

// Runs a block. `Cells` is constructed of (arguments, indices, cluster) and has the states before
// the first step. `step` takes the sums and computes what is published as `outcome`, `store` does
// the rest of a step, `finish` follows the last step. Steps before `begin`, which is 0 or 1, have
// no sums.
template <class Messages, bool kTransposed, class Cells>
POPSNN_DEVICE void run_cluster(const ClusterArguments& a, int begin) {
  using Shape = typename Messages::Shape;
  const ClusterMember<Shape> me(a);
  prepare_cluster<Messages>();
  const ClusterIndices<Shape> indices(a, me);
  Cells cells(a, indices, me.cluster);
  ClusterProduct<Messages, kTransposed> product(a, me);
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
      product.run(a, turn);
      sync_block();
      aborted = indices.template add_up<Messages>(turn.buffer(), sum);
    }
    cells.step(sum);
    if (step + 1 < a.steps) sender.publish(cells.outcome(), MessageTurn{step + 1 - begin});
    // A barrier whose phase has not ended must not be armed again.
    if (!aborted) product.expect(MessageTurn{step - begin}.buffer());
    cells.store();
  }
  cells.finish();
  sync_cluster();
}

}  // namespace popsnn
