// Delays along time of dense spikes [T, B, P] before which there were none: rows [T, B, P] for the
// products, and with slopes their derivatives by the delays. As `delayed_forward` of delayed.cuh,
// of few taps. What comes of the spikes that a feature's taps see is looked up in a table. As bits
// the spikes of all steps fit shared memory: a block waits for its threads once, and those of 100
// steps of 48 x 1,024 features all run at once on an H200. There they take 12.7 us with slopes of
// three taps, for 17.0 of `delayed_forward`, and 10.6 us without slopes, for 14.5. Of that, loads
// past L1 save 0.7 us. What is left is memory: without the 10 MB of slopes a whole layer took 1.4
// us less.
#pragma once

#include <popsnn/layer/delayed.cuh>

namespace popsnn {

constexpr int kDelayedSpikesThreads = 448;
constexpr int kSpikeSteps = 8;      // of a thread at once, which are a byte
constexpr int kSpikeFeatures = 4;   // of a thread, whose spikes are 16 bytes
constexpr int kSpikeLanes = 32;     // threads that have the same steps
constexpr int kSpikeColumns = 128;  // features of a block, kSpikeLanes kSpikeFeatures
constexpr int kLoadsAtOnce = 4;
constexpr int kSpareSpikeRows = 2;  // of bits behind the last, which are read and of no step

// Where a block's shared memory has its features; in the tables and in `first` those of a thread
// are kSpikeLanes apart, so that neighbouring lanes read neighbouring words.
template <class T, int kWindow, int kSlopes>
struct SpikeColumns {
  static constexpr bool kWithSlopes = kSlopes == kSlopeRows;
  static constexpr int kEntries = 1 << kWindow;
  // Of 16 bits a word has the output and, in its upper half, the slope.
  static constexpr int kTables = sizeof(T) == 4 && kWithSlopes ? 2 : 1;

  const DelayedArguments& a;
  unsigned* table;  // [kTables][kEntries][columns], by spikes: the lowest bit is the last tap's
  int* first;       // [columns] first taps
  float* taps;      // [kWindow][columns] weights, with slopes as many of these
  unsigned* bits;   // [rows before, rows of steps, spare rows][kSpikeLanes], a byte a feature
  int before;       // rows of the steps before the first, in which nothing fired
  int rows;         // of steps
  int sample;
  int begin;  // the block's first feature

