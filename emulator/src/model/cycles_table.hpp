// The uncertain constants of the cycle and memory model, all of them: correct them here. What is
// certain comes from the Target. docs/explanation/cycle-model.md tells where each is from.
#pragma once
#include <cstddef>

namespace poplar {
namespace emulator {
namespace model {

// Bytes a second between the host and an IPU. Computed from a public profile.
constexpr double kHostBytesPerSecond = 8e9;

// Bytes a second between an IPU and a remote buffer: what is commonly quoted for a machine, whose
// IPUs would share it. A guess.
constexpr double kRemoteBytesPerSecond = 20e9;

// Bytes a cycle and tile of rearranging the data of a stream, where a tile's range of it is not one
// run of the stream. Computed from the same profile.
constexpr double kStreamBytesPerCycle = 3.3;

// Bytes a second that an IPU sends to, or receives from, all others. Half of the 320 GB/s, of both
// directions, that the vendor gives.
constexpr double kLinkBytesPerSecond = 160e9;

// Cycles of a compute set in addition to its vertices' estimates: until its code runs, and from the
// last worker's end to the next step. What remains of two public measurements of popops::add, of 10
// and of 1,024 floats on a tile, beyond poplibs' own estimates: 285 - 203 and 1,815 - 1,733.
constexpr unsigned kComputeSetCycles = 82;

// Cycles of a fragment of an exchange, in which its receiver only changes the source it listens to:
// an instruction of the same pipeline as those that send. A `send` of more words than two can carry
// such a change in those after its second. From a public reference of these instructions.
constexpr unsigned kFragmentCycles = 1;
constexpr unsigned kWordsWithoutChange = 2;

// Bytes that a predicate takes to every tile.
constexpr size_t kPredicateBytes = 4;

// Code of a vertex type on a tile: entry and loop, and the loads of a field. A guess.
constexpr size_t kVertexCodeBytes = 128;
constexpr size_t kFieldCodeBytes = 16;

// Stacks of a tile that runs vertices: of its supervisor and of each worker. A guess.
constexpr size_t kSupervisorStackBytes = 512;
constexpr size_t kWorkerStackBytes = 256;

}  // namespace model
}  // namespace emulator
}  // namespace poplar
