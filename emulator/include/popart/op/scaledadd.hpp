#ifndef popart_op_scaledadd_hpp
#define popart_op_scaledadd_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ScaledAddOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ScaledAddOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ScaledAddOp")) {}
  static int getArg0InIndex() { return 0; }
  static int getArg1InIndex() { return 1; }
  static int getScale0InIndex() { return 2; }
  static int getScale1InIndex() { return 3; }
  static int getOutIndex() { return 0; }
};

class ScaledAddLhsInplaceOp : public ScaledAddOp {
 public:
  template <class... Args>
  explicit ScaledAddLhsInplaceOp(const Args&...)
      : ScaledAddOp(emulator::absent<const OperatorIdentifier>("popart::ScaledAddLhsInplaceOp")) {}
};

class ScaledAddRhsInplaceOp : public ScaledAddOp {
 public:
  template <class... Args>
  explicit ScaledAddRhsInplaceOp(const Args&...)
      : ScaledAddOp(emulator::absent<const OperatorIdentifier>("popart::ScaledAddRhsInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_scaledadd_hpp
