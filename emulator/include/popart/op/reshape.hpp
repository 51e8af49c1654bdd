#ifndef popart_op_reshape_hpp
#define popart_op_reshape_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ReshapeBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReshapeBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReshapeBaseOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class ReshapeOp : public ReshapeBaseOp {
 public:
  template <class... Args>
  explicit ReshapeOp(const Args&...)
      : ReshapeBaseOp(emulator::absent<const OperatorIdentifier>("popart::ReshapeOp")) {}
};

class ReshapeInplaceOp : public ReshapeBaseOp {
 public:
  template <class... Args>
  explicit ReshapeInplaceOp(const Args&...)
      : ReshapeBaseOp(emulator::absent<const OperatorIdentifier>("popart::ReshapeInplaceOp")) {}
};

class ReshapeGradOp : public ReshapeOp {
 public:
  template <class... Args>
  explicit ReshapeGradOp(const Args&...)
      : ReshapeOp(emulator::absent<const OperatorIdentifier>("popart::ReshapeGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_reshape_hpp
