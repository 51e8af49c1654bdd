#ifndef popart_patterns_initaccumulatepattern_hpp
#define popart_patterns_initaccumulatepattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class InitAccumulatePattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::InitAccumulatePattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::InitAccumulatePattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::InitAccumulatePattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_initaccumulatepattern_hpp
