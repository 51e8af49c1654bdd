#ifndef popart_patterns_sliceoppattern_hpp
#define popart_patterns_sliceoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class SlicePattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::SlicePattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::SlicePattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::SlicePattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_sliceoppattern_hpp
