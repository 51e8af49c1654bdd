#ifndef popart_op_reduceprod_hpp
#define popart_op_reduceprod_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ReduceProdOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceProdOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReduceProdOp")) {}
};

class ReduceProdGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceProdGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReduceProdGradOp")) {
  }
  static int getFwdInInIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_reduceprod_hpp
