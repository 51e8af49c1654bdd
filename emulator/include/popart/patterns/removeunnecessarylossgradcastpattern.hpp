#ifndef popart_patterns_removeunnecessarylossgradcastpattern_hpp
#define popart_patterns_removeunnecessarylossgradcastpattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class RemoveUnnecessaryLossGradCast : public PreAliasPattern {
 public:
  bool matches(Op*) const override {
    emulator::missing("popart::RemoveUnnecessaryLossGradCast::matches");
  }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::RemoveUnnecessaryLossGradCast::touches");
  }
  bool apply(Op*) const override {
    emulator::missing("popart::RemoveUnnecessaryLossGradCast::apply");
  }
};

}  // namespace popart

#endif  // popart_patterns_removeunnecessarylossgradcastpattern_hpp
