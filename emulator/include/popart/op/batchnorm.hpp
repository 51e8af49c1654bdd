#ifndef popart_op_batchnorm_hpp
#define popart_op_batchnorm_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class BatchNormOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BatchNormOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::BatchNormOp")) {}
  static int getXInIndex() { return 0; }
  static int getScaleInIndex() { return 1; }
  static int getBInIndex() { return 2; }
  static int getMeanInIndex() { return 3; }
  static int getVarInIndex() { return 4; }
  static int getYOutIndex() { return 0; }
  static int getMeanOutIndex() { return 1; }
  static int getVarOutIndex() { return 2; }
  static int getSavedMeanOutIndex() { return 3; }
  static int getSavedVarOutIndex() { return 4; }
};

class BatchNormGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BatchNormGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::BatchNormGradOp")) {}
  static int getXInIndex() { return 0; }
  static int getScaleInIndex() { return 1; }
  static int getMeanInIndex() { return 2; }
  static int getVarInIndex() { return 3; }
  static int getYGradInIndex() { return 4; }
  static int getXOutIndex() { return 0; }
  static int getScaleOutIndex() { return 1; }
  static int getBOutIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_batchnorm_hpp
