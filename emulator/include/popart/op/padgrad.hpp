#ifndef popart_op_padgrad_hpp
#define popart_op_padgrad_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/slice.hpp>

namespace popart {

class PadGradOp : public SliceOp {
 public:
  template <class... Args>
  explicit PadGradOp(const Args&...)
      : SliceOp(emulator::absent<const OperatorIdentifier>("popart::PadGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_padgrad_hpp
