#ifndef popart_patterns_expgradoppattern_hpp
#define popart_patterns_expgradoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class ExpGradOpPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::ExpGradOpPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::ExpGradOpPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::ExpGradOpPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_expgradoppattern_hpp
