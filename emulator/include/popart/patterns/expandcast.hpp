#ifndef popart_patterns_expandcast_hpp
#define popart_patterns_expandcast_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class ExpandCastPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::ExpandCastPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::ExpandCastPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::ExpandCastPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_expandcast_hpp
