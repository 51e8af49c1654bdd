// Programs to instructions.
#pragma once
#include <regex>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/program_data.hpp"
#include "compile/compute_set.hpp"
#include "compile/image.hpp"

namespace poplar {
namespace emulator {

class Lowering {
 public:
  Lowering(const GraphData& data, Image& image, ComputeSetCompiler& compute_sets)
      : data_(data),
        image_(image),
        compute_sets_(compute_sets),
        blocks_(image.trace.blocks),
        programs_(image.trace.programs) {}

  void lowerPrograms(ArrayRef<program::Program> programs);
  HostAccess hostAccess(const HostHandle& handle, const char* operation);

 private:
  void lower(const ProgramData& p);
  void lowerOperation(const ProgramData& p);
  bool isTraced(const ProgramData& p) const;
  const std::string& nameOf(const ProgramData& p) const;
  void lowerTraced(const ProgramData& p);
  void traceIpus(const ProgramData& p);
  std::vector<uint32_t> tilesOf(const View& view) const;
  void lowerExecute(const ProgramData& p);
  void lowerCopy(const ProgramData& p);
  void lowerRemote(const ProgramData& p);
  void lowerHostCall(const ProgramData& p);
  void lowerCycles(const ProgramData& p);
  void lowerRepeat(const ProgramData& p);
  void lowerWhile(const ProgramData& p);
  void lowerIf(const ProgramData& p);
  void lowerSwitch(const ProgramData& p);
  std::string copyName(const ProgramData& p) const;
  uint32_t emit(Op op, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0);
  uint32_t here() const { return static_cast<uint32_t>(image_.code.size()); }
  uint32_t predicate(const ProgramData& p, const char* operation);
  uint32_t print(const ProgramData& p, const char* operation);
  uint32_t message(const std::string& text);
  uint32_t stream(const DataStream& s);
  std::vector<Move> argumentMoves(const Tensor& t, bool input);
  void collectConnections();
  const View& checked(const Tensor& t, const char* operation);

  const GraphData& data_;
  Image& image_;
  ComputeSetCompiler& compute_sets_;
  std::unordered_map<uint64_t, uint32_t> plans_;             // compute set: plan
  std::unordered_map<const ProgramData*, uint32_t> copies_;  // copy: plan
  std::vector<std::pair<uint32_t, uint32_t>> calls_;         // instruction, function
  // The resources that a program or a function uses directly: connections (Image::connections),
  // functions.
  struct Uses {
    std::vector<uint32_t> connections, functions;
  };
  std::vector<Uses> program_uses_;
  std::unordered_map<uint32_t, Uses> function_uses_;
  Uses uses_;  // of what is being lowered
  uint32_t loop_depth_ = 0;
  const std::regex blocks_, programs_;  // of names of programs that are traced
  std::vector<uint32_t> open_blocks_;   // traced ones around what is being lowered
};

}  // namespace emulator
}  // namespace poplar
