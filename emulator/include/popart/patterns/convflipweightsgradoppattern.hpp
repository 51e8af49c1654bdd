#ifndef popart_patterns_convflipweightsgradoppattern_hpp
#define popart_patterns_convflipweightsgradoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class ConvFlipWeightsGradOpPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override {
    emulator::missing("popart::ConvFlipWeightsGradOpPattern::matches");
  }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::ConvFlipWeightsGradOpPattern::touches");
  }
  bool apply(Op*) const override {
    emulator::missing("popart::ConvFlipWeightsGradOpPattern::apply");
  }
};

}  // namespace popart

#endif  // popart_patterns_convflipweightsgradoppattern_hpp
