#ifndef popart_patterns_splitoppattern_hpp
#define popart_patterns_splitoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class SplitOpPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::SplitOpPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::SplitOpPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::SplitOpPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_splitoppattern_hpp
