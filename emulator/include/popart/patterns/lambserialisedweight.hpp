#ifndef popart_patterns_lambserialisedweight_hpp
#define popart_patterns_lambserialisedweight_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/patterns/pattern.hpp>
#include <string>
#include <vector>

namespace popart {

class Op;
class Tensor;
class LambSerialisedWeightPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override {
    emulator::missing("popart::LambSerialisedWeightPattern::matches");
  }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::LambSerialisedWeightPattern::touches");
  }
  bool apply(Op*) const override {
    emulator::missing("popart::LambSerialisedWeightPattern::apply");
  }
};

}  // namespace popart

#endif  // popart_patterns_lambserialisedweight_hpp
