#ifndef popart_op_matmul_hpp
#define popart_op_matmul_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class MatMulBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit MatMulBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::MatMulBaseOp")) {}
};

class MatMulOp : public MatMulBaseOp {
 public:
  template <class... Args>
  explicit MatMulOp(const Args&...)
      : MatMulBaseOp(emulator::absent<const OperatorIdentifier>("popart::MatMulOp")) {}
  static int getLhsInIndex() { return 0; }
  static int getRhsInIndex() { return 1; }
  static int getLog2ScaleInIndex() { return 2; }
  static int getOutIndex() { return 0; }
};

class MatMulBaseGradOp : public MatMulBaseOp {
 public:
  template <class... Args>
  explicit MatMulBaseGradOp(const Args&...)
      : MatMulBaseOp(emulator::absent<const OperatorIdentifier>("popart::MatMulBaseGradOp")) {}
};

class MatMulLhsGradOp : public MatMulBaseGradOp {
 public:
  template <class... Args>
  explicit MatMulLhsGradOp(const Args&...)
      : MatMulBaseGradOp(emulator::absent<const OperatorIdentifier>("popart::MatMulLhsGradOp")) {}
  static int getGradInIndex() { return 0; }
  static int getRhsInIndex() { return 1; }
  static int getOutIndex() { return 0; }
};

class MatMulRhsGradOp : public MatMulBaseGradOp {
 public:
  template <class... Args>
  explicit MatMulRhsGradOp(const Args&...)
      : MatMulBaseGradOp(emulator::absent<const OperatorIdentifier>("popart::MatMulRhsGradOp")) {}
  static int getGradInIndex() { return 0; }
  static int getLhsInIndex() { return 1; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_matmul_hpp
