#ifndef popart_op_min_hpp
#define popart_op_min_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/variadic.hpp>

namespace popart {

class MinOp : public VariadicOp {
 public:
  template <class... Args>
  explicit MinOp(const Args&...)
      : VariadicOp(emulator::absent<const OperatorIdentifier>("popart::MinOp")) {}
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
