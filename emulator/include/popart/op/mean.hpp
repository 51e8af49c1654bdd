#ifndef popart_op_mean_hpp
#define popart_op_mean_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/variadic.hpp>

namespace popart {

class MeanOp : public VariadicOp {
 public:
  template <class... Args>
  explicit MeanOp(const Args&...)
      : VariadicOp(emulator::absent<const OperatorIdentifier>("popart::MeanOp")) {}
};

class MeanArgGradOp : public LinearVariadicGradOp {
 public:
  template <class... Args>
  explicit MeanArgGradOp(const Args&...)
      : LinearVariadicGradOp(emulator::absent<const OperatorIdentifier>("popart::MeanArgGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_mean_hpp
