#ifndef popart_op_max_hpp
#define popart_op_max_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/variadic.hpp>

namespace popart {

class MaxOp : public VariadicOp {
 public:
  template <class... Args>
  explicit MaxOp(const Args&...)
      : VariadicOp(emulator::absent<const OperatorIdentifier>("popart::MaxOp")) {}
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
