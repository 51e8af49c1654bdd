#ifndef popart_op_min_hpp
#define popart_op_min_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/variadic.hpp>

namespace popart {

struct OperatorIdentifier;
class MinOp : public VariadicOp {
 public:
  template <class... Args>
  explicit MinOp(const Args&...)
      : VariadicOp(emulator::absent<const OperatorIdentifier>("popart::MinOp")) {}

 private:
  std::unique_ptr<Op> getIthGrad(int) const override {
    emulator::missing("popart::MinOp::getIthGrad");
  }
};

class MinArgGradOp : public NonLinearVariadicGradOp {
 public:
  template <class... Args>
  explicit MinArgGradOp(const Args&...)
      : NonLinearVariadicGradOp(
            emulator::absent<const OperatorIdentifier>("popart::MinArgGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_min_hpp
