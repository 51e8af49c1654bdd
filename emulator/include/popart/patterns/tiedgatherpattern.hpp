#ifndef popart_patterns_tiedgatherpattern_hpp
#define popart_patterns_tiedgatherpattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class TiedGatherPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::TiedGatherPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::TiedGatherPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::TiedGatherPattern::apply"); }
};

class TiedGatherAccumulatePattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override {
    emulator::missing("popart::TiedGatherAccumulatePattern::matches");
  }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::TiedGatherAccumulatePattern::touches");
  }
  bool apply(Op*) const override {
    emulator::missing("popart::TiedGatherAccumulatePattern::apply");
  }
};

}  // namespace popart

#endif  // popart_patterns_tiedgatherpattern_hpp
