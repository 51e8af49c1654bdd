#ifndef popart_op_instancenorm_hpp
#define popart_op_instancenorm_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class InstanceNormOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit InstanceNormOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::InstanceNormOp")) {}
  static int getInputInIndex() { return 0; }
  static int getScaleInIndex() { return 1; }
  static int getBInIndex() { return 2; }
  static int getOutIndex() { return 0; }
  static int getMeanOutIndex() { return 1; }
  static int getInvStdDevOutIndex() { return 2; }
};

class InstanceNormGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit InstanceNormGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::InstanceNormGradOp")) {}
  static int getInputInIndex() { return 0; }
  static int getScaleInIndex() { return 1; }
  static int getOutGradInIndex() { return 2; }
  static int getMeanInIndex() { return 3; }
  static int getInvStdDevInIndex() { return 4; }
  static int getInputOutIndex() { return 0; }
  static int getScaleOutIndex() { return 1; }
  static int getBOutIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_instancenorm_hpp
