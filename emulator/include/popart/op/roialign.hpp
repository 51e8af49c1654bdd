#ifndef popart_op_roialign_hpp
#define popart_op_roialign_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class RoiAlignOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit RoiAlignOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::RoiAlignOp")) {}
};

class RoiAlignGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit RoiAlignGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::RoiAlignGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_roialign_hpp
