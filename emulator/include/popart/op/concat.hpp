#ifndef popart_op_concat_hpp
#define popart_op_concat_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ConcatOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ConcatOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ConcatOp")) {}
  static int getOutIndex() { return 0; }
};

class ConcatInplaceOp : public ConcatOp {
 public:
  template <class... Args>
  explicit ConcatInplaceOp(const Args&...)
      : ConcatOp(emulator::absent<const OperatorIdentifier>("popart::ConcatInplaceOp")) {}
};

class ConcatGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ConcatGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ConcatGradOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_concat_hpp
