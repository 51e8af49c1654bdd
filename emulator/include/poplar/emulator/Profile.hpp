// The emulator's own: the modelled cost of an Engine's programs, as data. The SDK has no such
// header.
#ifndef poplar_emulator_Profile_hpp
#define poplar_emulator_Profile_hpp

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace poplar {

class Engine;

namespace emulator {

/// Cycles by what the device does meanwhile, of one run of a step or of all runs. Their sum is the
/// time that passes: an average tile computes, and waits for the slowest one (`wait`).
struct CyclesByKind {
  double compute = 0;      // of an average tile, idle workers included
  double computeBusy = 0;  // the same without idle workers; part of `compute`
  double exchange = 0, globalExchange = 0, hostExchange = 0;
  double sync = 0;
  double wait = 0;

  double total() const { return compute + exchange + globalExchange + hostExchange + sync + wait; }
  CyclesByKind& operator+=(const CyclesByKind& other);
  CyclesByKind operator*(double n) const;
};

/// An instruction of the compiled programs.
struct StepProfile {
  std::string kind;  // "Execute", "Copy", "StreamCopy", "RemoteCopy", "HostCall" or "Branch"
  std::string name;  // of the compute set; of a copy, its own, else of what it copies
  std::uint64_t runs = 0;
  CyclesByKind cycles;                       // of one run
  std::vector<std::uint64_t> computeByTile;  // [tile], in one run; empty but for an "Execute"
  std::uint64_t exchangeBytes = 0;           // received by all tiles, in one run
  std::uint64_t flops = 0;                   // in one run
};

/// Modelled, from estimates: not what hardware would measure.
struct Profile {
  std::size_t numVertices = 0, numEdges = 0, numVariables = 0, numComputeSets = 0;
  std::uint64_t verticesWithoutEstimate = 0;  // counted as 0 cycles; on an IPUModel: none
  std::map<std::string, std::vector<std::size_t>> bytesPerTile;  // by kind, [tile]
  // [tile]: always-live memory; the peak of not-always-live memory.
  std::vector<std::size_t> alwaysLiveBytesPerTile, notAlwaysLiveBytesPerTile;
  std::vector<std::map<std::string, std::uint64_t>> verticesPerTile;  // [tile], by type
  // Vertices by field, "type.field", that is connected to no rows or no elements.
  std::map<std::string, std::uint64_t> emptyFields;
  std::vector<StepProfile> steps;  // in the order of the programs
  CyclesByKind cycles;             // of all runs
};

/// Of all runs since the Engine was made or its execution profile was reset. Throws
/// `missing_perf_estimate` where a vertex of an IPUModel has no estimate, `profiling_disabled` for
/// a CPU device.
Profile getProfile(const Engine& engine);

}  // namespace emulator
}  // namespace poplar

#endif  // poplar_emulator_Profile_hpp
