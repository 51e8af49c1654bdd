#ifndef popart_patterns_expm1gradoppattern_hpp
#define popart_patterns_expm1gradoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class Expm1GradOpPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::Expm1GradOpPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::Expm1GradOpPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::Expm1GradOpPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_expm1gradoppattern_hpp
