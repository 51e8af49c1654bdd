#ifndef popart_patterns_splitgradoptoconcatpattern_hpp
#define popart_patterns_splitgradoptoconcatpattern_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/patterns/sequenceexpander.hpp>
#include <vector>

namespace popart {

class Op;
class SplitGradOpToConcatPattern : public SequenceExpander {
 public:
  bool matches(Op*) const override {
    emulator::missing("popart::SplitGradOpToConcatPattern::matches");
  }

 private:
  std::vector<std::unique_ptr<Op>> sequence(Op*) const override {
    emulator::missing("popart::SplitGradOpToConcatPattern::sequence");
  }
};

}  // namespace popart

#endif  // popart_patterns_splitgradoptoconcatpattern_hpp
