// The classes of a report, from its values.
#include <algorithm>
#include <poplar/ProfileValue.hpp>
#include <pva/pva.hpp>
#include <stdexcept>

namespace pva {

using poplar::ProfileValue;

namespace {

const ProfileValue& at(const ProfileValue& map, const char* key) { return map.asMap().at(key); }

std::size_t size(const ProfileValue& map, const char* key) {
  return static_cast<std::size_t>(at(map, key).asDouble());
}

// {"vertex type": how many, ...}
std::vector<VertexInstance> instances(const ProfileValue& counts) {
  std::vector<VertexInstance> out;
  for (const auto& entry : counts.asMap()) {
    out.insert(out.end(), static_cast<std::size_t>(entry.second.asDouble()),
               VertexInstance(entry.first));
  }
  return out;
}

Program::Type typeOf(const std::string& kind) {
  if (kind == "Execute") return Program::Type::OnTileExecute;
  if (kind == "Copy") return Program::Type::DoExchange;
  if (kind == "GlobalCopy") return Program::Type::GlobalExchange;
  return kind == "Branch" ? Program::Type::Unknown : Program::Type::StreamCopyMid;
}

BlockStep::Kind blockKind(const std::string& kind) {
  if (kind == "Common") return BlockStep::Kind::Common;
  if (kind == "StreamCopy") return BlockStep::Kind::StreamCopy;
  return kind == "Overflow" ? BlockStep::Kind::Overflow : BlockStep::Kind::BlockFlush;
}

Program::Type blockType(const std::string& type) {
  if (type == "StreamCopyBegin") return Program::Type::StreamCopyBegin;
  if (type == "StreamCopyMid") return Program::Type::StreamCopyMid;
  return type == "StreamCopyEnd" ? Program::Type::StreamCopyEnd : Program::Type::Unknown;
}

template <class T>
std::vector<T> list(const ProfileValue& values) {
  std::vector<T> out;
  for (const ProfileValue& v : values.asVector()) out.push_back(T(v));
  return out;
}

}  // namespace

Target::Target(const ProfileValue& value)
    : tiles_(size(value, "numTiles")),
      ipus_(size(value, "numIPUs")),
      bytes_(size(value, "bytesPerTile")),
      frequency_(at(value, "clockFrequency").asDouble()) {}

Graph::Graph(const ProfileValue& value)
    : computeSets_(size(value, "numComputeSets")),
      edges_(size(value, "numEdges")),
      vars_(size(value, "numVars")),
      vertices_(size(value, "numVertices")) {}

MemoryCategories::MemoryCategories(const ProfileValue& value)
    : constant_(size(value, "constants")),
      message_(size(value, "exchange buffers")),
      rearrangement_(size(value, "rearrangement")),
      stack_(size(value, "stacks")),
      variable_(size(value, "variables") + size(value, "temporaries")),
      vertexCode_(size(value, "vertex code")),
      vertexState_(size(value, "vertex state")) {}

TileMemory::TileMemory(const ProfileValue& value)
    : category_(at(value, "category")),
      always_(size(value, "alwaysLiveBytes")),
      notAlways_(size(value, "notAlwaysLiveBytes")),
      vertices_(instances(at(value, "vertices"))) {}

ComputeSet::ComputeSet(const ProfileValue& value)
    : name_(at(value, "name").asString()), vertices_(instances(at(value, "vertices"))) {}

CompilationReport::CompilationReport(const ProfileValue& value)
    : target_(at(value, "target")),
      graph_(at(value, "graph")),
      computeSets_(list<ComputeSet>(at(value, "computeSets"))) {
  for (const TileMemory& memory : list<TileMemory>(at(value, "tiles"))) tiles_.emplace_back(memory);
}

ComputeSetCycles::ComputeSetCycles(const ProfileValue& value)
    : name_(at(value, "name").asString()) {
  for (const ProfileValue& v : at(value, "cyclesByTile").asVector()) {
    cycles_.push_back(static_cast<std::uint64_t>(v.asDouble()));
  }
}

ExecutionStep::ExecutionStep(const ProfileValue& value, std::size_t ipus)
    : program_(std::make_shared<Program>(typeOf(at(value, "kind").asString()),
                                         at(value, "name").asString())),
      ipus_(ipus, IpuCycles(at(value, "cycles").asDouble())),
      runs_(size(value, "runs")) {
  if (program_->type() == Program::Type::OnTileExecute) computeSets_.emplace_back(value);
}

BlockStep::BlockStep(const ProfileValue& value)
    : kind_(blockKind(at(value, "kind").asString())),
      program_(std::make_shared<Program>(blockType(at(value, "type").asString()),
                                         at(value, "name").asString())),
      from_(size(value, "from")),
      to_(size(value, "to")),
      tile_(size(value, "tile")) {}

ExecutionReport::ExecutionReport(const ProfileValue& steps, const ProfileValue& blocks,
                                 std::size_t ipus)
    : blocks_(list<BlockStep>(blocks)) {
  for (const ProfileValue& step : steps.asVector()) steps_.emplace_back(step, ipus);
}

std::vector<BlockStep> ExecutionReport::blocks(std::size_t tile) const {
  std::vector<BlockStep> out;
  for (const BlockStep& block : blocks_) {
    if (block.tile() == tile) out.push_back(block);
  }
  return out;
}

Report::Report(const ProfileValue& value)
    : version_(at(value, "poplarVersion").asString()),
      compilation_(at(value, "compilation")),
      execution_(at(value, "steps"), at(value, "blocks"), compilation_.target().numIPUs()) {}

}  // namespace pva
