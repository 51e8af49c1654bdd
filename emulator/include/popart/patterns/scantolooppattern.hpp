#ifndef popart_patterns_scantolooppattern_hpp
#define popart_patterns_scantolooppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class ScanToLoopPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::ScanToLoopPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::ScanToLoopPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::ScanToLoopPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_scantolooppattern_hpp
