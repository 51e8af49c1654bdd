// Compiles compute sets: checks them against the rules and makes the objects that run.
#pragma once
#include <cstdint>
#include <vector>

#include "api/graph_data.hpp"
#include "compile/image.hpp"
#include "errors/errors.hpp"

namespace poplar {
namespace emulator {

// An edge's elements, of one vertex in a compute set.
struct Touch {
  uint32_t var;
  uint32_t vertex;
  size_t begin, end;
};

// Throws where an element that one vertex writes is read or written by another. Sorts `writes`.
void checkRaces(const GraphData& data, uint32_t compute_set, std::vector<Touch>& writes,
                const std::vector<Touch>& reads);

// Throws where two vertices of a tile write to the same 32-bit word. `writes`: sorted, without
// races.
void checkWords(const GraphData& data, uint32_t compute_set, const std::vector<Touch>& writes);

class ComputeSetCompiler {
 public:
  ComputeSetCompiler(const GraphData& data, Image& image, TileMemory& memory)
      : data_(data), image_(image), memory_(memory), mapped_(data.variables.size(), kUnknown) {}

  ComputePlan compile(uint32_t compute_set);
  // Throws where an element of the runs has no tile.
  void checkMapped(uint32_t var, size_t begin, size_t n, const std::string& user);
  // After the last compute set: allocates the gather buffers and points the vertices at them.
  void finish();

 private:
  enum Mapped : char { kUnknown, kWhole, kPartly };

  // An edge that needs a gather buffer at `offset` of the scratch memory.
  struct Gather {
    const Edge* edge;
    size_t offset;
    bool written;
  };

  Batch compileGroup(const VertexGroup& group, uint32_t first_vertex);
  void checkVertex(const VertexGroup& group, uint32_t index);
  char* locate(const VertexGroup& group, const Edge& e, uint32_t first_vertex, char** pointer);
  void fillRows(const VertexGroup& group, Batch& batch, uint32_t first_vertex);
  void fillState(const VertexGroup& group, Batch& batch);
  bool checkEdge(const VertexGroup& group, const Edge& e, const Run* run, size_t n);
  CheckedBatch takeChecked(const VertexGroup& group, const Batch& batch);
  void planGathers(const VertexGroup& group, Batch& batch);
  errors::FieldName name(const VertexGroup& group, size_t field) const;

  const Run* runs(const Edge& e, Run* single, size_t* n) const {
    *single = {e.var, static_cast<uint32_t>(e.size), e.begin};
    *n = e.single ? e.size != 0 : e.var;
    return e.single ? single : &data_.runs[e.begin];
  }

  const GraphData& data_;
  Image& image_;
  TileMemory& memory_;
  std::vector<char> mapped_;  // [variable]
  std::vector<Touch> writes_, reads_;
  std::vector<Gather> gathers_;         // of the group at hand
  std::vector<CheckedRegion> checked_;  // likewise, in strict mode
  size_t gather_bytes_ = 0;             // of the compute set at hand
  size_t scratch_bytes_ = 0;
  std::vector<char**> patches_;  // pointers that hold offsets into the scratch memory
  uint32_t compute_set_ = 0;
};

}  // namespace emulator
}  // namespace poplar
