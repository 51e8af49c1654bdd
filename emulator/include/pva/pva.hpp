// Reports of what an Engine compiled and ran: the subset of libpva's that the emulator models. The
// format of the files is the emulator's own.
#ifndef pva_pva_hpp
#define pva_pva_hpp

#include <cstddef>
#include <cstdint>
#include <iomanip>  // programs count on it for std::setw
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace poplar {
class ProfileValue;
}

namespace pva {

class PoplarVersion {
 public:
  explicit PoplarVersion(const std::string& text) : text_(text) {}
  std::string string() const { return text_; }

 private:
  std::string text_;
};

class Target {
 public:
  explicit Target(const poplar::ProfileValue& value);
  std::size_t numTiles() const { return tiles_; }
  std::size_t numIPUs() const { return ipus_; }
  std::size_t tilesPerIpu() const { return ipus_ == 0 ? 0 : tiles_ / ipus_; }
  std::size_t bytesPerTile() const { return bytes_; }
  std::size_t bytesPerIPU() const { return tilesPerIpu() * bytes_; }
  std::size_t totalMemory() const { return tiles_ * bytes_; }
  std::size_t numReplicas() const { return 1; }
  double clockFrequency() const { return frequency_; }  // Hz

 private:
  std::size_t tiles_, ipus_, bytes_;
  double frequency_;
};

class Graph {
 public:
  explicit Graph(const poplar::ProfileValue& value);
  std::size_t numComputeSets() const { return computeSets_; }
  std::size_t numEdges() const { return edges_; }
  std::size_t numVars() const { return vars_; }
  std::size_t numVertices() const { return vertices_; }

 private:
  std::size_t computeSets_, edges_, vars_, vertices_;
};

class VertexType {
 public:
  explicit VertexType(const std::string& name) : name_(name) {}
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

class VertexInstance {
 public:
  explicit VertexInstance(const std::string& type) : type_(type) {}
  const VertexType& type() const { return type_; }

 private:
  VertexType type_;
};

/// Bytes of a tile. The model allocates no addresses, so that there are no gaps.
class TotalMemory {
 public:
  explicit TotalMemory(std::size_t bytes) : bytes_(bytes) {}
  std::size_t excludingGaps() const { return bytes_; }
  std::size_t includingGaps() const { return bytes_; }

 private:
  std::size_t bytes_;
};

/// Bytes by how they share their place. The model allocates no addresses: nothing overlaps.
class MemoryOverlap {
 public:
  explicit MemoryOverlap(std::size_t bytes) : bytes_(bytes) {}
  std::size_t nonOverlapped() const { return bytes_; }
  std::size_t overlapped() const { return 0; }
  std::size_t total() const { return bytes_; }

 private:
  std::size_t bytes_;
};

/// Bytes by the kind of memory element. Without addresses all count as not interleaved.
class MemoryRegion {
 public:
  explicit MemoryRegion(std::size_t bytes) : bytes_(bytes) {}
  MemoryOverlap nonInterleaved() const { return MemoryOverlap(bytes_); }
  MemoryOverlap interleaved() const { return MemoryOverlap(0); }
  MemoryOverlap overflowed() const { return MemoryOverlap(0); }
  std::size_t total() const { return bytes_; }

 private:
  std::size_t bytes_;
};

/// Bytes of a tile by what they hold. The model has no code but that of vertices, and descriptors
/// and rows of fields count with the objects of their vertices: those categories are 0.
class MemoryCategories {
 public:
  explicit MemoryCategories(const poplar::ProfileValue& value);
  MemoryRegion constant() const { return MemoryRegion(constant_); }
  MemoryRegion controlCode() const { return MemoryRegion(0); }
  MemoryRegion controlId() const { return MemoryRegion(0); }
  MemoryRegion controlTable() const { return MemoryRegion(0); }
  MemoryRegion copyDescriptor() const { return MemoryRegion(0); }
  MemoryRegion globalExchangeCode() const { return MemoryRegion(0); }
  MemoryRegion hostExchangeCode() const { return MemoryRegion(0); }
  MemoryRegion internalExchangeCode() const { return MemoryRegion(0); }
  MemoryRegion message() const { return MemoryRegion(message_); }
  MemoryRegion rearrangement() const { return MemoryRegion(rearrangement_); }
  MemoryRegion stack() const { return MemoryRegion(stack_); }
  MemoryRegion variable() const { return MemoryRegion(variable_); }
  MemoryRegion vectorListDescriptor() const { return MemoryRegion(0); }
  MemoryRegion vertexCode() const { return MemoryRegion(vertexCode_); }
  MemoryRegion vertexFieldData() const { return MemoryRegion(0); }
  MemoryRegion vertexInstanceState() const { return MemoryRegion(vertexState_); }

 private:
  std::size_t constant_, message_, rearrangement_, stack_, variable_, vertexCode_, vertexState_;
};

class TileMemory {
 public:
  explicit TileMemory(const poplar::ProfileValue& value);
  const MemoryCategories& category() const { return category_; }
  TotalMemory total() const { return TotalMemory(always_ + notAlways_); }
  std::size_t alwaysLiveBytes() const { return always_; }
  std::size_t notAlwaysLiveBytes() const { return notAlways_; }
  const std::vector<VertexInstance>& vertices() const { return vertices_; }

