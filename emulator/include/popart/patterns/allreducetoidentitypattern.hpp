#ifndef popart_patterns_allreducetoidentitypattern_hpp
#define popart_patterns_allreducetoidentitypattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class AllReduceToIdentityPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override {
    emulator::missing("popart::AllReduceToIdentityPattern::matches");
  }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::AllReduceToIdentityPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::AllReduceToIdentityPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_allreducetoidentitypattern_hpp
