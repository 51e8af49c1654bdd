#ifndef popart_op_where_hpp
#define popart_op_where_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class WhereOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit WhereOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::WhereOp")) {}
  static int conditionInIndex() { return 0; }
  static int xInIndex() { return 1; }
  static int yInIndex() { return 2; }
  static int outIndex() { return 0; }
};

class WhereLhsInplaceOp : public WhereOp {
 public:
  template <class... Args>
  explicit WhereLhsInplaceOp(const Args&...)
      : WhereOp(emulator::absent<const OperatorIdentifier>("popart::WhereLhsInplaceOp")) {}
};

class WhereRhsInplaceOp : public WhereOp {
 public:
  template <class... Args>
  explicit WhereRhsInplaceOp(const Args&...)
      : WhereOp(emulator::absent<const OperatorIdentifier>("popart::WhereRhsInplaceOp")) {}
};

class WhereXGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit WhereXGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::WhereXGradOp")) {}
  static int fwdConditionInIndex() { return 0; }
  static int outGradInIndex() { return 1; }
  static int outIndex() { return 0; }
};

class WhereYGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit WhereYGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::WhereYGradOp")) {}
  static int fwdConditionInIndex() { return 0; }
  static int outGradInIndex() { return 1; }
  static int outIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_where_hpp