 private:
  MemoryCategories category_;
  std::size_t always_, notAlways_;
  std::vector<VertexInstance> vertices_;
};

class Tile {
 public:
  explicit Tile(const TileMemory& memory) : memory_(memory) {}
  const TileMemory& memory() const { return memory_; }

 private:
  TileMemory memory_;
};

class ComputeSet {
 public:
  explicit ComputeSet(const poplar::ProfileValue& value);
  const std::string& name() const { return name_; }
  const std::vector<VertexInstance>& vertices() const { return vertices_; }

 private:
  std::string name_;
  std::vector<VertexInstance> vertices_;
};

class CompilationReport {
 public:
  explicit CompilationReport(const poplar::ProfileValue& value);
  const Target& target() const { return target_; }
  const Graph& graph() const { return graph_; }
  const std::vector<Tile>& tiles() const { return tiles_; }
  const std::vector<ComputeSet>& computeSets() const { return computeSets_; }

 private:
  Target target_;
  Graph graph_;
  std::vector<Tile> tiles_;
  std::vector<ComputeSet> computeSets_;
};

/// A program of a step.
class Program {
 public:
  enum class Type {
    OnTileExecute,
    DoExchange,
    StreamCopyBegin,
    StreamCopyMid,
    StreamCopyEnd,
    GlobalExchange,
    Unknown
  };
  Program(Type type, const std::string& name) : type_(type), name_(name) {}
  Type type() const { return type_; }
  const std::string& name() const { return name_; }

 private:
  Type type_;
  std::string name_;
};

/// The compute set of a step: modelled cycles of one run, on each tile.
class ComputeSetCycles {
 public:
  explicit ComputeSetCycles(const poplar::ProfileValue& value);
  const std::string& name() const { return name_; }
  const std::vector<std::uint64_t>& cyclesByTile() const { return cycles_; }
  const std::vector<std::uint64_t>& estimatedCyclesByTile() const { return cycles_; }

 private:
  std::string name_;
  std::vector<std::uint64_t> cycles_;
};

class IpuCycles {
 public:
  explicit IpuCycles(double cycles) : cycles_(cycles) {}
  double cycles() const { return cycles_; }

 private:
  double cycles_;
};

/// An instruction that ran, with all of its runs: the SDK has a step for each run.
class ExecutionStep {
 public:
  ExecutionStep(const poplar::ProfileValue& value, std::size_t ipus);
  const std::shared_ptr<Program>& program() const { return program_; }
  const std::vector<ComputeSetCycles>& computeSets() const { return computeSets_; }
  const std::vector<IpuCycles>& ipus() const { return ipus_; }
  std::uint64_t runs() const { return runs_; }

 private:
  std::shared_ptr<Program> program_;
  std::vector<ComputeSetCycles> computeSets_;
  std::vector<IpuCycles> ipus_;
  std::uint64_t runs_;
};

/// A run of a program::Block or of a stream copy on a tile, between two counts of its cycles.
class BlockStep {
 public:
  enum class Kind { Common, StreamCopy, Overflow, BlockFlush };
  explicit BlockStep(const poplar::ProfileValue& value);
  const std::shared_ptr<Program>& program() const { return program_; }
  std::uint64_t cyclesFrom() const { return from_; }
  std::uint64_t cyclesTo() const { return to_; }
  std::size_t tile() const { return tile_; }
  bool isCommon() const { return kind_ == Kind::Common; }
  bool isStreamCopy() const { return kind_ == Kind::StreamCopy; }
  bool isOverflow() const { return kind_ == Kind::Overflow; }
  bool isBlockFlush() const { return kind_ == Kind::BlockFlush; }

 private:
  Kind kind_;
  std::shared_ptr<Program> program_;
  std::uint64_t from_, to_;
  std::size_t tile_;
};

class ExecutionReport {
 public:
  ExecutionReport(const poplar::ProfileValue& steps, const poplar::ProfileValue& blocks,
                  std::size_t ipus);
  const std::vector<ExecutionStep>& steps() const { return steps_; }
  /// What the Engine options profiler.blocks.filter and profiler.programs.filter ask for: the runs
  /// whose trace is on this tile, in the order in which they began, in modelled cycles.
  std::vector<BlockStep> blocks(std::size_t tile) const;

 private:
  std::vector<ExecutionStep> steps_;
  std::vector<BlockStep> blocks_;
};

class Report {
 public:
  explicit Report(const poplar::ProfileValue& value);
  PoplarVersion poplarVersion() const { return PoplarVersion(version_); }
  const CompilationReport& compilation() const { return compilation_; }
  const ExecutionReport& execution() const { return execution_; }

 private:
  std::string version_;
  CompilationReport compilation_;
  ExecutionReport execution_;
};

/// Reads the report "profile.pop" that an Engine with the option autoReport.all writes to
/// autoReport.directory when it goes. Throws std::runtime_error for a file that is none.
Report openReport(const std::string& path);

namespace preview {  // its place in older SDKs
using pva::openReport;
}  // namespace preview

}  // namespace pva

#endif  // pva_pva_hpp
