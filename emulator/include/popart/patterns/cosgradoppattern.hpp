#ifndef popart_patterns_cosgradoppattern_hpp
#define popart_patterns_cosgradoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class CosGradOpPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::CosGradOpPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::CosGradOpPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::CosGradOpPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_cosgradoppattern_hpp
