#ifndef popart_patterns_padsum_hpp
#define popart_patterns_padsum_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class PadSumPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::PadSumPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::PadSumPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::PadSumPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_padsum_hpp
