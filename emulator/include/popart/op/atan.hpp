#ifndef popart_op_atan_hpp
#define popart_op_atan_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class AtanOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit AtanOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::AtanOp"),
                           emulator::absent<const Op::Settings>("popart::AtanOp")) {}
};

class AtanInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit AtanInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::AtanInplaceOp"),
            emulator::absent<const Op::Settings>("popart::AtanInplaceOp")) {}
};

class AtanGradOp : public ElementWiseNonLinearUnaryGradOp {
 public:
  template <class... Args>
  explicit AtanGradOp(const Args&...)
      : ElementWiseNonLinearUnaryGradOp(
            emulator::absent<const OperatorIdentifier>("popart::AtanGradOp"),
            emulator::absent<const ElementWiseUnaryOp>("popart::AtanGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_atan_hpp
