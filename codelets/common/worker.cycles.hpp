// What every estimator of a codelet counts with.
//
// A worker issues one bundle {main | aux} each sixth cycle of its tile; what a bundle loads or
// computes, the next one may use, so that loops are counted by their bundles alone. Three kinds of
// code are counted:
//
//   in assembly   bundles as they stand (rows_ipu.hpp); a test runs them and compares.
//   in C++        one bundle for each load, store, operation on integers, comparison, branch and
//                 float operation of the source's loop, none co-issued: what popc makes of it takes
//                 that long or less. A loop that counts down costs its branch, 1.
//   called once   the same; what lies outside of the loops over samples is the prologue.
//
// Lists are counted as full: what a graph is compiled for, an estimator can know; what a run puts
// into a list, it cannot.
//
// Sources: the assembly and the estimators of graphcore/poplibs@7eac0f2 (lib/...).
#pragma once
#include <cstdint>

namespace popsnn {
namespace cycles {

constexpr std::uint64_t kWorkers = 6;

// runall, sync and return of the supervisor, cycles of the tile: poplibs basicOpSupervisorOverhead
constexpr std::uint64_t kSupervisor = 11;

// Entry of compute(), its return and `exitz`: poplibs charges 5 to 7.
constexpr std::uint64_t kEntry = 6;

constexpr std::uint64_t kWorkerId = 2;  // get $WSR; and

// Operations that take more than a bundle.
constexpr std::uint64_t kFloatDivide = 3;  // f32div: 1 or 3, by operand (popopsCycleEstimators)
constexpr std::uint64_t kSquareRoot = 4;   // f32sqrt: 10 for two with load and store
constexpr std::uint64_t kExponential = 2;  // f32exp: "2 of f32exp" in 6 for two elements

constexpr std::uint64_t divided(std::uint64_t total, std::uint64_t parts) {
  return (total + parts - 1) / parts;
}

// Samples, or elements, of the worker that has most of them.
constexpr std::uint64_t of_worker(std::uint64_t total) { return divided(total, kWorkers); }

// Cycles of the tile for a MultiVertex whose slowest worker issues `bundles` in compute().
constexpr std::uint64_t multi_vertex(std::uint64_t bundles) {
  return kSupervisor + kWorkers * (kEntry + kWorkerId + bundles);
}

}  // namespace cycles
}  // namespace popsnn
