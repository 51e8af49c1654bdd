#ifndef popart_patterns_sumtoaddpattern_hpp
#define popart_patterns_sumtoaddpattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class SumToAddPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::SumToAddPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::SumToAddPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::SumToAddPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_sumtoaddpattern_hpp
