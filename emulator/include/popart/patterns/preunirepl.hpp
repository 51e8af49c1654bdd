#ifndef popart_patterns_preunirepl_hpp
#define popart_patterns_preunirepl_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class PreUniRepl : public PreAliasPattern {
 public:
  PreUniRepl() = default;
  bool matches(Op*) const override { emulator::missing("popart::PreUniRepl::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::PreUniRepl::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::PreUniRepl::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_preunirepl_hpp
