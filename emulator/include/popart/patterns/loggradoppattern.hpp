#ifndef popart_patterns_loggradoppattern_hpp
#define popart_patterns_loggradoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class LogGradOpPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::LogGradOpPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::LogGradOpPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::LogGradOpPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_loggradoppattern_hpp
