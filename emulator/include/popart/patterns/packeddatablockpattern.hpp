#ifndef popart_patterns_packeddatablockpattern_hpp
#define popart_patterns_packeddatablockpattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class PackedDataBlockPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::PackedDataBlockPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::PackedDataBlockPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::PackedDataBlockPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_packeddatablockpattern_hpp
