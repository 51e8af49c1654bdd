#ifndef popart_op_softplus_hpp
#define popart_op_softplus_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/emulator/unary.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class SoftPlusInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit SoftPlusInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::SoftPlusInplaceOp"),
            emulator::absent<const Op::Settings>("popart::SoftPlusInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_softplus_hpp
