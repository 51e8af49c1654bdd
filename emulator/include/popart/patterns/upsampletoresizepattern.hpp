#ifndef popart_patterns_upsampletoresizepattern_hpp
#define popart_patterns_upsampletoresizepattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class UpsampleToResizePattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override {
    emulator::missing("popart::UpsampleToResizePattern::matches");
  }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::UpsampleToResizePattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::UpsampleToResizePattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_upsampletoresizepattern_hpp
