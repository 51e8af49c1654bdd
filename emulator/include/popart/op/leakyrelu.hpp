#ifndef popart_op_leakyrelu_hpp
#define popart_op_leakyrelu_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class LeakyReluOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit LeakyReluOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::LeakyReluOp"),
                           emulator::absent<const Op::Settings>("popart::LeakyReluOp")) {}
};

class LeakyReluInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit LeakyReluInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::LeakyReluInplaceOp"),
            emulator::absent<const Op::Settings>("popart::LeakyReluInplaceOp")) {}
};

class LeakyReluGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit LeakyReluGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::LeakyReluGradOp")) {}
  static int getLeakyReluInIndex() { return 1; }
  static int getGradLeakyReluInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_leakyrelu_hpp
