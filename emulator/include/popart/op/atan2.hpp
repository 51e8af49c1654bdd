#ifndef popart_op_atan2_hpp
#define popart_op_atan2_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class Atan2Op : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit Atan2Op(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::Atan2Op")) {}
};

class Atan2LhsInplaceOp : public ElementWiseBinaryInplaceLhsOp {
 public:
  template <class... Args>
  explicit Atan2LhsInplaceOp(const Args&...)
      : ElementWiseBinaryInplaceLhsOp(
            emulator::absent<const OperatorIdentifier>("popart::Atan2LhsInplaceOp"),
            emulator::absent<const Op::Settings>("popart::Atan2LhsInplaceOp")) {}
};

class Atan2Arg0GradOp : public ElementWiseBinaryArg0GradOp {
 public:
  template <class... Args>
  explicit Atan2Arg0GradOp(const Args&...)
      : ElementWiseBinaryArg0GradOp(
            emulator::absent<const OperatorIdentifier>("popart::Atan2Arg0GradOp"),
            emulator::absent<const std::vector<std::int64_t>>("popart::Atan2Arg0GradOp"),
            emulator::absent<const TensorInfo>("popart::Atan2Arg0GradOp"),
            emulator::absent<const Op::Settings>("popart::Atan2Arg0GradOp")) {}
};

class Atan2Arg1GradOp : public ElementWiseBinaryArg1GradOp {
 public:
  template <class... Args>
  explicit Atan2Arg1GradOp(const Args&...)
      : ElementWiseBinaryArg1GradOp(
            emulator::absent<const OperatorIdentifier>("popart::Atan2Arg1GradOp"),
            emulator::absent<const std::vector<std::int64_t>>("popart::Atan2Arg1GradOp"),
            emulator::absent<const TensorInfo>("popart::Atan2Arg1GradOp"),
            emulator::absent<const Op::Settings>("popart::Atan2Arg1GradOp")) {}
};

}  // namespace popart

#endif  // popart_op_atan2_hpp
