#ifndef popart_patterns_log1pgradoppattern_hpp
#define popart_patterns_log1pgradoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class Log1pGradOpPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::Log1pGradOpPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::Log1pGradOpPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::Log1pGradOpPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_log1pgradoppattern_hpp
