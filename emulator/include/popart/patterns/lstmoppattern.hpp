#ifndef popart_patterns_lstmoppattern_hpp
#define popart_patterns_lstmoppattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class LSTMPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::LSTMPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::LSTMPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::LSTMPattern::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_lstmoppattern_hpp
