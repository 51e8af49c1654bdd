#ifndef popart_patterns_postnrepl_hpp
#define popart_patterns_postnrepl_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class PostNRepl : public PreAliasPattern {
 public:
  PostNRepl() = default;
  bool matches(Op*) const override { emulator::missing("popart::PostNRepl::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::PostNRepl::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::PostNRepl::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_postnrepl_hpp
