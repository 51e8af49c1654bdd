// All blocks at once, whose threads take turns.
#include <popsnn/device/cluster.cuh>

#include <cstring>
#include <string>
#include <utility>

#include "grid.hpp"

extern "C" {
int popsnn_host_loses = 0;  // whether messages of a cluster's second block never arrive
}

namespace popsnn {
namespace host {

// About half of the messages in flight arrive.
static void deliver(unsigned long long random) {
  std::vector<std::function<void()>> still;
  for (std::size_t i = 0; i < grid.later.size(); ++i) {
    if (random >> (i * 7 % 64) & 1u) {
      still.push_back(std::move(grid.later[i]));
    } else {
      grid.later[i]();
    }
  }
  grid.later = std::move(still);
}

// The first error of any block, or null.
static const char* first_error() {
  for (const Block& block : grid.blocks) {
    if (!block.races.first().empty()) return block.races.first().c_str();
  }
  return nullptr;
}

// In another order in every round, until the first error.
static void run_fibers() {
  const std::size_t count = grid.fibers.size();
  unsigned long long random = 1;
  for (bool left = true; left && first_error() == nullptr; ++grid.rounds) {
    left = false;
    random = random * 6364136223846793005ull + 1442695040888963407ull;
    deliver(random);
    const std::size_t first = (random >> 33) % count;
    const std::size_t apart = 8191;  // a prime that no number of threads is a multiple of
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = (first + k * apart) % count;
      Fiber& fiber = grid.fibers[i];
      if (fiber.ended) continue;
      left = true;
      if (fiber.word != nullptr && *fiber.word == fiber.value) continue;
      machine.block = static_cast<long long>(i) / machine.threads;
      machine.thread = static_cast<int>(static_cast<long long>(i) % machine.threads);
      machine.shared_start = grid.block().shared.data();
      grid.go_on(i);
    }
  }
}

const char* run_together(Body body, const void* kernel, const void* arguments, long long blocks,
                         int threads, int bytes, int cluster) {
  grid.body = body;
  grid.kernel = kernel;
  grid.arguments = arguments;
  grid.together = true;
  machine.threads = threads;
  machine.cluster = cluster;
  grid.clusters.assign(index(blocks / cluster), {});
  grid.later.clear();
  grid.blocks.clear();
  grid.blocks.resize(index(blocks));
  for (Block& block : grid.blocks) {
    block.shared.assign(index(bytes) + 16, 0x7f);
    block.warps.resize(index(threads / 32));
    block.races.begin(threads, bytes);
  }
  grid.fibers.clear();
  grid.fibers.resize(index(blocks * threads));
  for (std::size_t i = 0; i < grid.fibers.size(); ++i) grid.begin(i);
  run_fibers();
  const char* error = first_error();
  if (error != nullptr) forget_stacks();  // on which threads stopped
  return error;
}

const unsigned char* exchange_bytes(const void* mine, int bytes) {
  Warp& warp = grid.warp();
  const unsigned round = warp.meeting.round;
  std::memcpy(warp.values[round % 2][machine.thread % 32], mine, index(bytes));
  warp.meeting.arrive(32);
  grid.wait_while(warp.meeting.round, round);
  return warp.values[round % 2][0];
}

// What each lane of the warp has handed over.
template <class T>
class Lanes {
 public:
  explicit Lanes(const T& mine) : values_(exchange_bytes(&mine, sizeof mine)) {
    static_assert(sizeof(T) <= kMostBytes);
  }

  T operator[](int lane) const {
    T value;
    std::memcpy(&value, values_ + lane * kMostBytes, sizeof value);
    return value;
  }

 private:
  const unsigned char* values_;
};

static float float_of(unsigned short bits, Bf16) {
  return bits_to_float(static_cast<unsigned>(bits) << 16);
}
static float float_of(unsigned short bits, Half) { return half_to_float(bits); }

template <class T>
void multiply(float (&sum)[4], const Words4& a, const unsigned (&b)[2], T type) {
  struct Operands {
    Words4 a;
    unsigned b[2];
  };
  const Lanes<Operands> all(Operands{a, {b[0], b[1]}});
  const auto number = [type](unsigned word, int k) {
    return float_of(static_cast<unsigned short>(k % 2 == 0 ? word : word >> 16), type);
  };
  const int lane = machine.thread % 32;
  for (int j = 0; j < 4; ++j) {
    const int column = lane % 4 * 2 + j % 2;
    for (int k = 0; k < 16; ++k) {
      const int half = k / 8;
      const Operands row = all[lane / 4 * 4 + k % 8 / 2];
      const Operands of_column = all[column * 4 + k % 8 / 2];
      sum[j] += number(row.a.word[2 * half + j / 2], k) * number(of_column.b[half], k);
    }
  }
}

}  // namespace host

float shuffle_xor(float x, int mask) {
  const int other = host::machine.thread % 32 ^ mask;
  return host::Lanes<float>(x)[other];
}

void multiply_tile(float (&sum)[4], const Words4& a, const unsigned (&b)[2], Bf16 type) {
  host::multiply(sum, a, b, type);
}

void multiply_tile(float (&sum)[4], const Words4& a, const unsigned (&b)[2], Half type) {
  host::multiply(sum, a, b, type);
}

Words4 load_matrices(unsigned row) {
  const host::Lanes<unsigned> rows(row);
  const int lane = host::machine.thread % 32;
  Words4 x;
  for (int m = 0; m < 4; ++m) {
    const unsigned at = rows[8 * m + lane / 4] + lane % 4 * 4;
    host::read_shared(&x.word[m], at, 4);
  }
  return x;
}

Words4 load_matrices_transposed(unsigned row) {
  const host::Lanes<unsigned> rows(row);
  const int lane = host::machine.thread % 32;
  Words4 x;
  for (int m = 0; m < 4; ++m) {
    unsigned short pair[2];
    for (int j = 0; j < 2; ++j) {
      const unsigned at = rows[8 * m + lane % 4 * 2 + j] + lane / 4 * 2;
      host::read_shared(&pair[j], at, 2);
    }
    x.word[m] = pair[0] | static_cast<unsigned>(pair[1]) << 16;
  }
  return x;
}

}  // namespace popsnn
