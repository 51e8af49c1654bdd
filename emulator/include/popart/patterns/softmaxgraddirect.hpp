#ifndef popart_patterns_softmaxgraddirect_hpp
#define popart_patterns_softmaxgraddirect_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/patterns/fuser.hpp>

namespace popart {

class Op;
struct OperatorIdentifier;
class SoftmaxGradDirect : public Fuser {
 private:
  const OperatorIdentifier& get0() const override {
    emulator::missing("popart::SoftmaxGradDirect::get0");
  }
  const OperatorIdentifier& get1() const override {
    emulator::missing("popart::SoftmaxGradDirect::get1");
  }
  OpId moveMergedIntoIr(Op*) const override {
    emulator::missing("popart::SoftmaxGradDirect::moveMergedIntoIr");
  }
};

}  // namespace popart

#endif  // popart_patterns_softmaxgraddirect_hpp
