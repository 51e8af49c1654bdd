#ifndef popart_patterns_convdatagrad_hpp
#define popart_patterns_convdatagrad_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class ConvDataGradPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::ConvDataGradPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::ConvDataGradPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::ConvDataGradPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_convdatagrad_hpp
