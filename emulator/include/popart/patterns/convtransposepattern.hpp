#ifndef popart_patterns_convtransposepattern_hpp
#define popart_patterns_convtransposepattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class ConvTransposePattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::ConvTransposePattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::ConvTransposePattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::ConvTransposePattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_convtransposepattern_hpp
