#ifndef popart_op_log1p_hpp
#define popart_op_log1p_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/emulator/unary.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class Log1pInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit Log1pInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::Log1pInplaceOp"),
            emulator::absent<const Op::Settings>("popart::Log1pInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_log1p_hpp
