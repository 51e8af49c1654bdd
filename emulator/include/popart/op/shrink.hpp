#ifndef popart_op_shrink_hpp
#define popart_op_shrink_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class ShrinkOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit ShrinkOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::ShrinkOp"),
                           emulator::absent<const Op::Settings>("popart::ShrinkOp")) {}
};

class ShrinkInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit ShrinkInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::ShrinkInplaceOp"),
            emulator::absent<const Op::Settings>("popart::ShrinkInplaceOp")) {}
};

class ShrinkGradOp : public ElementWiseNonLinearUnaryGradOp {
 public:
  template <class... Args>
  explicit ShrinkGradOp(const Args&...)
      : ElementWiseNonLinearUnaryGradOp(
            emulator::absent<const OperatorIdentifier>("popart::ShrinkGradOp"),
            emulator::absent<const ElementWiseUnaryOp>("popart::ShrinkGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_shrink_hpp
