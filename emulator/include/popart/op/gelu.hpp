#ifndef popart_op_gelu_hpp
#define popart_op_gelu_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class GeluOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit GeluOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::GeluOp"),
                           emulator::absent<const Op::Settings>("popart::GeluOp")) {}
};

class GeluInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit GeluInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::GeluInplaceOp"),
            emulator::absent<const Op::Settings>("popart::GeluInplaceOp")) {}
};

class GeluGradOp : public ElementWiseNonLinearUnaryGradOp {
 public:
  template <class... Args>
  explicit GeluGradOp(const Args&...)
      : ElementWiseNonLinearUnaryGradOp(
            emulator::absent<const OperatorIdentifier>("popart::GeluGradOp"),
            emulator::absent<const ElementWiseUnaryOp>("popart::GeluGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_gelu_hpp
