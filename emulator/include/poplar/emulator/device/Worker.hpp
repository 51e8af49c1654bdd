// What a codelet asks of the worker that runs it: its tile and number, random numbers, registers.
#ifndef POPLAR_EMULATOR_DEVICE_WORKER_HPP
#define POPLAR_EMULATOR_DEVICE_WORKER_HPP

#ifdef __POPC__

#include <time.h>

#include <cstdint>
#include <cstring>

#include "NotEmulated.hpp"

namespace poplar {
namespace detail {

// Behind a vertex object whose codelet asks for any of this. The runtime fills in the first two
// members; the draws of each worker continue from run to run until the engine is loaded again.
struct VertexContext {
  std::uint32_t tile, unused;
  std::uint64_t seed;
  std::uint64_t draws[6];
};

struct Worker {
  void* vertex = nullptr;
  VertexContext* context = nullptr;
  unsigned number = 0;
  // Accumulators, the scalar of axpy ($TAS) and what was put into other registers. On the chip,
  // too, all of them keep their values from one vertex to the next.
  float accumulator[16] = {};
  float scalar = 0;
  std::uint32_t registers[512] = {};
};

inline thread_local Worker worker;

[[noreturn]] inline void refuse(const char* what) { throw NotEmulated{what}; }

// splitmix64 of the vertex, the worker and the number of the draw: no order of threads matters.
inline std::uint64_t draw() {
  VertexContext& c = *worker.context;
  std::uint64_t z =
      c.seed + worker.number * 0xd1342543de82ef95u + ++c.draws[worker.number] * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// In [-0.5, 0.5), as the chip's generators of floats.
inline float uniform() { return static_cast<float>(draw() >> 40) * (1.0f / 16777216.0f) - 0.5f; }

// Twelve uniform numbers have a variance of 1 together.
inline float normal() {
  float sum = 0;
  for (int i = 0; i < 12; ++i) sum += uniform();
  return sum;
}

// A host counts no cycles of the chip: its time, in cycles of 1.33 GHz.
inline std::uint64_t cycles() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const auto ns = static_cast<std::uint64_t>(now.tv_sec) * 1000000000u +
                  static_cast<std::uint64_t>(now.tv_nsec);
  return ns * 133 / 100;
}

// Control registers by their number; those of the floating-point unit begin at 256.
constexpr unsigned kWorkerStatus = 1, kCountLow = 0x60, kCountHigh = 0x61, kClear = 0x101,
                   kScalar = 0x108;

inline std::uint32_t readRegister(unsigned index) {
  std::uint32_t bits = worker.registers[index];
  if (index == kWorkerStatus) bits = worker.number;
  if (index == kCountLow) bits = static_cast<std::uint32_t>(cycles());
  if (index == kCountHigh) bits = static_cast<std::uint32_t>(cycles() >> 32);
  if (index == kScalar) std::memcpy(&bits, &worker.scalar, sizeof bits);
  return bits;
}

inline void writeRegister(unsigned index, std::uint32_t bits) {
  worker.registers[index] = bits;
  if (index == kScalar) std::memcpy(&worker.scalar, &bits, sizeof bits);
  if (index == kClear && (bits & 8u) != 0) {
    for (float& a : worker.accumulator) a = 0;
  }
}

}  // namespace detail
}  // namespace poplar

#endif  // __POPC__

#endif  // POPLAR_EMULATOR_DEVICE_WORKER_HPP
