#ifndef popart_patterns_splitgather_hpp
#define popart_patterns_splitgather_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class SplitGatherPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::SplitGatherPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::SplitGatherPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::SplitGatherPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_splitgather_hpp
