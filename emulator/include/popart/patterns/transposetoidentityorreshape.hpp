#ifndef popart_patterns_transposetoidentityorreshape_hpp
#define popart_patterns_transposetoidentityorreshape_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class TransposeToIdentityOrReshapePattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override {
    emulator::missing("popart::TransposeToIdentityOrReshapePattern::matches");
  }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::TransposeToIdentityOrReshapePattern::touches");
  }
  bool apply(Op*) const override {
    emulator::missing("popart::TransposeToIdentityOrReshapePattern::apply");
  }
};

}  // namespace popart

#endif  // popart_patterns_transposetoidentityorreshape_hpp
