#ifndef popart_op_asin_hpp
#define popart_op_asin_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class AsinOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit AsinOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::AsinOp"),
                           emulator::absent<const Op::Settings>("popart::AsinOp")) {}
};

class AsinInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit AsinInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::AsinInplaceOp"),
            emulator::absent<const Op::Settings>("popart::AsinInplaceOp")) {}
};

class AsinGradOp : public ElementWiseNonLinearUnaryGradOp {
 public:
  template <class... Args>
  explicit AsinGradOp(const Args&...)
      : ElementWiseNonLinearUnaryGradOp(
            emulator::absent<const OperatorIdentifier>("popart::AsinGradOp"),
            emulator::absent<const ElementWiseUnaryOp>("popart::AsinGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_asin_hpp
