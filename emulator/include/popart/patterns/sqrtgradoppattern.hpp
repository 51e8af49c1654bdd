#ifndef popart_patterns_sqrtgradoppattern_hpp
#define popart_patterns_sqrtgradoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class SqrtGradOpPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::SqrtGradOpPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::SqrtGradOpPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::SqrtGradOpPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_sqrtgradoppattern_hpp
