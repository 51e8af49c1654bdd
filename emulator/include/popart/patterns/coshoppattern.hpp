#ifndef popart_patterns_coshoppattern_hpp
#define popart_patterns_coshoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class CoshOpPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::CoshOpPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::CoshOpPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::CoshOpPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_coshoppattern_hpp
