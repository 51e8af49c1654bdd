#include "run/block_trace.hpp"

#include <algorithm>

namespace poplar {
namespace emulator {

namespace {

// Of a begin or an end. A buffer of 1,000 bytes holds 83, so that the 42nd of the blocks in
// Graphcore's tutorial on lightweight profiling is the last one that is recorded.
constexpr size_t kEventBytes = 12;

const char* kindName(int kind) {
  constexpr const char* kNames[] = {"Common", "StreamCopy", "Overflow", "BlockFlush"};
  return kNames[kind];
}

}  // namespace

uint32_t BlockTrace::tracedTile(uint32_t ipu) const {
  const unsigned tiles = image_.target.getTilesPerIPU();
  return ipu * tiles + std::min(image_.trace.tile, tiles - 1);
}

// Whether the buffer of the tile takes an event; else the event belongs to an overflow.
bool BlockTrace::store(uint32_t tile, uint64_t now) {
  Buffer& buffer = buffers_[tile];
  if (buffer.bytes + kEventBytes <= image_.trace.buffer_bytes) {
    buffer.bytes += kEventBytes;
    return true;
  }
  if (buffer.overflow == kNone) {
    buffer.overflow = runs_.size();
    runs_.push_back({Kind::OVERFLOWN, 0, "Unknown", tile, now, now});
  }
  runs_[buffer.overflow].to = now;
  return false;
}

void BlockTrace::begin(uint32_t block, uint64_t now) {
  open_.push_back({block, {}});
  for (uint32_t ipu : image_.traced_blocks[block].ipus) {
    const uint32_t tile = tracedTile(ipu);
    if (!store(tile, now)) continue;
    open_.back().runs.push_back(runs_.size());
    runs_.push_back({Kind::COMMON, block, "Unknown", tile, now, now});
  }
}

void BlockTrace::end(uint32_t block, uint64_t now) {
  if (open_.empty() || open_.back().block != block) return;
  for (size_t run : open_.back().runs) runs_[run].to = now;
  for (uint32_t ipu : image_.traced_blocks[block].ipus) store(tracedTile(ipu), now);
  open_.pop_back();
  if (open_.empty() && image_.trace.flushes) flush(now);
}

// A copy is three programs: the host is waited for, the data move, the tiles synchronise.
void BlockTrace::addCopy(Kind kind, uint32_t tile, const StepCost& cost, uint64_t from) {
  const uint64_t moves = from + cost.sync;
  const uint64_t ends = moves + cost.cycles() - cost.sync;
  runs_.push_back({kind, 0, "StreamCopyBegin", tile, from, moves});
  runs_.push_back({kind, 0, "StreamCopyMid", tile, moves, ends});
  runs_.push_back({kind, 0, "StreamCopyEnd", tile, ends, ends});
}

void BlockTrace::streamCopy(const CopyPlan& plan, const StepCost& cost, uint64_t now) {
  for (uint32_t tile : plan.traced_tiles) {
    bool stored = true;
    for (int event = 0; event < 6; ++event) stored = store(tile, now) && stored;
    if (stored) addCopy(Kind::STREAM_COPY, tile, cost, now - cost.cycles());
  }
}

// The model's instrumentation takes no cycles.
void BlockTrace::flush(uint64_t now) {
  for (auto& entry : buffers_) {
    if (image_.trace.streams) addCopy(Kind::FLUSH, entry.first, StepCost(), now);
    entry.second = Buffer();
  }
}

void BlockTrace::startRun() { open_.clear(); }

void BlockTrace::clear() {
  runs_.clear();
  buffers_.clear();
  open_.clear();
}

ProfileValue BlockTrace::value() const {
  ProfileValue::Vector out;
  for (const Run& run : runs_) {
    const bool common = run.kind == Kind::COMMON;
    out.push_back(ProfileValue::Map{
        {"kind", kindName(static_cast<int>(run.kind))},
        {"name", common ? image_.traced_blocks[run.block].name : std::string(run.type)},
        {"type", run.type},
        {"tile", run.tile},
        {"from", static_cast<double>(run.from)},
        {"to", static_cast<double>(run.to)}});
  }
  return out;
}

}  // namespace emulator
}  // namespace poplar
