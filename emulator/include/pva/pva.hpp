// The report of Engine::getReport: the subset of libpva's report that the emulator models.
#ifndef pva_pva_hpp
#define pva_pva_hpp

#include <cstddef>
#include <utility>
#include <vector>

namespace pva {

class Target {
 public:
  Target(std::size_t tiles, std::size_t ipus, std::size_t bytesPerTile)
      : tiles_(tiles), ipus_(ipus), bytes_(bytesPerTile) {}
  std::size_t numTiles() const { return tiles_; }
  std::size_t numIPUs() const { return ipus_; }
  std::size_t bytesPerTile() const { return bytes_; }

 private:
  std::size_t tiles_, ipus_, bytes_;
};

class Graph {
 public:
  Graph(std::size_t computeSets, std::size_t edges, std::size_t vars, std::size_t vertices)
      : computeSets_(computeSets), edges_(edges), vars_(vars), vertices_(vertices) {}
  std::size_t numComputeSets() const { return computeSets_; }
  std::size_t numEdges() const { return edges_; }
  std::size_t numVars() const { return vars_; }
  std::size_t numVertices() const { return vertices_; }

 private:
  std::size_t computeSets_, edges_, vars_, vertices_;
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

class TileMemory {
 public:
  TileMemory(std::size_t alwaysLive, std::size_t notAlwaysLive)
      : always_(alwaysLive), notAlways_(notAlwaysLive) {}
  TotalMemory total() const { return TotalMemory(always_ + notAlways_); }
  std::size_t alwaysLiveBytes() const { return always_; }
  std::size_t notAlwaysLiveBytes() const { return notAlways_; }

 private:
  std::size_t always_, notAlways_;
};

class Tile {
 public:
  explicit Tile(TileMemory memory) : memory_(memory) {}
  const TileMemory& memory() const { return memory_; }

 private:
  TileMemory memory_;
};

class CompilationReport {
 public:
  CompilationReport(Target target, Graph graph, std::vector<Tile> tiles)
      : target_(target), graph_(graph), tiles_(std::move(tiles)) {}
  const Target& target() const { return target_; }
  const Graph& graph() const { return graph_; }
  const std::vector<Tile>& tiles() const { return tiles_; }

 private:
  Target target_;
  Graph graph_;
  std::vector<Tile> tiles_;
};

class Report {
 public:
  explicit Report(CompilationReport compilation) : compilation_(std::move(compilation)) {}
  const CompilationReport& compilation() const { return compilation_; }

 private:
  CompilationReport compilation_;
};

}  // namespace pva

#endif  // pva_pva_hpp
