#ifndef popart_patterns_optoidentitypattern_hpp
#define popart_patterns_optoidentitypattern_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/patterns/sequenceexpander.hpp>
#include <vector>

namespace popart {

class Op;
class OpToIdentityPattern : public SequenceExpander {
 public:
  bool matches(Op*) const override { emulator::missing("popart::OpToIdentityPattern::matches"); }

 private:
  std::vector<std::unique_ptr<Op>> sequence(Op*) const override {
    emulator::missing("popart::OpToIdentityPattern::sequence");
  }
};

}  // namespace popart

#endif  // popart_patterns_optoidentitypattern_hpp
