#ifndef popart_op_variadic_hpp
#define popart_op_variadic_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class VariadicOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit VariadicOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::VariadicOp")) {}
  static int getOutIndex() { return 0; }
};

class VariadicGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit VariadicGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::VariadicGradOp")) {}
  static int getGradInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class NonLinearVariadicGradOp : public VariadicGradOp {
 public:
  template <class... Args>
  explicit NonLinearVariadicGradOp(const Args&...)
      : VariadicGradOp(
            emulator::absent<const OperatorIdentifier>("popart::NonLinearVariadicGradOp")) {}
  static int getFwdInIndex() { return 1; }
  static int getFwdOutInIndex() { return 2; }
};

class LinearVariadicGradOp : public VariadicGradOp {
 public:
  template <class... Args>
  explicit LinearVariadicGradOp(const Args&...)
      : VariadicGradOp(emulator::absent<const OperatorIdentifier>("popart::LinearVariadicGradOp")) {
  }
};

}  // namespace popart

#endif  // popart_op_variadic_hpp
