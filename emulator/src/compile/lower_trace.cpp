// Programs whose runs are traced: pva::ExecutionReport::blocks().
#include <set>

#include "api/access.hpp"
#include "compile/lower.hpp"

namespace poplar {
namespace emulator {

const std::string& Lowering::nameOf(const ProgramData& p) const {
  const bool executes = p.kind == ProgramKind::EXECUTE && p.number < data_.compute_sets.size();
  return executes ? data_.compute_sets[p.number].name : p.text;
}

// A block of the graph's own by one filter, any other program that has a name by the other.
bool Lowering::isTraced(const ProgramData& p) const {
  if (p.kind == ProgramKind::SEQUENCE && p.number == kBlock) {
    return !image_.trace.blocks.empty() && std::regex_match(p.text, blocks_);
  }
  const bool message = p.kind == ProgramKind::PRINT || p.kind == ProgramKind::ABORT ||
                       p.kind == ProgramKind::ABORT_IF || p.kind == ProgramKind::ERROR;
  return !image_.trace.programs.empty() && !message && std::regex_match(nameOf(p), programs_);
}

void Lowering::lowerTraced(const ProgramData& p) {
  const uint32_t block = static_cast<uint32_t>(image_.traced_blocks.size());
  image_.traced_blocks.push_back({nameOf(p), {}});
  emit(Op::BLOCK_BEGIN, block);
  open_blocks_.push_back(block);
  traceIpus(p);
  lowerOperation(p);
  open_blocks_.pop_back();
  emit(Op::BLOCK_END, block);
}

std::vector<uint32_t> Lowering::tilesOf(const View& view) const {
  std::set<uint32_t> tiles;
  forEachRun(view, [&](uint32_t var, size_t begin, size_t n) {
    data_.variable(var).tiles.forEach(begin, begin + n,
                                      [&](size_t, size_t, uint32_t tile) { tiles.insert(tile); });
  });
  return {tiles.begin(), tiles.end()};
}

// Notes the IPUs of a program in the blocks around it.
void Lowering::traceIpus(const ProgramData& p) {
  const unsigned tiles = data_.target.getTilesPerIPU();
  std::set<uint32_t> ipus;
  const auto add = [&](const Tensor& t) {
    if (!t.valid()) return;
    for (uint32_t tile : tilesOf(Access::view(t, "Program"))) ipus.insert(tile / tiles);
  };
  if (p.kind == ProgramKind::CALL) {  // of a function, which is lowered later
    for (uint32_t ipu = 0; ipu < data_.target.getNumIPUs(); ++ipu) ipus.insert(ipu);
  } else if (p.kind == ProgramKind::EXECUTE && p.number < data_.compute_sets.size()) {
    for (uint32_t group : data_.compute_sets[p.number].groups) {
      for (uint32_t tile : data_.groups[group].tiles) ipus.insert(tile / tiles);
    }
  }
  for (const Tensor& t : {p.first, p.second}) add(t);
  for (const Tensor& t : p.inputs) add(t);
  for (const Tensor& t : p.outputs) add(t);
  for (uint32_t block : open_blocks_) {
    image_.traced_blocks[block].ipus.insert(ipus.begin(), ipus.end());
  }
}

}  // namespace emulator
}  // namespace poplar
