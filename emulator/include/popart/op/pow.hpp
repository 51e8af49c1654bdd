#ifndef popart_op_pow_hpp
#define popart_op_pow_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/emulator/binary.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class PowLhsInplaceOp : public ElementWiseBinaryInplaceLhsOp {
 public:
  template <class... Args>
  explicit PowLhsInplaceOp(const Args&...)
      : ElementWiseBinaryInplaceLhsOp(
            emulator::absent<const OperatorIdentifier>("popart::PowLhsInplaceOp"),
            emulator::absent<const Op::Settings>("popart::PowLhsInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_pow_hpp
