#ifndef popart_op_exp_hpp
#define popart_op_exp_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/emulator/unary.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class ExpInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit ExpInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::ExpInplaceOp"),
            emulator::absent<const Op::Settings>("popart::ExpInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_exp_hpp
