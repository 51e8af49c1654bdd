// The elements of [B, N] that a thread of a streamed layer steps, and the main loop of a block.
#pragma once

#include <popsnn/recurrent/streamed/async.cuh>
#include <popsnn/recurrent/streamed/product.cuh>

namespace popsnn {

// A rank owns the `width` neurons of a tile behind those of the ranks before it. A thread has
// kVector neighbours of them, for every `rows`-th sample.
template <class Shape, int kVector>
class StreamedCells {
 public:
  POPSNN_DEVICE StreamedCells(const StreamedArguments& a, const StreamedTeam<Shape>& team)
      : width_((Shape::kOuts / 8 + a.ranks - 1) / a.ranks * 8), neurons_(a.neurons) {
    const int vectors = width_ / kVector;
    rows_ = Shape::kSteppers / vectors;
    row_ = thread_index() / vectors;
    out_ = team.rank * width_ + thread_index() % vectors * kVector;
  }

  // The neurons of the rank: from `begin` of a tile to before `end`, where the tile starts at
  // neuron `first`.
  POPSNN_DEVICE int begin(int rank) const { return rank * width_; }
  POPSNN_DEVICE int end(int rank, int first) const {
    int end = (rank + 1) * width_;
    if (end > Shape::kOuts) end = Shape::kOuts;
    return end < neurons_ - first ? end : neurons_ - first;
  }

  POPSNN_DEVICE int rows() const { return rows_; }
  POPSNN_DEVICE int row() const { return row_; }
  POPSNN_DEVICE int out() const { return out_; }  // in the tile

  POPSNN_DEVICE int neuron(int tile) const { return tile * Shape::kOuts + out_; }

  POPSNN_DEVICE bool there(int tile) const {
    return row_ < rows_ && out_ < Shape::kOuts && neuron(tile) < neurons_;
  }

