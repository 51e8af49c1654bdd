#ifndef popart_patterns_mularggradoppattern_hpp
#define popart_patterns_mularggradoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class MulArgGradOpPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::MulArgGradOpPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::MulArgGradOpPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::MulArgGradOpPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_mularggradoppattern_hpp
