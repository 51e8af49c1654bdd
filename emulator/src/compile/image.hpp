// A compiled graph: the memory of its variables, its compute sets and copies, and its programs as
// one list of instructions. The Executor runs it.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <poplar/DataStream.hpp>
#include <poplar/Target.hpp>
#include <set>
#include <string>
#include <vector>

#include "api/graph_data.hpp"
#include "api/options.hpp"
#include "compile/copy_plan.hpp"
#include "compile/memory.hpp"
#include "model/cycles_step.hpp"
#include "strict/strict.hpp"

namespace poplar {
namespace emulator {

// The vertices of one type in a compute set, and the moves that fill and empty their gather
// buffers. Move addresses on the buffer's side are offsets into Image::scratch.
struct Batch {
  void (*run)(char* first, size_t count);
  char* objects;
  size_t size;
  uint32_t count;
  bool has_state;
  bool gathers;
  std::vector<Move> moves;                      // buffer <- variable
  std::vector<uint32_t> first_move, last_move;  // [vertex]: all its moves
  std::vector<uint32_t> first_written;          // [vertex]: those of written edges come last
};

// Vertices [first, first + count) of a batch: what one thread takes at a time.
struct Chunk {
  uint32_t batch, first, count;
};

struct ComputePlan {
  std::string name;
  std::string text;  // with the types of its vertices
  size_t vertices = 0;
  uint32_t compute_set;
  size_t edges;
  std::vector<Batch> batches;
  std::vector<Chunk> chunks;
  std::vector<CheckedBatch> checked;  // [batch] in strict mode
  // Nanoseconds of a run on the calling thread and on all threads, as measured; 0: not yet.
  double alone_ns = 0, together_ns = 0;
  uint32_t runs = 0;
};

struct CopyPlan {
  std::vector<Move> moves;   // of a stream: one side holds offsets into the stream's buffer
  std::vector<Move> second;  // where source and destination overlap: from the buffer onwards
  size_t bytes = 0;
  // For the profile: its views, of a stream the tensor's as `source`, and its name.
  ViewPtr source, destination;
  std::string name;
  std::vector<uint32_t> traced_tiles;  // that hold elements of it, where streams are traced
};

// A program whose runs are traced, and the IPUs that its vertices and tensors are on.
struct TracedBlock {
  std::string name;
  std::set<uint32_t> ipus;
};

// Rows of a remote buffer to or from a tensor.
struct RemotePlan {
  uint32_t buffer;
  std::vector<Move> moves;      // one side holds offsets into the row
  std::vector<uint32_t> first;  // [row + 1]: its moves
  std::vector<Block> rows;      // of the offset tensor; empty: all rows in order
  ViewPtr tensor;               // for the profile
};

struct HostPlan {
  uint32_t function;
  std::vector<std::vector<Move>> inputs, outputs;  // one side holds offsets into the argument
  std::vector<ViewPtr> tensors;                    // for the profile: of both
};

// Bytes to set when an Engine is loaded.
struct Reset {
  char* address;
  std::vector<char> values;
};

enum class Op : uint8_t {
  EXECUTE,           // a: compute plan
  COPY,              // a: copy plan
  STREAM_IN,         // a: copy plan, b: stream
  STREAM_OUT,        // a: copy plan, b: stream
  REMOTE_IN,         // a: remote plan
  REMOTE_OUT,        // a: remote plan
  HOST_CALL,         // a: host plan
  CYCLE_STAMP,       // a: cycle count
  CYCLE_DIFFERENCE,  // a: cycle count
  LOOP_BEGIN,        // a: counter, b: count
  LOOP_END,          // a: counter, c: target
  JUMP,              // c: target
  JUMP_IF,           // a: predicate, b: jumps where its value is b, c: target
  SWITCH,            // a: switch
  CALL,              // c: target
  RETURN,
  PRINT,        // a: print
  ABORT,        // a: message
  ERROR,        // a: message, b: print
  UNDEFINE,     // a: undefined
  BLOCK_BEGIN,  // a: traced block
  BLOCK_END,    // a: traced block
};

struct Instruction {
  Op op;
  uint32_t a, b, c;
};

struct Predicate {
  const char* address;
  uint32_t bytes;
};

struct SwitchPlan {
  const char* address;
  std::vector<int32_t> cases;
  std::vector<uint32_t> targets;  // of the cases, then of the default
};

struct PrintPlan {
  std::string title;
  PrintTensorFmt format;
  Type type;
  std::vector<size_t> shape;
  std::vector<Block> blocks;
};

struct HostAccess {
  std::string name;
  size_t bytes;
  std::vector<Move> moves;     // source: the tensor, destination: offsets into the host's memory
  std::vector<Move> metadata;  // of QUARTER: one byte
};

// The sources of an image.
struct Source {
  explicit Source(GraphData data) : graph(std::move(data)) {}
  GraphData graph;
  std::vector<program::Program> programs;
};

// How many vertices of each type there are.
struct VertexCounts {
  typedef std::map<std::string, uint64_t> ByType;
  std::vector<ByType> by_plan;  // [compute plan]
  std::vector<ByType> by_tile;
  // Vertices by field, "type.field", that has no rows or no elements there.
  ByType empty_fields;
};

struct Image {
  Target target;
  std::unique_ptr<Source> source;  // of an executable for a device, which may be serialized
  Region memory;
  std::vector<size_t> offsets;  // [variable]: its offset in `memory`
  Region scratch;               // gather buffers, copies that overlap
  Arena arena;                  // vertex objects, row tables, state vectors
  std::vector<Reset> resets;
  std::vector<ComputePlan> compute_plans;
  std::vector<CopyPlan> copies;
  std::vector<Instruction> code;
  std::vector<uint32_t> entries;                   // [program]
  std::vector<std::vector<uint32_t>> connections;  // [program]: streams, then host functions after
                                                   // the last stream, that it may use
  uint32_t num_counters = 0;
  uint32_t call_depth = 0;
  std::vector<Predicate> predicates;
  std::vector<SwitchPlan> switches;
  std::vector<PrintPlan> prints;
  std::vector<std::vector<Block>> undefined;  // of WriteUndef in strict mode
  std::vector<std::string> messages;
  std::vector<DataStream> streams;
  std::vector<RemoteBuffer> remote_buffers;
  std::vector<HostFunctionData> host_functions;
  std::vector<RemotePlan> remote_plans;
  std::vector<HostPlan> host_plans;
  std::vector<char*> cycle_counts;  // each 8 bytes of a variable
  TraceOptions trace;
  std::vector<TracedBlock> traced_blocks;
  std::vector<HostAccess> host_writes, host_reads;
  std::vector<size_t> bytes_per_tile;
  std::vector<std::vector<size_t>> bytes_by_kind;  // [MemoryKind][tile]
  bool fits = true;
  bool strict = false;
  // For the profile: the graph, of an image that has no `source`, until the costs of the
  // instructions are asked for, and then these.
  std::shared_ptr<CompiledGraph> graph;
  std::vector<StepCost> costs;
  std::shared_ptr<const VertexCounts>
      vertices;  // known with the costs, or where they were asked for

  char* address(uint32_t var, size_t element, size_t element_size) const {
    return memory.data() + offsets[var & ~kConstantBit] + element * element_size;
  }
  // Where the elements of a view lie.
  std::vector<Block> blocks(const View& view) const;
};

std::unique_ptr<Image> buildImage(const GraphData& data, ArrayRef<program::Program> programs,
                                  bool memory_must_fit, bool strict,
                                  const TraceOptions& trace = {});

}  // namespace emulator
}  // namespace poplar
