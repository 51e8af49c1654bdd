#ifndef popart_op_binaryconstscalar_hpp
#define popart_op_binaryconstscalar_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class BinaryConstScalarOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit BinaryConstScalarOp(const Args&...)
      : ElementWiseUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::BinaryConstScalarOp"),
            emulator::absent<const Op::Settings>("popart::BinaryConstScalarOp")) {}
};

}  // namespace popart

#endif  // popart_op_binaryconstscalar_hpp
