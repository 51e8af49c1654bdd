#ifndef popart_op_geluerf_hpp
#define popart_op_geluerf_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class GeluErfOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit GeluErfOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::GeluErfOp"),
                           emulator::absent<const Op::Settings>("popart::GeluErfOp")) {}
};

class GeluErfInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit GeluErfInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::GeluErfInplaceOp"),
            emulator::absent<const Op::Settings>("popart::GeluErfInplaceOp")) {}
};

class GeluErfGradOp : public ElementWiseNonLinearUnaryGradOp {
 public:
  template <class... Args>
  explicit GeluErfGradOp(const Args&...)
      : ElementWiseNonLinearUnaryGradOp(
            emulator::absent<const OperatorIdentifier>("popart::GeluErfGradOp"),
            emulator::absent<const ElementWiseUnaryOp>("popart::GeluErfGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_geluerf_hpp
