#ifndef popart_op_groupnorm_hpp
#define popart_op_groupnorm_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class GroupNormOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GroupNormOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::GroupNormOp")) {}
  static int getXInIndex() { return 0; }
  static int getScaleInIndex() { return 1; }
  static int getBInIndex() { return 2; }
  static int getYOutIndex() { return 0; }
  static int getMeanOutIndex() { return 1; }
  static int getInvStdDevOutIndex() { return 2; }
};

class GroupNormGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GroupNormGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::GroupNormGradOp")) {}
  static int getXInIndex() { return 0; }
  static int getScaleInIndex() { return 1; }
  static int getMeanInIndex() { return 2; }
  static int getInvStdDevInIndex() { return 3; }
  static int getYGradInIndex() { return 4; }
  static int getXGradOutIndex() { return 0; }
  static int getScaleOutIndex() { return 1; }
  static int getBOutIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_groupnorm_hpp
