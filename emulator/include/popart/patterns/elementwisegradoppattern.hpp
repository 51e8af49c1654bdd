#ifndef popart_patterns_elementwisegradoppattern_hpp
#define popart_patterns_elementwisegradoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/graph.hpp>
#include <popart/ir.hpp>
#include <popart/op.hpp>
#include <popart/op/mul.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Tensor;
template <class GRADOP, class DOP>
class ElementWiseGradOpPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override {
    emulator::missing("popart::ElementWiseGradOpPattern::matches");
  }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::ElementWiseGradOpPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::ElementWiseGradOpPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_elementwisegradoppattern_hpp
