#ifndef popart_patterns_contiguateipucopyindices_hpp
#define popart_patterns_contiguateipucopyindices_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class ContiguateIpuCopyIndicesPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override {
    emulator::missing("popart::ContiguateIpuCopyIndicesPattern::matches");
  }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::ContiguateIpuCopyIndicesPattern::touches");
  }
  bool apply(Op*) const override {
    emulator::missing("popart::ContiguateIpuCopyIndicesPattern::apply");
  }
};

}  // namespace popart

#endif  // popart_patterns_contiguateipucopyindices_hpp
