#ifndef popart_patterns_convflipweightsdoubleflippattern_hpp
#define popart_patterns_convflipweightsdoubleflippattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class ConvFlipWeightsDoubleFlipPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override {
    emulator::missing("popart::ConvFlipWeightsDoubleFlipPattern::matches");
  }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::ConvFlipWeightsDoubleFlipPattern::touches");
  }
  bool apply(Op*) const override {
    emulator::missing("popart::ConvFlipWeightsDoubleFlipPattern::apply");
  }
};

}  // namespace popart

#endif  // popart_patterns_convflipweightsdoubleflippattern_hpp
