// The data of a Graph, compact: graphs of a million vertices are ordinary.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <poplar/DataStream.hpp>
#include <poplar/Graph.hpp>
#include <poplar/PerfEstimateFunc.hpp>
#include <poplar/Program.hpp>
#include <poplar/Target.hpp>
#include <poplar/Type.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/view.hpp"
#include "compile/codelet_abi.h"
#include "compile/tile_map.hpp"

namespace poplar {
namespace emulator {

// SHORT_SPAN counts in 11 bits.
constexpr size_t kShortSpanMax = 2047;

struct Variable {
  Type type;
  bool implicit;  // the value of a connection: lies on its vertex's tile
  size_t size;    // elements
  std::string name;
  TileMap tiles;
  std::vector<char> values;  // of a constant
  ViewPtr metadata;          // of QUARTER, once it is asked for
};

struct Field {
  const popc_field* info;
  Type type;
  uint32_t element_size;

  bool isEdge() const { return info->direction != POPC_STATE; }
  bool isWritten() const { return info->direction == POPC_OUTPUT || info->direction == POPC_INOUT; }
  bool hasRows() const {
    return info->shape == POPC_EDGE_VECTOR || info->shape == POPC_VECTOR_LIST;
  }
};

struct VertexType {
  const popc_vertex* info;
  std::vector<Field> fields;
  bool has_state;
  uint32_t library;  // GraphData::libraries

  uint32_t find(StringRef field) const;  // fields.size() where there is none
};

// A tensor connected to a field, or to one row of it.
struct Edge {
  uint32_t index;  // of the vertex in its group
  uint16_t field;
  bool single;  // one run: `var`, `begin`; else the next `var` runs from GraphData::runs[begin]
  uint32_t row;
  uint32_t var;
  size_t begin;
  size_t size;  // elements
};

// The number of rows of a field with rows, or the size of a state vector.
struct FieldSize {
  uint32_t index;
  uint16_t field;
  uint32_t size;
};

// Initial values of elements of a state vector, in GraphData::values.
struct StateValues {
  uint32_t index;
  uint16_t field;
  uint32_t first, size;  // elements
  size_t values;         // bytes
};

// The vertices of one type in one compute set. Their objects lie in one block, as the run thunk
// wants them; scalar state is in place, edges are filled in by the compiler of the Engine.
struct VertexGroup {
  uint32_t type;
  uint32_t compute_set;
  std::vector<char> objects;
  std::vector<uint32_t> tiles;
  std::vector<Edge> edges;
  std::vector<FieldSize> sizes;
  std::vector<StateValues> state;

  uint32_t count() const { return static_cast<uint32_t>(tiles.size()); }
};

struct ComputeSetData {
  std::string name;
  std::vector<uint32_t> groups;
};

struct VertexRecord {
  uint32_t group, index;
};

struct HostHandle {
  std::string name;
  ViewPtr view;
};

struct HostFunctionData {
  std::string name;
  std::vector<Graph::HostFunctionArgument> inputs, outputs;
};

struct InitialValue {
  ViewPtr view;
  std::vector<char> values;  // in the order of the view
};

struct PerfEstimate {
  uint64_t cycles, flops;
};

class CodeletLibrary;
struct GraphData;

// The graph of an Engine as it was compiled, for the Engine's profile. One that is `kept` outlives
// its Graph, and is copied before a change.
struct CompiledGraph {
  std::weak_ptr<const GraphData> graph;
  std::shared_ptr<const GraphData> kept;

  std::shared_ptr<const GraphData> get() const { return kept ? kept : graph.lock(); }
};

struct GraphData {
  explicit GraphData(const Target& t);

  uint64_t id;  // of no other graph of this process: tensors name their graph by it
  Target target;
  std::vector<Variable> variables;  // by id without kConstantBit
  std::vector<VertexType> types;
  std::unordered_map<std::string, uint32_t> type_ids;
  std::vector<std::string> libraries;  // whose types these are: their files, in order
  std::vector<VertexGroup> groups;
  std::vector<ComputeSetData> compute_sets;
  std::vector<VertexRecord> vertices;
  std::vector<Run> runs;     // of edges that are no single run
  std::vector<char> values;  // of StateValues
  std::vector<InitialValue> initial_values;
  std::vector<DataStream> streams;
  std::vector<RemoteBuffer> remote_buffers;
  std::vector<HostFunctionData> host_functions;
  std::vector<HostHandle> host_writes, host_reads;
  std::vector<program::Program> functions;
  std::map<std::string, ViewPtr> shared;                         // variables of libraries, by name
  std::unordered_map<uint32_t, PerfEstimate> estimates;          // by vertex, where set
  std::unordered_map<std::string, PerfEstimateFunc> estimators;  // by vertex type

  bool isDevice() const { return target.getTargetType() == TargetType::IPU; }
  const Variable& variable(uint32_t id) const { return variables[id & ~kConstantBit]; }
  Variable& variable(uint32_t id) { return variables[id & ~kConstantBit]; }
  VertexGroup& groupOf(uint32_t vertex) { return groups[vertices[vertex].group]; }
  const VertexType& typeOf(uint32_t vertex) { return types[groupOf(vertex).type]; }

  Tensor hw_seeds;  // UNSIGNED_INT {tiles, workers, 4}, once a program asks for them

  // Engines that were compiled and have no profile yet, and what was there when the last one was:
  // variables and compute sets below the marks. A change of those is told to them before it is
  // made.
  mutable size_t compiled_variables = 0, compiled_compute_sets = 0;
  mutable std::vector<std::weak_ptr<CompiledGraph>> compilations;
  void compiled(const std::shared_ptr<CompiledGraph>& compilation) const;
  void changesVariable(uint32_t id) {
    if ((id & ~kConstantBit) < compiled_variables) changes();
  }
  void changesComputeSet(uint32_t id) {
    if (id < compiled_compute_sets) changes();
  }
  void changes();

  uint32_t addVariable(Type type, size_t size, std::string name, bool constant);
  // True where the library has types that the graph had not. Throws where it has another type of
  // the name of one that the graph has.
  bool addLibrary(const CodeletLibrary& library);

 private:
  void addType(const popc_vertex* info);
};

// The data of a new Graph: getConstantValue finds it by its id for as long as it lives.
std::shared_ptr<GraphData> makeGraph(const Target& target);
// nullptr where the graph is gone.
std::shared_ptr<GraphData> findGraph(uint64_t id);

// The metadata that all of a view's variables of QUARTER share; nullptr where it has no elements.
ViewPtr metadataOf(GraphData& data, const View& v);

}  // namespace emulator
}  // namespace poplar
