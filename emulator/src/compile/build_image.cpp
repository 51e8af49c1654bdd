#include "api/access.hpp"
#include "api/target.hpp"
#include "api/types.hpp"
#include "compile/image.hpp"
#include "compile/lower.hpp"

namespace poplar {
namespace emulator {

namespace {

void allocateVariables(const GraphData& data, Image& image) {
  size_t at = 0;
  image.offsets.reserve(data.variables.size());
  for (const Variable& v : data.variables) {
    at = alignUp(at, kAlignment);
    image.offsets.push_back(at);
    at += v.size * sizeOf(v.type);
  }
  image.memory = Region(at);
}

void collectValues(const GraphData& data, Image& image) {
  for (uint32_t i = 0; i < data.variables.size(); ++i) {
    const Variable& v = data.variables[i];
    if (!v.values.empty()) image.resets.push_back({image.address(i, 0, 0), v.values});
  }
  for (const InitialValue& initial : data.initial_values) {
    const char* values = initial.values.data();
    for (const Block& b : image.blocks(*initial.view)) {
      image.resets.push_back({b.address, {values, values + b.bytes}});
      values += b.bytes;
    }
  }
}

}  // namespace

std::unique_ptr<Image> buildImage(const GraphData& data, ArrayRef<program::Program> programs,
                                  bool memory_must_fit, bool strict, const TraceOptions& trace) {
  auto image = std::make_unique<Image>();
  image->strict = strict;
  // Programs of a CPU have no cycles.
  if (data.target.getTargetType() != TargetType::CPU) image->trace = trace;
  image->target = data.target;
  image->streams = data.streams;
  image->remote_buffers = data.remote_buffers;
  image->host_functions = data.host_functions;
  allocateVariables(data, *image);
  collectValues(data, *image);
  TileMemory memory(data.target);
  ComputeSetCompiler compute_sets(data, *image, memory);
  Lowering lowering(data, *image, compute_sets);
  lowering.lowerPrograms(programs);
  for (const HostHandle& h : data.host_writes) {
    image->host_writes.push_back(lowering.hostAccess(h, "Graph::createHostWrite"));
  }
  for (const HostHandle& h : data.host_reads) {
    image->host_reads.push_back(lowering.hostAccess(h, "Graph::createHostRead"));
  }
  compute_sets.finish();
  memory.addVariables(data, findLiveness(data, programs));
  image->bytes_per_tile = memory.total();
  image->bytes_by_kind = memory.byKind();
  const size_t limit = data.target.getBytesPerTile();
  // As in poplibs' BigNLVertices: on a model without an IPU's code everything fits.
  const bool has_layout = data.target.getTargetType() != TargetType::IPU_MODEL ||
                          Access::data(data.target).model.compileIPUCode;
  for (uint32_t t = 0; t < image->bytes_per_tile.size(); ++t) {
    if (image->bytes_per_tile[t] <= limit) continue;
    image->fits = false;
    if (has_layout && memory_must_fit) errors::outOfMemory(t, image->bytes_per_tile[t], limit);
  }
  return image;
}

}  // namespace emulator
}  // namespace poplar
