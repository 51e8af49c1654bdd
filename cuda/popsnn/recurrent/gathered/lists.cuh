// The lists of neurons that fired, which blocks publish: how they are written, and how warps read
// them.
//
// A list has a word of 64 bits for each neuron: its tag (7 bits), whether it is the last of the
// list (1 bit), the neuron within its block (8 bits), and the samples in which it fired (48 bits).
// A list of no neurons is a word of no samples. Two lists take turns: a block writes step t's where
// t - 2's was, after it has read all lists of step t - 1, whose blocks had read those of t - 2
// before. What a shorter list leaves of a longer one becomes 0, which is no tag, so that a word is
// of the step that its tag says or of two steps before.
#pragma once

#include <popsnn/recurrent/gathered/gathered.cuh>

namespace popsnn {

constexpr int kTags = 127;

POPSNN_DEVICE unsigned tag_of(int step) { return 1u + static_cast<unsigned>(step + 1) % kTags; }

POPSNN_DEVICE Word64 list_word(int step, bool last, int id, Word64 mask) {
  const unsigned header =
      tag_of(step) << 9 | static_cast<unsigned>(last) << 8 | static_cast<unsigned>(id);
  return static_cast<Word64>(header) << 48 | mask;
}

POPSNN_DEVICE unsigned header_of(Word64 word) { return static_cast<unsigned>(word >> 48); }
POPSNN_DEVICE bool is_last(Word64 word) { return (header_of(word) >> 8 & 1u) != 0; }
POPSNN_DEVICE int id_of(Word64 word) { return static_cast<int>(header_of(word) & 0xffu); }
POPSNN_DEVICE Word64 mask_of(Word64 word) { return word & 0xffffffffffffull; }
POPSNN_DEVICE bool is_of(Word64 word, int step) { return header_of(word) >> 9 == tag_of(step); }

// The bits of the samples in which a neuron fired, of a float each.
template <int kSamples>
POPSNN_DEVICE Word64 fired_mask(const float* values) {
  unsigned low = 0;
  unsigned high = 0;
#pragma unroll
  for (int sample = 0; sample < kSamples; ++sample) {
    const auto bit = static_cast<unsigned>(values[sample] != 0.0f);
    if (sample < 32) low |= bit << sample;
    if (sample >= 32) high |= bit << (sample - 32);
  }
  return static_cast<Word64>(high) << 32 | low;
}

// The spikes of the block's neurons in a step, and their list.
template <class Shape>
class SpikeList {
 public:
  static constexpr int kRow = Shape::kListSamples | 1;  // floats of a neuron, odd against conflicts
  static constexpr int kWarps = (Shape::kOuts + 31) / 32;

  // `shared`: kWarps + kOuts kRow words.
  POPSNN_DEVICE SpikeList(const GatheredArguments& a, unsigned char* shared)
      : a_(a),
        counts_(reinterpret_cast<int*>(shared)),
        spikes_(reinterpret_cast<float*>(shared) + kWarps) {
    // Samples beyond those of the group, and neurons beyond the layer's, do not fire.
    for (int i = thread_index(); i < Shape::kOuts * kRow; i += Shape::kThreads) spikes_[i] = 0.0f;
  }

  POPSNN_DEVICE void set(int out, int sample, float spike) const {
    spikes_[out * kRow + sample] = spike;
  }

  // By all threads, after those that set the spikes.
  POPSNN_DEVICE void publish(int step) {
    sync_block();
    const int out = thread_index();
    const int warp = out / 32;
    Word64 mask = 0;
    unsigned bits = 0;
    if (warp < kWarps) {  // all lanes of a warp
      if (out < Shape::kOuts) mask = fired_mask<Shape::kListSamples>(spikes_ + out * kRow);
      bits = ballot(mask != 0);
      if (out % 32 == 0) counts_[warp] = popcount(bits);
    }
    sync_block();
    int before = 0;
    int total = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      const int count = counts_[w];
      if (w < warp) before += count;
      total += count;
    }
    const int turn = (step + 1) & 1;
    Word64* list =
        a_.lists + (static_cast<long long>(turn) * a_.list_blocks + block_index()) * Shape::kOuts;
    if (mask != 0) {
      const int entry = before + popcount(bits & ((1u << out % 32) - 1u));
      store_for_all(list + entry, list_word(step, entry == total - 1, out, mask));
    }
    if (total == 0) {
      if (out == 0) store_for_all(list, list_word(step, true, 0, 0));
      total = 1;
    }
    for (int i = total + thread_index(); i < written_before_; i += Shape::kThreads) {
      store_for_all(list + i, 0);
    }
    written_before_ = written_;
    written_ = total;
  }

 private:
  const GatheredArguments& a_;
  int* counts_;             // [kWarps]
  float* spikes_;           // [kOuts, kRow]
  int written_ = 0;         // words of the last list
  int written_before_ = 0;  // and of the one before, whose place the next list takes
};

// A warp's words of the lists of a step, a window after the other. Polling delays what others
// publish, so a warp polls few words: kWindow of each of its lists, by kLoads loads. What longer
// lists have behind these has mostly arrived when they have; it is read 32 words of a list at a
// time, those of kAhead lists ahead.
//
// There is one piece of code for all windows: it and the product that follows have to stay in the
// instruction cache. With a copy for each window a step took twice as long.
template <class Shape, int kWindow, int kLoads>
class ListReader {
 public:
  static constexpr int kOfLoad = 32 / kWindow;  // lists that a load reads
  static constexpr int kAhead = 4;
  static_assert(kOfLoad * kLoads <= 64, "a bit for each list");

