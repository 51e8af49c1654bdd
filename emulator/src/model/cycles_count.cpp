// Programs that count cycles of their own.
#include <cstring>
#include <poplar/CycleCount.hpp>

#include "api/access.hpp"
#include "compile/lower.hpp"
#include "run/executor.hpp"

namespace poplar {

using emulator::Access;
using emulator::ProgramKind;

namespace {

program::Program stamp(const Tensor& t, ProgramKind kind) {
  program::Program out;
  Access::data(out)->kind = kind;
  Access::data(out)->first = t;
  return out;
}

Tensor addCount(Graph& graph, unsigned tile, const DebugContext& debugContext) {
  const Tensor out = graph.addVariable(UNSIGNED_INT, {2}, debugContext);
  graph.setTileMapping(out, tile);
  return out;
}

}  // namespace

Tensor cycleCount(Graph& graph, program::Sequence& prog, unsigned tile, SyncType,
                  const DebugContext& debugContext) {
  const Tensor out = addCount(graph, tile, debugContext);
  // The stamp from before waits in the tensor.
  const program::Program before = stamp(out, ProgramKind::CYCLE_STAMP);
  prog = program::Sequence({before, prog, stamp(out, ProgramKind::CYCLE_DIFFERENCE)});
  return out;
}

Tensor cycleStamp(Graph& graph, program::Sequence& prog, unsigned tile, SyncType,
                  const DebugContext& debugContext) {
  const Tensor out = addCount(graph, tile, debugContext);
  prog.add(stamp(out, ProgramKind::CYCLE_STAMP));
  return out;
}

namespace emulator {

void Lowering::lowerCycles(const ProgramData& p) {
  const View& v = checked(p.first, "cycleCount");
  image_.cycle_counts.push_back(image_.blocks(v)[0].address);
  emit(p.kind == ProgramKind::CYCLE_STAMP ? Op::CYCLE_STAMP : Op::CYCLE_DIFFERENCE,
       static_cast<uint32_t>(image_.cycle_counts.size() - 1));
}

// Of all instructions so far.
uint64_t Executor::cycles() const {
  double sum = 0;
  for (size_t i = 0; i < executed_.size(); ++i) {
    sum += static_cast<double>(image_->costs[i].cycles()) *
           static_cast<double>(executed_[i] + discarded_[i]);
  }
  return static_cast<uint64_t>(sum);
}

void Executor::countCycles(char* at, bool difference) const {
  uint64_t before = 0;
  if (difference) std::memcpy(&before, at, sizeof(before));
  const uint64_t counted = cycles() - before;
  std::memcpy(at, &counted, sizeof(counted));
}

}  // namespace emulator
}  // namespace poplar
