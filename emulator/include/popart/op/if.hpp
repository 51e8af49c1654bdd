#ifndef popart_op_if_hpp
#define popart_op_if_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/identity.hpp>

namespace popart {

class IfOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit IfOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::IfOp")) {}
  static int getConditionInIndex() { return 0; }
};

class IfGradOp : public IfOp {
 public:
  template <class... Args>
  explicit IfGradOp(const Args&...)
      : IfOp(emulator::absent<const OperatorIdentifier>("popart::IfGradOp")) {}
};

class IfConditionGradOp : public IdentityOp {
 public:
  template <class... Args>
  explicit IfConditionGradOp(const Args&...)
      : IdentityOp(emulator::absent<const OperatorIdentifier>("popart::IfConditionGradOp"),
                   emulator::absent<const Op::Settings>("popart::IfConditionGradOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_if_hpp