 private:
  int width_;
  int neurons_;
  int rows_;
  int row_;
  int out_;
};

// kVector neighbours, where they are in memory.
template <class T, int kVector>
POPSNN_DEVICE Row<T, kVector> load_row(const void* from, long long at) {
  return *reinterpret_cast<const Row<T, kVector>*>(static_cast<const T*>(from) + at);
}

template <class T, int kVector>
POPSNN_DEVICE void store_row(void* to, long long at, const float (&x)[kVector]) {
  store<T, kVector, true>(static_cast<T*>(to) + at, x, kVector);
}

// Publishes kVector neighbours as kPlanes terms of 16 bits. kPolled: others poll the messages
// themselves.
template <int kPlanes, bool kPolled, int kVector>
POPSNN_DEVICE void publish_row(const StreamedArguments& a, long long at,
                               const float (&x)[kVector]) {
  Row<Sixteen, kVector> row[kPlanes];
#pragma unroll
  for (int j = 0; j < kVector; j += 2) {
    unsigned terms[kPlanes];
    split(x[j], j + 1 < kVector ? x[j + 1] : 0.0f, terms);
#pragma unroll
    for (int i = 0; i < kPlanes; ++i) {
      if constexpr (kVector == 1) {
        row[i].half = static_cast<unsigned short>(terms[i]);
      } else {
        row[i].words[j / 2] = terms[i];
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kPlanes; ++i) {
    Sixteen* to = static_cast<Sixteen*>(a.messages) + i * a.plane + at;
    if constexpr (!kPolled) {
      *reinterpret_cast<Row<Sixteen, kVector>*>(to) = row[i];
    } else if constexpr (kVector == 1) {
      store_for_all(reinterpret_cast<unsigned short*>(to), row[i].half);
    } else {
      static_assert(kVector == 4);
      store_for_all(reinterpret_cast<Words2*>(to), Words2{{row[i].words[0], row[i].words[1]}});
    }
  }
}

// A neuron's parameters.
template <int kParameters>
POPSNN_DEVICE void load_parameters(const RecurrentArguments& a, int neuron,
                                   float (&parameter)[kParameters]) {
#pragma unroll
  for (int i = 0; i < kParameters; ++i) {
    parameter[i] = a.parameter[i] != nullptr ? a.parameter[i][neuron] : a.scalar[i];
  }
}

// Writes a tile's partial sums for the ranks that step its neurons: [kSamples, kOuts].
template <class Shape>
POPSNN_DEVICE void store_sums(float* to,
                              const float (&sums)[Shape::kRowTiles][Shape::kSampleTiles][4]) {
  const int lane = thread_index() % 32;
  float* at = to + lane % 4 * 2 * Shape::kOuts + thread_index() / 32 * Shape::kWarpOuts + lane / 4;
#pragma unroll
  for (int tile = 0; tile < Shape::kSampleTiles; ++tile) {
#pragma unroll
    for (int row = 0; row < Shape::kRowTiles; ++row) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        at[(tile * 8 + j % 2) * Shape::kOuts + row * 16 + j / 2 * 8] = sums[row][tile][j];
      }
    }
  }
}

// The sum of the ranks' partial sums for kVector neurons of a sample.
template <class Shape, int kVector>
POPSNN_DEVICE void add_sums(const float* from, int ranks, float (&sum)[kVector]) {
#pragma unroll
  for (int j = 0; j < kVector; ++j) sum[j] = 0.0f;
  for (int rank = 0; rank < ranks; ++rank) {
    float partial[kVector];
    load_from_others(from + static_cast<long long>(rank) * Shape::kSamples * Shape::kOuts, partial);
#pragma unroll
    for (int j = 0; j < kVector; ++j) sum[j] += partial[j];
  }
}

// The work of the warps that multiply and step neurons.
template <class Shape, class Stream, class Cells>
POPSNN_DEVICE void step_streamed(const StreamedArguments& a, const StreamedTeam<Shape>& team,
                                 Stream& stream, Cells& cells) {
  constexpr int kVector = Cells::kVector;
  // Samples whose memory a thread waits for together. Of four of three states, backward spills up
  // to 820 bytes a thread with weights of bfloat16; of two 210, as LIF does of four.
  constexpr int kTogether = Cells::kStates > 2 ? 2 : 4;
  constexpr int kSums = Shape::kSamples * Shape::kOuts;
  const StreamedCells<Shape, kVector> owned(a, team);
  unsigned* arrivals = team.arrivals(a);
  unsigned* team_arrivals = arrivals + 1 + team.team;
  unsigned products = 0;
  [[maybe_unused]] unsigned rounds = 0;  // of all blocks, with a capacity
  for (int step = a.begin_step(); step < a.steps; ++step) {
    const bool sent = step >= a.first_step;
    if (sent) stream.begin(step, cells);
    for (int i = 0; i < team.tiles(a.tiles); ++i) {
      const int tile = sent ? stream.tile() : team.team + i * team.teams;
      float* left =
          static_cast<float*>(a.sums) +
          (static_cast<long long>(team.group * 2 + static_cast<int>(products % 2)) * a.blocks() +
           team.team * a.ranks) *
              kSums;
      if (sent) {
        float sums[Shape::kRowTiles][Shape::kSampleTiles][4] = {};
        stream.multiply(sums);
        store_sums<Shape>(left + team.rank * kSums, sums);
        arrive_for_all<Shape>(team_arrivals);
        ++products;
      }
      const bool there = owned.there(tile);
      if (there) cells.begin(step, owned.neuron(tile));
      typename Cells::Inputs inputs[kTogether];
      for (int first = owned.row(), round = 0; first < team.samples || round == 0; ++round) {
#pragma unroll
        for (int k = 0; k < kTogether; ++k) {
          const int sample = first + k * owned.rows();
          if (there && sample < team.samples) cells.load(team.first + sample, inputs[k]);
        }
        if (sent && round == 0) {
          if (thread_index() == 0) {
            wait_for_arrivals(a, team_arrivals, static_cast<unsigned>(a.ranks) * products);
          }
          wait_for_steppers<Shape>();
        }
#pragma unroll
        for (int k = 0; k < kTogether; ++k) {
          const int sample = first + k * owned.rows();
          if (!there || sample >= team.samples) continue;
          float sum[kVector] = {};
          if (sent) add_sums<Shape>(left + sample * Shape::kOuts + owned.out(), a.ranks, sum);
          if (*Timeout::aborted() != 0) {
#pragma unroll
            for (int j = 0; j < kVector; ++j) sum[j] = quiet_nan();
          }
          float sent[kVector];
          cells.step(team.first + sample, inputs[k], sum, sent);
        }
        first += kTogether * owned.rows();
      }
      if (there) cells.end((a.first_group + team.group) * owned.rows() + owned.row());
    }
    if constexpr (Cells::kLimited) {
      cells.drop(team, step, rounds);
      stream.limited();
    } else if (step + 1 < a.steps) {
      arrive_for_all<Shape>(arrivals);
    }
  }
}

// Runs a block. `Cells` steps kVector neurons of a sample. It takes the arguments and the group's
// first sample.
// `begin` selects the neurons of a tile, `load` reads what needs no sums, `step` takes the sums,
// `end` follows a tile. With a capacity, `drop` follows a step and waits for all blocks.
// `row` is that of the messages of a step and tap in their map.
template <class Shape, bool kTransposed, class Cells>
POPSNN_DEVICE void run_streamed(const StreamedMaps& maps, const StreamedArguments& a) {
  if (thread_index() == 0) *Timeout::aborted() = 0;
  using Walk = typename WalkOf<Cells::kTaps>::Type;
  const StreamedTeam<Shape> team(a);
  if constexpr (Shape::kCopyEngine) {
    WeightStream<Shape, kTransposed, Walk, Cells::kLimited> stream(maps, a, team);
    Cells cells(a, team.first);
    if (thread_index() < Shape::kSteppers) {
      grow_registers<Shape::kStepRegisters>();
      step_streamed<Shape>(a, team, stream, cells);
    } else {
      shrink_registers<Shape::kCopyRegisters>();
      if (thread_index() == Shape::kSteppers) stream.copy_weights();
      if (thread_index() == Shape::kSteppers + 32) stream.copy_messages(cells);
    }
  } else {
    AsyncStream<Shape, kTransposed, Walk, Cells::kLimited> stream(a, team);
    Cells cells(a, team.first);
    wait_for_steppers<Shape>();  // of `Timeout::aborted`
    step_streamed<Shape>(a, team, stream, cells);
  }
}

}  // namespace popsnn
