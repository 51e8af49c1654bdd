#ifndef popart_op_printtensor_hpp
#define popart_op_printtensor_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class PrintTensorOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit PrintTensorOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::PrintTensorOp"),
                           emulator::absent<const Op::Settings>("popart::PrintTensorOp")) {}
};

}  // namespace popart

#endif  // popart_op_printtensor_hpp
