#ifndef popart_op_add_hpp
#define popart_op_add_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/emulator/binary.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class AddLhsInplaceOp : public ElementWiseBinaryInplaceLhsOp {
 public:
  template <class... Args>
  explicit AddLhsInplaceOp(const Args&...)
      : ElementWiseBinaryInplaceLhsOp(
            emulator::absent<const OperatorIdentifier>("popart::AddLhsInplaceOp"),
            emulator::absent<const Op::Settings>("popart::AddLhsInplaceOp")) {}
};

class AddRhsInplaceOp : public ElementWiseBinaryInplaceRhsOp {
 public:
  template <class... Args>
  explicit AddRhsInplaceOp(const Args&...)
      : ElementWiseBinaryInplaceRhsOp(
            emulator::absent<const OperatorIdentifier>("popart::AddRhsInplaceOp"),
            emulator::absent<const Op::Settings>("popart::AddRhsInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_add_hpp