  POPSNN_DEVICE ListReader(const GatheredArguments& a, int split)
      : a_(a), lane_(thread_index() % 32), split_(split) {}

  // Begins to poll the lists of a step.
  POPSNN_DEVICE void begin(int step) {
    step_ = step;
    lists_ = a_.lists + static_cast<long long>((step + 1) & 1) * a_.list_blocks * Shape::kOuts;
    load_ = 0;
    longer_ = 0;
    queued_ = 0;
#pragma unroll
    for (int i = 0; i < kLoads; ++i) words_[i] = word_of(list_of(i), lane_ % kWindow);
  }

  // Waits for the next words: a sender and its samples in the lanes where `taken`. Returns false
  // behind the last.
  POPSNN_DEVICE bool next(bool& taken, int& sender, Word64& mask, Timeout& timeout) {
    const bool first = load_ < kLoads;
    if (!first && queued_ == 0) return false;
    int list = queue_[0];
    if (first) list = list_of(load_);
    const int at = first ? lane_ % kWindow : position_ + lane_;
    const int segment = first ? lane_ / kWindow * kWindow : 0;
    const int left = Shape::kOuts - (at - (lane_ - segment));  // words of the list from here
    const int most = first ? kWindow : 32;
    const int count = left < most ? left : most;
    Word64 word = ahead_[0];
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const Word64 other = words_[i];  // not `?:` of two elements, which would be in memory
      if (load_ == i) word = other;
    }
    const unsigned of_window = count < 32 ? (1u << count) - 1u : ~0u;
    const bool there = block_of(list) < a_.list_blocks;
    unsigned wanted = 0;
    unsigned last = 0;
    bool arrived = false;
    for (;;) {
      const bool mine = is_of(word, step_);
      const unsigned of_step = ballot(mine) >> segment & of_window;
      const unsigned ends = ballot(mine && is_last(word)) >> segment & of_window;
      last = ends & (0u - ends);
      wanted = last != 0 ? last | (last - 1u) : of_window;
      arrived = (of_step & wanted) == wanted;
      if (all(!there || arrived || timeout.expired())) break;
      if (!arrived) word = word_of(list, at);
    }
    mask = mask_of(word);
    sender = block_of(list) * Shape::kOuts + id_of(word);
    taken = there && arrived && mask != 0 && (wanted >> (lane_ - segment) & 1u) != 0;
    const bool goes_on = there && arrived && last == 0 && left > count;
    const unsigned longer = ballot(goes_on && lane_ == segment);
    if (first) {
      add_longer(longer);
      if (++load_ == kLoads) {
        position_ = kWindow;
        while (queued_ < kAhead && longer_ != 0) enqueue();
      }
    } else if (longer != 0) {
      position_ += 32;
      ahead_[0] = word_of(list, position_ + lane_);
    } else {
      dequeue();
    }
    return true;
  }

 private:
  // The lane's list of a load, and the block that publishes it.
  POPSNN_DEVICE int list_of(int load) const { return load * kOfLoad + lane_ / kWindow; }
  POPSNN_DEVICE int block_of(int list) const { return split_ + list * Shape::kSplits; }

  POPSNN_DEVICE Word64 word_of(int list, int at) const {
    if (block_of(list) >= a_.list_blocks || at >= Shape::kOuts) return 0;
    return load_shared_by_all(lists_ + static_cast<long long>(block_of(list)) * Shape::kOuts + at);
  }

  // Lists of a load that go on, a bit at the first lane of each.
  POPSNN_DEVICE void add_longer(unsigned lanes) {
#pragma unroll
    for (int i = 0; i < kOfLoad; ++i) {
      longer_ |= static_cast<Word64>(lanes >> i * kWindow & 1u) << (load_ * kOfLoad + i);
    }
  }

  POPSNN_DEVICE void enqueue() {
    const auto low = static_cast<unsigned>(longer_);
    const int list =
        low != 0 ? lowest_bit(low) : 32 + lowest_bit(static_cast<unsigned>(longer_ >> 32));
    longer_ &= longer_ - 1;
    const Word64 word = word_of(list, kWindow + lane_);
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      if (queued_ == i) {
        queue_[i] = list;
        ahead_[i] = word;
      }
    }
    ++queued_;
  }

  POPSNN_DEVICE void dequeue() {
#pragma unroll
    for (int i = 1; i < kAhead; ++i) {
      queue_[i - 1] = queue_[i];
      ahead_[i - 1] = ahead_[i];
    }
    --queued_;
    position_ = kWindow;
    if (longer_ != 0) enqueue();
  }

  const GatheredArguments& a_;
  int lane_;
  int split_;
  int step_ = 0;
  const Word64* lists_ = nullptr;
  Word64 words_[kLoads] = {};
  int load_ = 0;            // of the next window
  Word64 longer_ = 0;       // a bit for each list that goes on and is not in the queue
  int queue_[kAhead] = {};  // lists that are read on
  Word64 ahead_[kAhead] = {};
  int queued_ = 0;
  int position_ = 0;  // of the queue's first list
};

}  // namespace popsnn
