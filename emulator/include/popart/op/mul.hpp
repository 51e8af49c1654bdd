#ifndef popart_op_mul_hpp
#define popart_op_mul_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/emulator/binary.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class MulLhsInplaceOp : public ElementWiseBinaryInplaceLhsOp {
 public:
  template <class... Args>
  explicit MulLhsInplaceOp(const Args&...)
      : ElementWiseBinaryInplaceLhsOp(
            emulator::absent<const OperatorIdentifier>("popart::MulLhsInplaceOp"),
            emulator::absent<const Op::Settings>("popart::MulLhsInplaceOp")) {}
};

class MulRhsInplaceOp : public ElementWiseBinaryInplaceRhsOp {
 public:
  template <class... Args>
  explicit MulRhsInplaceOp(const Args&...)
      : ElementWiseBinaryInplaceRhsOp(
            emulator::absent<const OperatorIdentifier>("popart::MulRhsInplaceOp"),
            emulator::absent<const Op::Settings>("popart::MulRhsInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_mul_hpp
