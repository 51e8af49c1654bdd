#ifndef popart_op_sinh_hpp
#define popart_op_sinh_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class SinhOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit SinhOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::SinhOp"),
                           emulator::absent<const Op::Settings>("popart::SinhOp")) {}
};

class SinhInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit SinhInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::SinhInplaceOp"),
            emulator::absent<const Op::Settings>("popart::SinhInplaceOp")) {}
};

class SinhGradOp : public ElementWiseNonLinearUnaryGradOp {
 public:
  template <class... Args>
  explicit SinhGradOp(const Args&...)
      : ElementWiseNonLinearUnaryGradOp(
            emulator::absent<const OperatorIdentifier>("popart::SinhGradOp"),
            emulator::absent<const ElementWiseUnaryOp>("popart::SinhGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_sinh_hpp
