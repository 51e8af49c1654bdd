#ifndef popart_op_fmod_hpp
#define popart_op_fmod_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class FmodOp : public ElementWiseBinaryOp {
 public:
  template <class... Args>
  explicit FmodOp(const Args&...)
      : ElementWiseBinaryOp(emulator::absent<const OperatorIdentifier>("popart::FmodOp"),
                            emulator::absent<const Op::Settings>("popart::FmodOp")) {}
};

class FmodArg0GradOp : public ElementWiseBinaryArg0GradOp {
 public:
  template <class... Args>
  explicit FmodArg0GradOp(const Args&...)
      : ElementWiseBinaryArg0GradOp(
            emulator::absent<const OperatorIdentifier>("popart::FmodArg0GradOp"),
            emulator::absent<const std::vector<int64_t>>("popart::FmodArg0GradOp"),
            emulator::absent<const TensorInfo>("popart::FmodArg0GradOp"),
            emulator::absent<const Op::Settings>("popart::FmodArg0GradOp")) {}
};

}  // namespace popart

#endif  // popart_op_fmod_hpp
