#ifndef popart_op_max_hpp
#define popart_op_max_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/variadic.hpp>

namespace popart {

struct OperatorIdentifier;
class MaxOp : public VariadicOp {
 public:
  template <class... Args>
  explicit MaxOp(const Args&...)
      : VariadicOp(emulator::absent<const OperatorIdentifier>("popart::MaxOp")) {}

 private:
  std::unique_ptr<Op> getIthGrad(int) const override {
    emulator::missing("popart::MaxOp::getIthGrad");
  }
};

class MaxArgGradOp : public NonLinearVariadicGradOp {
 public:
  template <class... Args>
  explicit MaxArgGradOp(const Args&...)
      : NonLinearVariadicGradOp(
            emulator::absent<const OperatorIdentifier>("popart::MaxArgGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_max_hpp
