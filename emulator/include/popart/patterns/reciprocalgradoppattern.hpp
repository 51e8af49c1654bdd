#ifndef popart_patterns_reciprocalgradoppattern_hpp
#define popart_patterns_reciprocalgradoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class ReciprocalGradOpPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override {
    emulator::missing("popart::ReciprocalGradOpPattern::matches");
  }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::ReciprocalGradOpPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::ReciprocalGradOpPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_reciprocalgradoppattern_hpp
