#ifndef popart_op_transpose_hpp
#define popart_op_transpose_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class TransposeBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit TransposeBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::TransposeBaseOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class TransposeOp : public TransposeBaseOp {
 public:
  template <class... Args>
  explicit TransposeOp(const Args&...)
      : TransposeBaseOp(emulator::absent<const OperatorIdentifier>("popart::TransposeOp")) {}
};

class TransposeInplaceOp : public TransposeBaseOp {
 public:
  template <class... Args>
  explicit TransposeInplaceOp(const Args&...)
      : TransposeBaseOp(emulator::absent<const OperatorIdentifier>("popart::TransposeInplaceOp")) {}
};

class TransposeGradOp : public TransposeOp {
 public:
  template <class... Args>
  explicit TransposeGradOp(const Args&...)
      : TransposeOp(emulator::absent<const OperatorIdentifier>("popart::TransposeGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_transpose_hpp
