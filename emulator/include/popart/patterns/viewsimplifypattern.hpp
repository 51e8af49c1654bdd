#ifndef popart_patterns_viewsimplifypattern_hpp
#define popart_patterns_viewsimplifypattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class ViewSimplifyPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::ViewSimplifyPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::ViewSimplifyPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::ViewSimplifyPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_viewsimplifypattern_hpp
