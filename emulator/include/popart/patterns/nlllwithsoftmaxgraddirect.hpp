#ifndef popart_patterns_nlllwithsoftmaxgraddirect_hpp
#define popart_patterns_nlllwithsoftmaxgraddirect_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Op;
class Tensor;
class NlllWithSoftmaxGradDirect : public PreAliasPattern {
 public:
  bool matches(Op*) const override {
    emulator::missing("popart::NlllWithSoftmaxGradDirect::matches");
  }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::NlllWithSoftmaxGradDirect::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::NlllWithSoftmaxGradDirect::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_nlllwithsoftmaxgraddirect_hpp
