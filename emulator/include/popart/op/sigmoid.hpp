#ifndef popart_op_sigmoid_hpp
#define popart_op_sigmoid_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/emulator/unary.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class SigmoidInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit SigmoidInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::SigmoidInplaceOp"),
            emulator::absent<const Op::Settings>("popart::SigmoidInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_sigmoid_hpp
