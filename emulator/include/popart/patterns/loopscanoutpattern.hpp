#ifndef popart_patterns_loopscanoutpattern_hpp
#define popart_patterns_loopscanoutpattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class LoopScanOutPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::LoopScanOutPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::LoopScanOutPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::LoopScanOutPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_loopscanoutpattern_hpp