  POPSNN_DEVICE explicit SpikeColumns(const DelayedArguments& arguments) : a(arguments) {
    table = reinterpret_cast<unsigned*>(shared_memory());
    first = reinterpret_cast<int*>(table + kTables * kEntries * kSpikeColumns);
    taps = reinterpret_cast<float*>(first + kSpikeColumns);
    bits = reinterpret_cast<unsigned*>(taps + (kWithSlopes ? 2 : 1) * kWindow * kSpikeColumns);
    before = (a.maximum + kSpikeSteps - 1) / kSpikeSteps;
    rows = (a.steps + kSpikeSteps - 1) / kSpikeSteps;
    const int block = static_cast<int>(block_index());
    const int blocks = (a.row + kSpikeColumns - 1) / kSpikeColumns;
    sample = block / blocks;
    begin = block % blocks * kSpikeColumns;
  }
  POPSNN_DEVICE static int lane() { return thread_index() % kSpikeLanes; }
  POPSNN_DEVICE static int group() { return thread_index() / kSpikeLanes; }
  POPSNN_DEVICE int feature() const { return begin + lane() * kSpikeFeatures; }
  POPSNN_DEVICE bool inside() const { return feature() < a.row; }
  // Of the thread's features of a step in [T, B, P], and from there to the next step.
  POPSNN_DEVICE long long at(int step) const {
    return (static_cast<long long>(step) * a.batch + sample) * a.row + feature();
  }
  POPSNN_DEVICE long long over_time() const { return static_cast<long long>(a.batch) * a.row; }
};

constexpr int kSpikeGroups = kDelayedSpikesThreads / kSpikeLanes;

// Starts to load some steps from `step` on of a thread's features. Steps behind the last, whose
// bits are not read, are the last again: a load under a condition waits for the load before it.
template <class Columns>
POPSNN_DEVICE void load_steps(const Columns& own, int step,
                              float (&values)[kLoadsAtOnce][kSpikeFeatures]) {
  const auto* from = static_cast<const float*>(own.a.x) + own.at(step);
#pragma unroll
  for (int n = 0; n < kLoadsAtOnce; ++n) {
    load_once(from, values[n]);
    from += step + n + 1 < own.a.steps ? own.over_time() : 0;
  }
}

// A byte of bits for each feature.
POPSNN_DEVICE unsigned fired(const float (&values)[kLoadsAtOnce][kSpikeFeatures]) {
  unsigned bits = 0;
#pragma unroll
  for (int n = 0; n < kLoadsAtOnce; ++n) {
#pragma unroll
    for (int j = 0; j < kSpikeFeatures; ++j) {
      bits |= values[n][j] != 0.0f ? 1u << (kSpikeSteps * j + n) : 0u;
    }
  }
  return bits;
}

// Reads all spikes of the block's features, and calls `meanwhile` while the first are on the way.
template <class Columns, class Meanwhile>
POPSNN_DEVICE void read_spikes(const Columns& own, Meanwhile meanwhile) {
  static_assert(kSpikeSteps == 2 * kLoadsAtOnce, "two loads of a byte");
  float values[kLoadsAtOnce][kSpikeFeatures];
  int row = own.group();
  const int rows = own.inside() ? own.rows : 0;
  if (row < rows) load_steps(own, row * kSpikeSteps, values);
  meanwhile();
  while (row < rows) {
    unsigned bits = fired(values);
    const int half = row * kSpikeSteps + kLoadsAtOnce;
    if (half < own.a.steps) {
      load_steps(own, half, values);
      bits |= fired(values) << kLoadsAtOnce;
    }
    own.bits[(own.before + row) * kSpikeLanes + own.lane()] = bits;
    row += kSpikeGroups;
    if (row < rows) load_steps(own, row * kSpikeSteps, values);
  }
}

// Makes the taps of the feature that is the thread's, and its tables. The terms are added up as
// `TapWindow` does.
template <class T, int kSpread, int kWindow, int kSlopes>
POPSNN_DEVICE void make_table(const SpikeColumns<T, kWindow, kSlopes>& own, float delay) {
  using Columns = SpikeColumns<T, kWindow, kSlopes>;
  const int thread = thread_index();
  const int column = thread % kSpikeFeatures * kSpikeLanes + thread / kSpikeFeatures;
  float* const weights = own.taps + column;
  float* const slopes = Columns::kWithSlopes ? weights + kWindow * kSpikeColumns : nullptr;
  Taps taps{weights, slopes, kSpikeColumns, 0};
  make_taps<kSpread>(own.a, taps, delay);
  own.first[column] = taps.first;
  float of_out[kWindow];
  float of_slope[kWindow];
#pragma unroll
  for (int i = 0; i < kWindow; ++i) {
    of_out[i] = taps.weight(i);
    of_slope[i] = Columns::kWithSlopes && within(own.a, delay) ? taps.slope(i) : 0.0f;
  }
#pragma unroll 2
  for (int entry = 0; entry < Columns::kEntries; ++entry) {
    float out = 0.0f;
    float slope = 0.0f;
#pragma unroll
    for (int i = 0; i < kWindow; ++i) {
      const float value = (entry >> (kWindow - 1 - i) & 1) != 0 ? 1.0f : 0.0f;
      out = fma(of_out[i], value, out);
      slope = fma(of_slope[i], value, slope);
    }
    unsigned* const to = own.table + entry * kSpikeColumns + column;
    if constexpr (sizeof(T) == 2) {
      *to = pack(out, slope, T{});
    } else {
      *to = float_to_bits(out);
      if constexpr (Columns::kWithSlopes) {
        to[Columns::kEntries * kSpikeColumns] = float_to_bits(slope);
      }
    }
  }
}

// Writes the rows of a thread's features from `step` on.
template <class T, int kWindow, int kSlopes>
POPSNN_DEVICE void write_delayed(const SpikeColumns<T, kWindow, kSlopes>& own, int step,
                                 const unsigned (&bits)[kSpikeFeatures]) {
  using Columns = SpikeColumns<T, kWindow, kSlopes>;
  using Out = Row<T, kSpikeFeatures>;
  T* to = static_cast<T*>(own.a.out) + own.at(step);
  [[maybe_unused]] T* to_slopes = nullptr;
  if constexpr (Columns::kWithSlopes) to_slopes = static_cast<T*>(own.a.out_slopes) + own.at(step);
  const auto* const table = own.table + own.lane();
#pragma unroll
  for (int n = 0; n < kSpikeSteps; ++n) {
    if (step + n >= own.a.steps) return;
    unsigned entries[Columns::kTables][kSpikeFeatures];
#pragma unroll
    for (int j = 0; j < kSpikeFeatures; ++j) {
      const int entry = static_cast<int>(bits[j] >> n & (Columns::kEntries - 1));
#pragma unroll
      for (int k = 0; k < Columns::kTables; ++k) {
        entries[k][j] = table[(k * Columns::kEntries + entry) * kSpikeColumns + j * kSpikeLanes];
      }
    }
    Out out;
    Out slopes;
    if constexpr (sizeof(T) == 2) {
#pragma unroll
      for (int j = 0; j < kSpikeFeatures; j += 2) {
        out.words[j / 2] = select_bytes(entries[0][j], entries[0][j + 1], 0x5410u);
        slopes.words[j / 2] = select_bytes(entries[0][j], entries[0][j + 1], 0x7632u);
      }
    } else {
#pragma unroll
      for (int j = 0; j < kSpikeFeatures; ++j) {
        out.words[j] = entries[0][j];
        slopes.words[j] = entries[Columns::kTables - 1][j];
      }
    }
    store_whole(to + n * own.over_time(), out.words);
    if constexpr (Columns::kWithSlopes) store_whole(to_slopes + n * own.over_time(), slopes.words);
  }
}

// Rows of spikes begin at 16 bytes. kWindow: a.window; kSlopes: kNoSlopes or kSlopeRows.
template <class T, int kSpread, int kWindow, int kSlopes>
POPSNN_DEVICE void delayed_spikes(const DelayedArguments& a) {
  const SpikeColumns<T, kWindow, kSlopes> own(a);
  const bool has_table = thread_index() < kSpikeColumns;
  // Before the spikes, so that they and the delay are loaded at the same time.
  const int feature = own.begin + thread_index();
  float delay = static_cast<float>(a.minimum);
  if (has_table && feature < a.features) delay = a.delays[feature];
  const auto make = [&] {
    if (has_table) make_table<T, kSpread, kWindow, kSlopes>(own, delay);
  };
  constexpr bool kMeanwhile = kSpread == kNoSpread || kSpread == kStraightThrough;
  read_spikes(own, [&] {
    if constexpr (kMeanwhile) make();
    const int empty = (own.before + kSpareSpikeRows) * kSpikeLanes;
    for (int i = thread_index(); i < empty; i += kDelayedSpikesThreads) {
      own.bits[i < own.before * kSpikeLanes ? i : i + own.rows * kSpikeLanes] = 0;
    }
  });
  if constexpr (!kMeanwhile) make();  // divisions, for which registers do not suffice before
  sync_block();
  if (!own.inside()) return;
  int first[kSpikeFeatures];
#pragma unroll
  for (int j = 0; j < kSpikeFeatures; ++j) first[j] = own.first[j * kSpikeLanes + own.lane()];
  const auto* const bytes = reinterpret_cast<const unsigned char*>(own.bits + own.lane());
  for (int row = own.group(); row < own.rows; row += kSpikeGroups) {
    unsigned bits[kSpikeFeatures];  // from the last tap's of the first step on
#pragma unroll
    for (int j = 0; j < kSpikeFeatures; ++j) {
      const int step = (own.before + row) * kSpikeSteps - first[j] - (kWindow - 1);
      const auto* const at = bytes + step / kSpikeSteps * kSpikeColumns + j;
      unsigned found = at[0];
      found |= static_cast<unsigned>(at[kSpikeColumns]) << kSpikeSteps;
      found |= static_cast<unsigned>(at[2 * kSpikeColumns]) << 2 * kSpikeSteps;
      bits[j] = found >> step % kSpikeSteps;
    }
    write_delayed(own, row * kSpikeSteps, bits);
  }
}

}  // namespace popsnn
